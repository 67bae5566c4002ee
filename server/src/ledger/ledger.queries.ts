import { z } from 'zod';
import { sql, type Tx } from '../platform/db.ts';
import type { Transfer } from './transfer.ts';

/** False when this posting is there already. */
export async function insertTransfer(tx: Tx, transfer: Transfer): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into ledger_transfers
      (account_id, origin_id, posting, debit_book, credit_book, unit, amount_minor)
    values (${transfer.accountId}, ${transfer.originId}, ${transfer.posting},
            ${transfer.debit}, ${transfer.credit}, ${transfer.money.currency},
            ${transfer.money.amountMinor})
    on conflict (account_id, origin_id, posting) do nothing`);
  return inserted === 1;
}

const TransferRow = z.object({
  debit_book: z.string(),
  credit_book: z.string(),
  unit: z.string(),
  amount_minor: z.bigint(),
});

export function selectTransfer(tx: Tx, { accountId, originId, posting }: Transfer) {
  return tx.one(
    TransferRow,
    sql`
      select debit_book, credit_book, unit, amount_minor from ledger_transfers
      where account_id = ${accountId} and origin_id = ${originId} and posting = ${posting}`,
  );
}
