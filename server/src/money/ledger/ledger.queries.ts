import { z } from 'zod';
import { sql, type Tx } from '../../platform/db.ts';
import type { Transfer } from './transfer.ts';

/** False if the posting already exists. */
export async function insertTransfer(tx: Tx, transfer: Transfer): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into ledger_transfers
      (account_id, origin_id, posting, debit_book, credit_book, unit, amount_minor, psp)
    values (${transfer.accountId}, ${transfer.originId}, ${transfer.posting},
            ${transfer.debit}, ${transfer.credit}, ${transfer.money.currency},
            ${transfer.money.amountMinor}, ${transfer.psp ?? null})
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
interface HouseTransfer {
  day: string;
  psp: string;
  lineId: string;
  debit: string;
  credit: string;
  unit: string;
  amountMinor: bigint;
  at: Date;
}

export async function insertHouseTransfers(tx: Tx, rows: readonly HouseTransfer[]): Promise<void> {
  await tx.run(sql`
    insert into house_transfers
      (day, psp, line_id, debit_book, credit_book, unit, amount_minor, at)
    select * from unnest(
      ${rows.map(({ day }) => day)}::date[], ${rows.map(({ psp }) => psp)}::text[],
      ${rows.map(({ lineId }) => lineId)}::text[], ${rows.map(({ debit }) => debit)}::text[],
      ${rows.map(({ credit }) => credit)}::text[], ${rows.map(({ unit }) => unit)}::text[],
      ${rows.map(({ amountMinor }) => amountMinor.toString())}::bigint[],
      ${rows.map(({ at }) => at.toISOString())}::timestamptz[])
    on conflict do nothing`);
}
