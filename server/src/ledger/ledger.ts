import type { Tx } from '../platform/db.ts';
import { insertTransfer, selectTransfer } from './ledger.queries.ts';
import type { Transfer } from './transfer.ts';

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
