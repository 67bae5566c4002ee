import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

const CaseRow = z.object({
  id: z.uuid(),
  kind: z.string(),
  subject: z.string(),
  account_id: z.uuid().nullable(),
  payment_id: z.uuid().nullable(),
  details: z.record(z.string(), z.unknown()),
  opened_at: z.date(),
  resolved_at: z.date().nullable(),
  resolved_by: z.string().nullable(),
  resolution: z.string().nullable(),
});
export type CaseRow = z.output<typeof CaseRow>;

/** False if the case exists already, open or resolved. */
export async function insertCase(
  tx: Tx,
  row: {
    id: string;
    kind: string;
    subject: string;
    accountId: string | null;
    paymentId: string | null;
    details: object;
  },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into cases (id, kind, subject, account_id, payment_id, details)
    values (${row.id}, ${row.kind}, ${row.subject}, ${row.accountId}, ${row.paymentId},
            ${JSON.stringify(row.details)})
    on conflict (kind, subject) do nothing`);
  return inserted === 1;
}

/**
 * Reopens a case closed by this name, or by anybody at least so many minutes ago; true if it did.
 */
export async function reopenCase(
  tx: Tx,
  {
    kind,
    subject,
    closedBy,
    againMinutes = null,
  }: { kind: string; subject: string; closedBy: string; againMinutes?: number | null },
): Promise<boolean> {
  const reopened = await tx.run(sql`
    update cases set opened_at = now(), resolved_at = null, resolved_by = null, resolution = null
    where kind = ${kind} and subject = ${subject}
      and (resolved_by = ${closedBy}
           or resolved_at < now() - make_interval(mins => ${againMinutes}::int))`);
  return reopened === 1;
}

export async function updateStateOver(
  tx: Tx,
  over: { kind: string; subject: string; by: string; resolution: string },
): Promise<void> {
  await tx.run(sql`
    update cases set resolved_at = now(), resolved_by = ${over.by}, resolution = ${over.resolution}
    where kind = ${over.kind} and subject = ${over.subject} and resolved_at is null`);
}

/** Closes the cases of a kind whose subjects are not among these. */
export async function updateOver(
  tx: Tx,
  over: { kind: string; subjects: readonly string[]; by: string; resolution: string },
): Promise<void> {
  await tx.run(sql`
    update cases set resolved_at = now(), resolved_by = ${over.by}, resolution = ${over.resolution}
    where kind = ${over.kind} and resolved_at is null
      and subject <> all(${[...over.subjects]}::text[])`);
}

export function selectOpenCases(db: Db, { rowsMax }: { rowsMax: number }): Promise<CaseRow[]> {
  return db.many(
    CaseRow,
    sql`
      select * from cases where resolved_at is null order by opened_at, id limit ${rowsMax}`,
  );
}

export async function selectIsOpen(
  db: Db,
  { kind, subject }: { kind: string; subject: string },
): Promise<boolean> {
  const { is_open } = await db.one(
    z.object({ is_open: z.boolean() }),
    sql`
      select exists (
        select from cases
        where kind = ${kind} and subject = ${subject} and resolved_at is null) as is_open`,
  );
  return is_open;
}

export function selectCase(db: Db | Tx, id: string): Promise<CaseRow | undefined> {
  return db.maybeOne(CaseRow, sql`select * from cases where id = ${id}`);
}

/** False if the case was already resolved. */
export async function updateResolved(
  tx: Tx,
  { id, by, resolution }: { id: string; by: string; resolution: string },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update cases set resolved_at = now(), resolved_by = ${by}, resolution = ${resolution}
    where id = ${id} and resolved_at is null`);
  return updated === 1;
}
