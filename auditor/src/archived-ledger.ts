import type { Query } from './database.ts';
import type { Violation } from './invariant.ts';
import { type IdRange, idsIn } from './ranges.ts';

// I1 for an archived month: archiving records the number of transfers and their digest, without
// point movements. Those continue after archiving, because points expire later, and are checked by
// their statement.

const isOfWallet = (book: string) => `${book} in ('player:basic', 'player:present')`;
const isKept = `not (${isOfWallet('debit_book')} or ${isOfWallet('credit_book')})`;

/** The same digest as archiving computes; independent of the row order. */
const digest = `
  coalesce(sum(('x' || left(md5(row(account_id, origin_id, posting, debit_book, credit_book, unit,
    amount_minor, created_at)::text), 16))::bit(64)::bigint::numeric), 0)::text`;

export async function checkArchivedLedger(query: Query, range: IdRange): Promise<Violation[]> {
  const ids = idsIn('origin_id', range);
  const [archive] = await query(
    `select ledger_rows, ledger_digest, archived_at, rows, digest
     from archives, lateral (
       select count(*) as rows, ${digest} as digest from ledger_transfers where ${isKept} and ${ids}
     ) as ledger
     where to_char(month, 'YYYY-MM') = $1 and state = 'archived'`,
    [range.month],
  );
  const [had, hadDigest, archivedAt, has, hasDigest] = archive ?? [];
  if (had === has && hadDigest === hasDigest) return [];
  const late = await query(
    `select format('transfer %s of %s came after ${range.month} was archived', posting, origin_id)
     from ledger_transfers where ${isKept} and ${ids} and created_at > $1::timestamptz limit 1000`,
    [archivedAt],
  );
  const text =
    `the ledger of ${range.month} has ${has} transfers besides those of points, ` +
    `and is not what it was when the month was archived: ${had === '' ? 'nobody knows how many' : had}`;
  return [text, ...late.map(([line = '']) => line)].map((found) => ({ id: 'I1', text: found }));
}
