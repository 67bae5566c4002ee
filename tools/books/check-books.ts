import { auditDatabase } from '../../auditor/src/audit-database.ts';
import type { Abroad } from '../../auditor/src/court.ts';
import { openDatabase } from '../../auditor/src/database.ts';
import { type IdRange, isWithin } from '../../auditor/src/ranges.ts';
import type { Finding } from '../../auditor/src/report.ts';
import { compareAccounts } from './accounts.ts';
import { compareEvents, compareTold } from './acknowledged.ts';
import { compareGrants, compareRevocations } from './game.ts';
import { providersIn, type World } from './outside.ts';
import { type Compared, compareCaptures, compareDisputes, compareRefunds } from './provider.ts';
import { slicesOf } from './slices.ts';

export interface BooksAddresses {
  databaseUrl: string;
  sandbox: World;
}

/**
 * Has the shop's tables audited and holds them against what the outside world remembers; and, if there is
 * a file of what callers were told for certain, against that.
 */
export async function checkBooks(
  { databaseUrl, sandbox }: BooksAddresses,
  nowMs: number = Date.now(),
  acknowledgedFile?: string,
): Promise<Finding[]> {
  const { query, close } = await openDatabase(databaseUrl);
  try {
    const providers = providersIn(sandbox);
    const world = { game: sandbox.game, providers, nowMs };
    const outside: Part[] = [];
    const compare = async (id: string, compared: Promise<Compared>) => {
      outside.push({ id, ...(await compared) });
    };
    const compareRange = async (range: IdRange, orders: readonly Abroad[]) => {
      for (const slice of await slicesOf(query, range)) {
        const own = orders.filter(({ paymentId }) => isWithin(paymentId, slice));
        await Promise.all([
          compare('I3', compareCaptures(query, slice, world)),
          compare('I3', compareAccounts(query, slice, world)),
          compare('I3', compareRefunds(own, slice, world)),
          compare('I3', compareDisputes(own, slice, world)),
          compare('I6', compareGrants(query, slice, world)),
          compare('I6', compareRevocations(own, slice, world)),
        ]);
      }
    };
    const { findings } = await auditDatabase({ databaseUrl, onRange: compareRange });
    for (const provider of providers) await compare('I9', compareEvents(query, provider));
    if (acknowledgedFile !== undefined) await compare('I9', compareTold(query, acknowledgedFile));
    return findings.map((finding) => withPart(finding, outside));
  } finally {
    await close();
  }
}

/** What was compared outside for an invariant. */
type Part = Compared & { id: string };

function withPart(finding: Finding, parts: readonly Part[]): Finding {
  const own = parts.filter(({ id }) => id === finding.id);
  const violations = own.flatMap((part) => part.violations);
  return {
    ...finding,
    checked: own.reduce((sum, { checked }) => sum + checked, finding.checked),
    broken: finding.broken + violations.length,
    violations: [...finding.violations, ...violations],
  };
}
