import type { Tx } from '../../platform/db.ts';
import { insertHouseTransfers, insertTransfer, selectTransfer } from './ledger.queries.ts';
import type { Transfer } from './transfer.ts';

/**
 * A line of a settlement file that changes the balance and belongs to no player, such as a fee or a
 * payout. Amounts are signed: money that leaves the provider is negative.
 */
export interface HouseLine {
  day: string;
  psp: string;
  lineId: string;
  kind: HouseKind;
  currency: string;
  amountMinor: bigint;
  at: Date;
}

/**
 * The book opposite `house:psp`. `house:fees` and `house:chargeback_fees` hold the fees of
 * providers, `house:bank` payouts that were not returned, `house:exchange` currency conversions,
 * and `house:adjustments` lines of an unknown kind.
 */
const houseBooks = {
  fee: 'house:fees',
  dispute_fee: 'house:chargeback_fees',
  payout: 'house:bank',
  exchange: 'house:exchange',
  adjustment: 'house:adjustments',
} as const;
export type HouseKind = keyof typeof houseBooks;

export const houseKinds: readonly string[] = Object.keys(houseBooks);

export function isHouseKind(kind: string): kind is HouseKind {
  return Object.hasOwn(houseBooks, kind);
}

/** Idempotent. A different transfer under the same posting throws. */
export async function postTransfer(tx: Tx, transfer: Transfer): Promise<void> {
  const isNew = await insertTransfer(tx, transfer);
  if (isNew) return;
  const { debit, credit, money } = transfer;
  const posted = await selectTransfer(tx, transfer);
  const isSame =
    posted.debit_book === debit &&
    posted.credit_book === credit &&
    posted.unit === money.currency &&
    posted.amount_minor === money.amountMinor;
  if (!isSame) throw new Error(`${transfer.posting} is posted differently`);
}

/**
 * Posts lines of a settlement file, with `house:psp` on one side. A posted line is never changed,
 * because a file that is read again has the same contents.
 */
export async function postHouseLines(tx: Tx, lines: readonly HouseLine[]): Promise<void> {
  const transfers = lines.map(({ kind, amountMinor, currency, ...line }) => {
    const hasLeft = amountMinor < 0n;
    return {
      ...line,
      debit: hasLeft ? houseBooks[kind] : 'house:psp',
      credit: hasLeft ? 'house:psp' : houseBooks[kind],
      unit: currency,
      amountMinor: hasLeft ? -amountMinor : amountMinor,
    };
  });
  if (transfers.length > 0) await insertHouseTransfers(tx, transfers);
}
