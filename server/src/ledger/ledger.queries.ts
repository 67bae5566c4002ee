import { sql, type Tx } from '../platform/db.ts';
import type { Transfer } from './ledger.ts';

/** The same posting again is the same transfer. */
export async function insertTransfer(tx: Tx, transfer: Transfer): Promise<void> {
  await tx.run(sql`
    insert into ledger_transfers
      (account_id, origin_id, posting, debit_book, credit_book, unit, amount_minor)
    values (${transfer.accountId}, ${transfer.originId}, ${transfer.posting},
            ${transfer.debit}, ${transfer.credit}, ${transfer.money.currency},
            ${transfer.money.amountMinor})
    on conflict (account_id, origin_id, posting) do nothing`);
}
