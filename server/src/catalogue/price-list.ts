import { Currency, pointsUnit } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Db, Tx } from '../platform/db.ts';
import { readDecimalAmount } from '../psp/decimal-amount.ts';
import { isSoldAt, type Site, type Sites } from '../sites/sites.ts';
import {
  type NewPrice,
  selectGoods,
  upsertItemPrice,
  upsertPackPrice,
} from './catalogue.queries.ts';

/** What an operator writes: amounts as they are read aloud, `4.99` and `600`. */
export const PriceList = z
  .array(
    z.strictObject({
      itemId: z.string(),
      currency: z.enum([...Object.values(Currency.def.entries), pointsUnit]),
      /** Any, where it says nothing. */
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .nullable()
        .default(null),
      amount: z.string(),
    }),
  )
  .min(1)
  .max(100_000);
export type PriceList = z.output<typeof PriceList>;

/**
 * Takes a price list whole, or not at all and says what is wrong with each line: a price that no site
 * could ever charge is found here, not by a player.
 */
export async function loadPriceList(
  { db, sites }: { db: Db; sites: Sites },
  list: PriceList,
): Promise<{ complaints: string[] }> {
  const allSites = await sites.all();
  return await db.transaction(async (tx) => {
    const goods = new Map(
      (
        await selectGoods(
          tx,
          list.map(({ itemId }) => itemId),
        )
      ).map(({ id, game_id }) => [id, game_id]),
    );
    const complaints = list.flatMap((line) => {
      const complaint = complaintOf(line, goods, allSites);
      return complaint === null ? [] : [`${line.itemId} ${line.currency}: ${complaint}`];
    });
    if (complaints.length === 0) await write(tx, list, goods);
    return { complaints };
  });
}

type Line = PriceList[number];
/** The game of each item; a pack of points has none. */
type KnownGoods = ReadonlyMap<string, string | null>;

function complaintOf(line: Line, goods: KnownGoods, sites: readonly Site[]): string | null {
  const gameId = goods.get(line.itemId);
  if (gameId === undefined) return 'there is no such item';
  const sells = (site: Site) => gameId === null || isSoldAt(site, gameId);
  if (!sites.some((site) => sells(site) && takes(site, line, gameId))) {
    return 'no site that sells it takes this';
  }
  const amountMinor = amountOf(line);
  const isPrice = amountMinor !== undefined && amountMinor > 0n;
  return isPrice ? null : `${line.amount} is no price in this currency`;
}

/** Points are never bought with points. */
function takes(site: Site, { currency, country }: Line, gameId: string | null): boolean {
  const isSoldThere =
    country === null || site.countries.length === 0 || site.countries.includes(country);
  if (currency === pointsUnit) return gameId !== null && site.methods.includes('epoint');
  return isSoldThere && site.currencies.includes(currency);
}

function amountOf({ amount, currency }: Line): bigint | undefined {
  if (currency !== pointsUnit) return readDecimalAmount(amount, currency);
  return /^\d{1,15}$/.test(amount) ? BigInt(amount) : undefined;
}

async function write(tx: Tx, list: PriceList, goods: KnownGoods): Promise<void> {
  for (const line of list) {
    const amountMinor = amountOf(line);
    if (amountMinor === undefined) throw new Error('an amount that was not checked');
    const { itemId, currency } = line;
    const price: NewPrice = { itemId, currency, country: line.country ?? '*', amountMinor };
    if (goods.get(itemId) === null) await upsertPackPrice(tx, price);
    else await upsertItemPrice(tx, price);
  }
}
