import { openCase } from '../../money/cases/cases.ts';
import { type Db, isUnreachable } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { type Progress, type Question, runAuditor } from './auditor.ts';
import { type AuditRow, insertAudit, selectAudits } from './audits.queries.ts';

/** A request to audit the shop's database or a replica of it. */
export interface AuditAsked extends Question {
  by: string;
}

interface Audited {
  /** Null if the result could not be stored because the shop's database was down. */
  auditId: string | null;
  /** `not_asked`: no violation, but a game or provider did not answer. Stored as unreadable. */
  verdict: AuditRow['verdict'] | 'not_asked';
  /** The report as readable text. */
  report: string;
}

/** The number of violations that are stored per invariant. */
const violationsKeptMax = 100;

/** Audits a database and stores the result in the shop's own. Violations open a case. */
export async function auditDatabase(
  db: Db,
  { by, ...question }: AuditAsked,
  onProgress: (progress: Progress) => void,
): Promise<Audited> {
  const begun = new Date();
  const end = await runAuditor(question, onProgress);
  const verdict = verdictOf(end);
  const row: AuditRow = {
    audit_id: newId(),
    audited_by: by,
    database: nameOf(question.databaseUrl),
    begun_at: begun,
    ended_at: new Date(),
    verdict: verdict === 'not_asked' ? 'unreadable' : verdict,
    ...('failure' in end
      ? { failure: end.failure, months: [], findings: [] }
      : {
          failure: verdict === 'not_asked' ? 'not everybody could be asked' : null,
          months: end.audit.months,
          findings: end.audit.findings.map(({ violations, ...finding }) => ({
            ...finding,
            violations: violations.slice(0, violationsKeptMax),
          })),
        }),
  };
  const report = 'failure' in end ? `Could not be read: ${end.failure}` : end.audit.report;
  const isKept = await keepAudit(db, row, verdict);
  return { auditId: isKept ? row.audit_id : null, verdict, report };
}

/** False if the database is down; the result of the long audit is still returned to the caller. */
async function keepAudit(db: Db, row: AuditRow, verdict: Audited['verdict']): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await insertAudit(tx, row);
      if (verdict === 'in_order' || verdict === 'unreadable') return;
      const wrong = { broken: brokenOf(row), notAsked: notAskedOf(row) };
      const details = { database: row.database, ...wrong };
      await openCase(tx, { kind: 'audit', subject: row.audit_id, order: null, details });
    });
    return true;
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    return false;
  }
}

/** A violation outweighs a game or provider that could not be asked. */
function verdictOf(end: Awaited<ReturnType<typeof runAuditor>>): Audited['verdict'] {
  if ('failure' in end) return 'unreadable';
  if (end.audit.isGreen) return 'in_order';
  return end.audit.findings.some(({ broken }) => broken > 0) ? 'not_in_order' : 'not_asked';
}

const auditsShownMax = 50;

/** The latest audits with their violations, newest first. */
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
    notAsked: notAskedOf(audit),
  }));
}

/** The number and the first examples of violations of each broken invariant. */
function brokenOf({ findings }: Pick<AuditRow, 'findings'>) {
  return findings
    .filter(({ broken }) => broken > 0)
    .map(({ id, broken, violations }) => ({ id, broken, violations }));
}

/** The games and providers that could not be asked, with the reasons. */
function notAskedOf({ findings }: Pick<AuditRow, 'findings'>) {
  return findings.flatMap(({ notAsked }) => notAsked);
}

/** The address of a database without user and password. */
function nameOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
