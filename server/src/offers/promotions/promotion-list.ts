import type {
  Campaign,
  GiftRule,
  PromotionList,
} from '@pointgate/contract/documents/promotions.ts';
import { toDecimalString } from '@pointgate/contract/money.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { readDecimalAmount } from '../../platform/decimal-amount.ts';
import { isSoldAt, type Site } from '../../publisher/sites/sites.ts';
import {
  type CampaignTerms,
  selectCampaignTerms,
  selectGoodsOf,
  selectKnownAccounts,
  selectRuleTerms,
  upsertCampaign,
  upsertRule,
} from './promotion-list.queries.ts';

/**
 * Loads gift rules and campaigns as a whole, or returns every complaint and loads none. Existing
 * rules are replaced; of an existing campaign only name, end, lifetime and tiers change, because
 * earlier orders were counted by its other fields.
 */
export async function loadPromotions(
  tx: Tx,
  list: PromotionList,
  sites: readonly Site[],
): Promise<string[]> {
  const known = await knownTo(tx, list, new Map(sites.map((site) => [site.siteId, site])));
  const { giftRules, campaigns } = list;
  const ruleIds = giftRules.map(({ ruleId }) => ruleId);
  const campaignIds = campaigns.map(({ campaignId }) => campaignId);
  const complaints = [
    ...twins('rule', ruleIds),
    ...twins('campaign', campaignIds),
    ...giftRules.flatMap((rule) => told(`rule ${rule.ruleId}`, ruleComplaint(rule, known))),
    ...campaigns.flatMap((campaign) =>
      told(`campaign ${campaign.campaignId}`, campaignComplaint(campaign, known)),
    ),
  ];
  if (complaints.length > 0) return complaints;
  for (const rule of giftRules) await upsertRule(tx, rule);
  for (const campaign of campaigns) await writeCampaign(tx, campaign);
  return [];
}

/** All promotions in the format of `loadPromotions`. */
export async function listPromotions(db: Db): Promise<PromotionList> {
  const [giftRules, campaigns] = [await selectRuleTerms(db), await selectCampaignTerms(db)];
  return {
    giftRules,
    campaigns: campaigns.map(({ tiers, ...campaign }) => ({
      ...campaign,
      tiers: tiers.map(({ tier, fromMinor, points }) => ({
        tier,
        from: toDecimalString({ amountMinor: fromMinor, currency: campaign.currency }),
        points: points.toString(),
      })),
    })),
  };
}

/** Idempotent. Callers must have validated the line. */
export async function writeCampaign(tx: Tx, line: Campaign): Promise<void> {
  await upsertCampaign(tx, {
    ...line,
    tiers: line.tiers.map(({ tier, from, points }) => {
      const fromMinor = readDecimalAmount(from, line.currency);
      if (fromMinor === undefined) throw new Error('the amount has not been validated');
      return { tier, fromMinor, points: BigInt(points) };
    }),
  });
}

/** The shop as far as promotions depend on it. */
export interface KnownToPromotions {
  sites: ReadonlyMap<string, Pick<Site, 'gameIds' | 'currencies'>>;
  /** By `kind:id`: the game of an item, or null for an E Point pack. */
  goods: ReadonlyMap<string, string | null>;
  /** Null if the accounts are not known. */
  accounts: ReadonlySet<string> | null;
  campaigns: ReadonlyMap<string, CampaignTerms>;
}

async function knownTo(
  tx: Tx,
  { giftRules }: PromotionList,
  sites: ReadonlyMap<string, Site>,
): Promise<KnownToPromotions> {
  const goods = await selectGoodsOf(
    tx,
    giftRules.flatMap(({ itemId }) => itemId ?? []),
  );
  const accounts = await selectKnownAccounts(
    tx,
    giftRules.flatMap(({ accounts: of }) => of ?? []),
  );
  return {
    sites,
    goods: new Map(goods.map(({ kind, id, game_id }) => [`${kind}:${id}`, game_id])),
    accounts: new Set(accounts),
    campaigns: new Map(
      (await selectCampaignTerms(tx)).map((campaign) => [campaign.campaignId, campaign]),
    ),
  };
}

function told(name: string, complaint: string | null): string[] {
  return complaint === null ? [] : [`${name}: ${complaint}`];
}

function twins(what: string, names: readonly string[]): string[] {
  const isTwin = (name: string, index: number) => names.indexOf(name) !== index;
  return names.filter(isTwin).map((name) => `${what} ${name}: is there twice`);
}

/** The reason why a gift rule cannot be loaded; null if it can. */
export function ruleComplaint(rule: GiftRule, known: KnownToPromotions): string | null {
  const site = known.sites.get(rule.siteId);
  if (site === undefined) return 'there is no such site';
  if (!endsLater(rule)) return 'it ends before it starts';
  const { accounts } = known;
  const stranger = rule.accounts?.find((accountId) => accounts?.has(accountId) === false);
  if (stranger !== undefined) return `there is no account ${stranger}`;
  if (rule.itemId === null) return null;
  const gameId = known.goods.get(`${rule.kind}:${rule.itemId}`);
  const isSold = gameId !== undefined && (gameId === null || isSoldAt(site, gameId));
  return isSold ? null : 'the site does not sell this item';
}

/** The same for a campaign. */
export function campaignComplaint(campaign: Campaign, known: KnownToPromotions): string | null {
  const site = known.sites.get(campaign.siteId);
  if (site === undefined) return 'there is no such site';
  if (!endsLater(campaign)) return 'it ends before it starts';
  if (!site.currencies.includes(campaign.currency)) return 'the site does not take this currency';
  const { gameId } = campaign;
  if (gameId !== null && campaign.kind === 'points') return 'points are of no game';
  if (gameId !== null && !isSoldAt(site, gameId)) return 'the site does not sell this game';
  const before = known.campaigns.get(campaign.campaignId);
  if (before !== undefined && !countsAlike(before, campaign)) {
    return 'site, kind, game, currency and start of a campaign stay as they are';
  }
  return tiersComplaint(campaign);
}

/** Thresholds have to rise with the tier numbers, because players see tiers in that order. */
function tiersComplaint({ tiers, currency }: Campaign): string | null {
  let [number, minor] = [0, 0n];
  for (const { tier, from } of tiers) {
    const fromMinor = readDecimalAmount(from, currency);
    if (fromMinor === undefined) return `${from} is no amount in this currency`;
    if (tier <= number || fromMinor <= minor) return `tier ${tier} is not above the one before it`;
    [number, minor] = [tier, fromMinor];
  }
  return null;
}

function endsLater({ startsAt, endsAt }: { startsAt: string; endsAt: string | null }): boolean {
  return endsAt === null || Date.parse(endsAt) > Date.parse(startsAt);
}

function countsAlike(before: CampaignTerms, after: Campaign): boolean {
  const basis = ({ siteId, kind, gameId, currency, startsAt }: CampaignTerms | Campaign) =>
    JSON.stringify([siteId, kind, gameId, currency, Date.parse(startsAt)]);
  return basis(before) === basis(after);
}
