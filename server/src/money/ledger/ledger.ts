import type { Tx } from '../../platform/db.ts';
import { insertHouseTransfers, insertTransfer, selectTransfer } from './ledger.queries.ts';
import type { Transfer } from './transfer.ts';

/**
 * A line of a provider's file that moves its balance and is of no player: what it took, what it sent to the
 * bank. Signed: what left the provider is negative.
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
 * The book on the other side of `house:psp`. `house:fees` and `house:chargeback_fees` are what providers took,
 * `house:bank` is what they paid out and did not get back, `house:exchange` what was changed from one
 * currency into another, and `house:adjustments` all that nobody here knows a reason for.
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

/** The same transfer again changes nothing. Another one under the same name is stopped. */
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
 * Posts what a provider's file says of its balance, with `house:psp` on one side. A line that is posted stays
 * as it is: a file that is read again says the same.
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
