import { openCase } from '../cases/cases.ts';
import type { Db } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { type Progress, runAuditor } from './auditor.ts';
import { type AuditRow, insertAudit, selectAudits } from './audits.queries.ts';

interface AuditAsked {
  /** What is audited: the shop itself, or a replica of it. */
  databaseUrl: string;
  /** As in `2026-10`; null is everything. */
  months: readonly string[] | null;
  by: string;
}

interface Audited {
  auditId: string;
  verdict: AuditRow['verdict'];
  /** For a person to read. */
  report: string;
}

/** So many violations of each invariant are kept. */
const violationsKeptMax = 100;

/** Audits a database and keeps the result in the shop's own. What is not in order is a case. */
export async function auditDatabase(
  db: Db,
  { databaseUrl, months, by }: AuditAsked,
  onProgress: (progress: Progress) => void,
): Promise<Audited> {
  const begun = new Date();
  const end = await runAuditor({ databaseUrl, months }, onProgress);
  const row: AuditRow = {
    ...{ audit_id: newId(), audited_by: by, database: nameOf(databaseUrl), begun_at: begun },
    ended_at: new Date(),
    ...('failure' in end
      ? { verdict: 'unreadable', failure: end.failure, months: [], findings: [] }
      : {
          verdict: end.audit.isGreen ? 'in_order' : 'not_in_order',
          failure: null,
          months: end.audit.months,
          findings: end.audit.findings.map(({ violations, ...finding }) => ({
            ...finding,
            violations: violations.slice(0, violationsKeptMax),
          })),
        }),
  };
  await db.transaction(async (tx) => {
    await insertAudit(tx, row);
    if (row.verdict !== 'not_in_order') return;
    const details = { database: row.database, broken: brokenOf(row) };
    await openCase(tx, { kind: 'audit', subject: row.audit_id, order: null, details });
  });
  const report = 'failure' in end ? `Could not be read: ${end.failure}` : end.audit.report;
  return { auditId: row.audit_id, verdict: row.verdict, report };
}

const auditsShownMax = 50;

/** The last ones, newest first, with what was broken. */
export async function listAudits(db: Db) {
  const audits = await selectAudits(db, { rowsMax: auditsShownMax });
  return audits.map((audit) => ({
    auditId: audit.audit_id,
    verdict: audit.verdict,
    begunAt: audit.begun_at.toISOString(),
    seconds: Math.round((audit.ended_at.getTime() - audit.begun_at.getTime()) / 1000),
    by: audit.audited_by,
    database: audit.database,
    failure: audit.failure,
    orders: audit.months.reduce((sum, { orders }) => sum + orders, 0),
    months: audit.months.map(({ month, state }) => `${month} ${state}`),
    checked: Object.fromEntries(audit.findings.map(({ id, checked }) => [id, checked])),
    broken: brokenOf(audit),
  }));
}

/** Of each broken invariant, how often and what first. */
function brokenOf({ findings }: Pick<AuditRow, 'findings'>) {
  return findings
    .filter(({ broken }) => broken > 0)
    .map(({ id, broken, violations }) => ({ id, broken, violations }));
}

/** Without user and password. */
function nameOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
