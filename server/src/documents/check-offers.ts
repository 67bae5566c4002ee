import { couponComplaint } from '../offers/coupons/coupon-templates.ts';
import {
  campaignComplaint,
  type KnownToPromotions,
  ruleComplaint,
} from '../offers/promotions/promotion-list.ts';
import type { FolderReader } from './folder-reader.ts';
import { sellingSite } from './shop-amounts.ts';
import type { ShopFolder, SiteOfShop } from './shop-documents.ts';

/** Promotions and coupons against the sites, games and packs of their folder. */
export function checkOffers(reader: FolderReader, shop: ShopFolder): void {
  const sites = shop.sites.map(sellingSite);
  const items = shop.games.flatMap(({ id: gameId, items: of }) =>
    of.map(({ id }) => ({ id, gameId })),
  );
  const known: KnownToPromotions = {
    sites: new Map(sites.map((site) => [site.siteId, site])),
    goods: new Map<string, string | null>([
      ...items.map(({ id, gameId }) => [`item:${id}`, gameId] as const),
      ...shop.packs.map(({ id }) => [`points:${id}`, null] as const),
    ]),
    // Accounts are of an installation, and the folder may be for several.
    accounts: null,
    campaigns: new Map(),
  };
  for (const site of shop.sites) checkPromotions(reader, site, known);
  const named = new Set([
    ...shop.games.map(({ id }) => `game ${id}`),
    ...items.map(({ id }) => `item ${id}`),
    ...shop.packs.map(({ id }) => `pack ${id}`),
  ]);
  for (const { value, at } of shop.coupons) {
    const complaint = couponComplaint(value, { named, sites });
    if (complaint !== null)
      reader.complain(at(), `${complaint}: write other terms`, value.templateId);
  }
}

function checkPromotions(
  reader: FolderReader,
  { id, promotions }: SiteOfShop,
  known: KnownToPromotions,
): void {
  if (promotions === undefined) return;
  const { campaigns, giftRules } = promotions.value;
  const lists = [
    ...campaigns.map((line, index) => ({
      path: ['campaigns', index],
      siteId: line.siteId,
      name: line.campaignId,
      complaint: campaignComplaint(line, known),
    })),
    ...giftRules.map((line, index) => ({
      path: ['giftRules', index],
      siteId: line.siteId,
      name: line.ruleId,
      complaint: ruleComplaint(line, known),
    })),
  ];
  for (const { path, siteId, name, complaint } of lists) {
    if (siteId !== id) {
      const problem = `"${siteId}" is not the site of this folder: write ${id}`;
      reader.complain(promotions.at([...path, 'siteId']), problem, 'siteId');
    } else if (complaint !== null) {
      reader.complain(promotions.at(path), `${complaint}: write other terms`, name);
    }
  }
}
