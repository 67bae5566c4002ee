import type { PriceLine, PriceList } from '@pointgate/contract/documents/prices.ts';
import { type CurrencyCode, pointsUnit } from '@pointgate/contract/money.ts';
import { priceComplaints } from '../money/routing/price-complaints.ts';
import type { Db, Tx } from '../platform/db.ts';
import { readDecimalAmount } from '../platform/decimal-amount.ts';
import { isSoldAt, type Site } from '../publisher/sites/sites.ts';
import {
  type NewPrice,
  selectGoods,
  selectItems,
  selectPacks,
  selectRules,
  upsertItemPrice,
  upsertPackPrice,
} from './catalogue.queries.ts';
import { toRule } from './catalogue.ts';
import { type PriceRule, type Prices, priceIn } from './prices.ts';

/**
 * Loads a price list and returns the complaints about it; after any complaint the caller has to roll
 * back. It rejects prices that no site could ever charge.
 */
export async function loadPriceList(
  tx: Tx,
  list: PriceList,
  sites: readonly Site[],
): Promise<string[]> {
  const ids = [...new Set(list.map(({ itemId }) => itemId))];
  const goods = new Map((await selectGoods(tx, ids)).map(({ id, game_id }) => [id, game_id]));
  const wrong = list.flatMap((line) =>
    complaintsOf(line, goods, sites).map((why) => `${line.itemId} ${line.currency}: ${why}`),
  );
  if (wrong.length > 0) return [...new Set(wrong)];
  await write(tx, list, goods);
  // Prices that rules derive from these have to be chargeable, too.
  return await soldPriceComplaints(tx, sites, ids);
}

/**
 * The sold prices that no payment method could charge, by item, currency and method; of these items
 * or of all.
 */
export async function soldPriceComplaints(
  db: Db | Tx,
  sites: readonly Site[],
  ids?: readonly string[],
): Promise<string[]> {
  const packs = (await selectPacks(db)).rows.map((pack) => ({ ...pack, game_id: null }));
  const all = [...(await selectItems(db)).rows, ...packs];
  const asked = new Set(ids ?? all.map(({ id }) => id));
  const goods = all.filter(({ id }) => asked.has(id));
  const rules = (await selectRules(db)).rows.map(toRule);
  return chargeComplaints(goods, rules, sites).map(
    ({ itemId, currency, why }) => `${itemId} ${currency}: ${why}`,
  );
}

/** A site as far as its prices depend on it. */
export type SellingSite = Pick<
  Site,
  'siteId' | 'gameIds' | 'currencies' | 'countries' | 'priceCountry' | 'methods'
>;

interface PricedGoods {
  id: string;
  /** Null for an E Point pack. */
  game_id: string | null;
  prices: Prices;
}

/** The prices of these goods that no payment method of a site could charge. */
export function chargeComplaints(
  goods: readonly PricedGoods[],
  rules: readonly PriceRule[],
  sites: readonly SellingSite[],
): { itemId: string; currency: CurrencyCode; why: string }[] {
  const complaintsAt = (site: SellingSite, currency: CurrencyCode) =>
    goods.flatMap(({ id, game_id, prices }) => {
      if (game_id !== null && !isSoldAt(site, game_id)) return [];
      const price = priceIn(prices, rules, { unit: currency, country: site.priceCountry });
      if (price === undefined) return [];
      return priceComplaints(site, price).map((why) => ({ itemId: id, currency, why }));
    });
  return sites.flatMap((site) => site.currencies.flatMap((each) => complaintsAt(site, each)));
}

/** The game of each item; null for an E Point pack. */
type KnownGoods = ReadonlyMap<string, string | null>;

function complaintsOf(line: PriceLine, goods: KnownGoods, sites: readonly Site[]): string[] {
  const gameId = goods.get(line.itemId);
  if (gameId === undefined) return ['there is no such item'];
  const sells = (site: Site) => gameId === null || isSoldAt(site, gameId);
  const takers = sites.filter((site) => sells(site) && isTakenAt(site, line, gameId));
  if (takers.length === 0) return ['no site that sells it takes this'];
  const amountMinor = amountOf(line);
  if (amountMinor === undefined || amountMinor <= 0n) {
    return [`${line.amount} is no price in this currency`];
  }
  const { currency } = line;
  if (currency === pointsUnit) return [];
  return takers.flatMap((site) => priceComplaints(site, { amountMinor, currency }));
}

/** Whether a site takes a price; E Points cannot be bought with E Points. */
export function isTakenAt(
  site: SellingSite,
  { currency, country }: PriceLine,
  gameId: string | null,
): boolean {
  const isSoldThere =
    country === null || site.countries.length === 0 || site.countries.includes(country);
  if (currency === pointsUnit) return gameId !== null && site.methods.includes('epoint');
  return isSoldThere && site.currencies.includes(currency);
}

function amountOf({ amount, currency }: PriceLine): bigint | undefined {
  if (currency !== pointsUnit) return readDecimalAmount(amount, currency);
  return /^\d{1,15}$/.test(amount) ? BigInt(amount) : undefined;
}

async function write(tx: Tx, list: PriceList, goods: KnownGoods): Promise<void> {
  for (const line of list) {
    const amountMinor = amountOf(line);
    if (amountMinor === undefined) throw new Error('the amount has not been validated');
    const { itemId, currency } = line;
    const price: NewPrice = { itemId, currency, country: line.country ?? '*', amountMinor };
    if (goods.get(itemId) === null) await upsertPackPrice(tx, price);
    else await upsertItemPrice(tx, price);
  }
}
