import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { Finding, Month } from './auditor.ts';

const AuditRow = z.object({
  audit_id: z.uuid(),
  audited_by: z.string(),
  database: z.string(),
  begun_at: z.date(),
  ended_at: z.date(),
  verdict: z.enum(['in_order', 'not_in_order', 'unreadable']),
  failure: z.string().nullable(),
  months: z.array(Month),
  findings: z.array(Finding),
});
export type AuditRow = z.output<typeof AuditRow>;

export async function insertAudit(tx: Tx, audit: AuditRow): Promise<void> {
  await tx.run(sql`
    insert into audits
      (audit_id, audited_by, database, begun_at, ended_at, verdict, failure, months, findings)
    values (${audit.audit_id}, ${audit.audited_by}, ${audit.database}, ${audit.begun_at},
            ${audit.ended_at}, ${audit.verdict}, ${audit.failure}, ${JSON.stringify(audit.months)}::jsonb,
            ${JSON.stringify(audit.findings)}::jsonb)`);
}

/** The latest audits, newest first. */
export function selectAudits(db: Db, { rowsMax }: { rowsMax: number }): Promise<AuditRow[]> {
  return db.many(
    AuditRow,
    sql`
      select audit_id, audited_by, database, begun_at, ended_at, verdict, failure, months, findings
      from audits order by begun_at desc limit ${rowsMax}`,
  );
}
