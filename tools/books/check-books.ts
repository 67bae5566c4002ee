import { auditDatabase, auditTables, type Outside } from '../../auditor/src/audit-database.ts';
import type { Query } from '../../auditor/src/database.ts';
import type { Findings } from '../../auditor/src/findings.ts';
import { isWithin } from '../../auditor/src/ranges.ts';
import type { Finding } from '../../auditor/src/report.ts';
import { slicesOf } from '../../auditor/src/slices.ts';
import { compareAccounts } from './accounts.ts';
import { compareAcknowledgements, compareEvents } from './acknowledgements.ts';
import type { Compared } from './compared.ts';
import { compareGrants, compareRevocations } from './game.ts';
import { providersIn, type SandboxAddresses } from './outside.ts';
import { compareCaptures, compareDisputes, compareRefunds } from './provider.ts';

export interface BooksAddresses {
  databaseUrl: string;
  /** An existing database connection. */
  query?: Query;
  sandbox: SandboxAddresses;
}

/**
 * Audits the shop's tables and compares them with the sandbox services, and with a file of recorded
 * acknowledgements if there is one.
 */
export async function checkBooks(
  { databaseUrl, query: ownQuery, sandbox }: BooksAddresses,
  nowMs: number = Date.now(),
  acknowledgedFile?: string,
): Promise<Finding[]> {
  const providers = providersIn(sandbox);
  const counterparts = { game: sandbox.game, providers, nowMs };
  const record = async (findings: Findings, id: string, compared: Promise<Compared>) => {
    const { checked, violations } = await compared;
    findings.count(id, checked);
    findings.add(violations.map((text) => ({ id, text })));
  };
  const outside: Outside = {
    compareRange: async ({ query, findings }, range, orders) => {
      for (const slice of await slicesOf(query, range)) {
        const own = orders.filter(({ paymentId }) => isWithin(paymentId, slice));
        await Promise.all([
          record(findings, 'I3', compareCaptures(query, slice, counterparts)),
          record(findings, 'I3', compareAccounts(query, slice, counterparts)),
          record(findings, 'I3', compareRefunds(own, slice, counterparts)),
          record(findings, 'I3', compareDisputes(own, slice, counterparts)),
          record(findings, 'I6', compareGrants(query, slice, counterparts)),
          record(findings, 'I6', compareRevocations(own, slice, counterparts)),
        ]);
      }
    },
    compareRest: async ({ query, findings }) => {
      for (const provider of providers) {
        await record(findings, 'I9', compareEvents(query, provider));
      }
      if (acknowledgedFile !== undefined) {
        await record(findings, 'I9', compareAcknowledgements(query, acknowledgedFile));
      }
    },
  };
  const { findings } =
    ownQuery === undefined
      ? await auditDatabase({ databaseUrl, outside })
      : await auditTables(ownQuery, { outside });
  return findings;
}
