import { System } from '@pointgate/contract/names.ts';
import { unusableBulletins } from '../catalogue/bulletins/bulletins.ts';
import { unusableInCatalogue } from '../catalogue/catalogue.ts';
import { isSomethingSold } from '../catalogue/game-list.ts';
import { unusableBatches } from '../checkout/redeem/redeem.ts';
import { keepCases } from '../money/cases/cases.ts';
import { unusableSwitches } from '../money/routing/routing.ts';
import { unusableCoupons } from '../offers/coupons/coupon-templates.ts';
import { unusablePromotions } from '../offers/promotions/promotions.ts';
import { isPolicyPack } from '../people/real-names/policies/policies.ts';
import { nameOnce, type UnusableRow } from '../platform/readable-rows.ts';
import { signingSecretOf } from '../publisher/secrets/secrets.ts';
import { type Site, unusableSites } from '../publisher/sites/sites.ts';
import type { Shop } from './app.ts';

type Checked = Pick<Shop, 'db' | 'sites' | 'catalogue' | 'secrets' | 'merchantAccounts'>;

/**
 * All unusable rows that operators have written, each of which is logged. Malformed rows are found
 * by reading; valid rows that reference nothing usable are found here.
 */
export async function checkContent(shop: Checked): Promise<UnusableRow[]> {
  const { db } = shop;
  const unreadable = [
    await unusableSites(db),
    await unusableInCatalogue(db),
    await unusablePromotions(db),
    await unusableCoupons(db),
    await unusableBulletins(db),
    await unusableSwitches(db),
    await unusableBatches(db),
    await shop.secrets.unusable(),
    await shop.merchantAccounts.unusable(),
  ].flat();
  const useless = [...(await gamesWithoutSecret(shop)), ...(await uselessSites(shop))];
  for (const row of useless) nameOnce(db, row);
  return [...unreadable, ...useless];
}

/** Opens a case for each of these rows, and closes the cases of corrected rows. */
export async function sweepContent(shop: Checked): Promise<void> {
  const matters = (await checkContent(shop)).map(({ table, key, reason }) => ({
    subject: `${table} ${key}: ${reason}`,
    details: { table, key, reason },
  }));
  await shop.db.transaction((tx) => keepCases(tx, 'unusable_row', matters));
}

async function gamesWithoutSecret({ catalogue, secrets }: Checked): Promise<UnusableRow[]> {
  const known = new Set((await secrets.all('signing', 'again')).map(({ owner }) => owner));
  const gameIds = (await catalogue.games()).map(({ gameId }) => gameId);
  return gameIds
    .filter((gameId) => !known.has(signingSecretOf(gameId).owner))
    .map((key) => ({ table: 'games', key, reason: 'it has no secret: secret-set makes one' }));
}

async function uselessSites({ sites, catalogue }: Checked): Promise<UnusableRow[]> {
  const useless: UnusableRow[] = [];
  for (const site of await sites.all()) {
    const row = { table: 'sites', key: site.siteId };
    if (!isPolicyPack(site.policyPack)) {
      useless.push({ ...row, reason: `policy_pack: there is no ${site.policyPack}` });
    }
    if (!(await sells(catalogue, site))) {
      useless.push({ ...row, reason: `nothing has a price in ${site.currencies.join(' or ')}` });
    }
  }
  return useless;
}

async function sells(catalogue: Shop['catalogue'], site: Site): Promise<boolean> {
  const country = site.priceCountry;
  for (const system of System.options) {
    for (const gameId of site.gameIds) {
      if (await isSomethingSold(catalogue, { site, gameId, system })) return true;
    }
    for (const currency of site.currencies) {
      if ((await catalogue.packOffers({ system, currency, country })).length > 0) return true;
    }
  }
  return false;
}
