import { compareEvents, compareTold } from './acknowledged.ts';
import { claims, rowsIn } from './claims.ts';
import { compareGrants, compareRevocations } from './game.ts';
import type { Violation } from './invariant.ts';
import type { World } from './outside.ts';
import { type Compared, compareCaptures, compareDisputes, compareRefunds } from './provider.ts';
import type { Finding } from './report.ts';
import {
  checkOrders,
  checkSettlement,
  checkSpending,
  checkWallets,
  checkWork,
} from './shop-invariants.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';

export interface BooksAddresses {
  databaseUrl: string;
  sandbox: World;
}

/**
 * Holds the shop's tables against each other and against what the outside world remembers; and, if
 * there is a file of what callers were told for certain, against that.
 */
export async function checkBooks(
  { databaseUrl, sandbox }: BooksAddresses,
  nowMs: number = Date.now(),
  acknowledgedFile?: string,
): Promise<Finding[]> {
  const snapshot = await openSnapshot(databaseUrl);
  try {
    const parts = await Promise.all([
      checkOutcomes(snapshot, sandbox, nowMs),
      only(checkWallets(snapshot)),
      outside('I6', compareGrants(snapshot, { ...sandbox, nowMs })),
      outside('I3', compareCaptures(snapshot, { ...sandbox, nowMs })),
      only(checkSettlement(snapshot)),
      only(checkWork(snapshot)),
      outside('I9', compareEvents(snapshot, sandbox.stripe)),
      ...(acknowledgedFile === undefined
        ? []
        : [outside('I9', compareTold(snapshot, acknowledgedFile))]),
    ]);
    return await findingsOf(snapshot, parts.flat());
  } finally {
    await snapshot.close();
  }
}

/** What is wrong with an invariant, and how much was looked at outside. */
interface Part {
  violations: Violation[];
  id: string;
  checked: number;
}

/** What became of orders has to be known before it is held against the world. */
async function checkOutcomes(snapshot: Snapshot, world: World, nowMs: number): Promise<Part[]> {
  const { violations, abroad } = await checkOrders(snapshot);
  const found = await Promise.all([
    only(checkSpending(snapshot, abroad)),
    outside('I3', compareRefunds(abroad, { ...world, nowMs })),
    outside('I3', compareDisputes(abroad, { ...world, nowMs })),
    outside('I6', compareRevocations(abroad, { ...world, nowMs })),
  ]);
  return [{ violations, id: '', checked: 0 }, ...found];
}

async function only(found: Promise<Violation[]>): Promise<Part> {
  return { violations: await found, id: '', checked: 0 };
}

async function outside(id: string, compared: Promise<Compared>): Promise<Part> {
  const { checked, violations } = await compared;
  return { id, checked, violations: violations.map((text) => ({ id, text })) };
}

async function findingsOf(snapshot: Snapshot, parts: readonly Part[]): Promise<Finding[]> {
  const violations = Map.groupBy(
    parts.flatMap((part) => part.violations),
    ({ id }) => id,
  );
  return await Promise.all(
    claims.map(async ({ id, claim, tables }) => {
      const own = parts.filter((part) => part.id === id);
      return {
        id,
        claim,
        checked:
          tables.length > 0
            ? await rowsIn(snapshot, tables)
            : own.reduce((sum, { checked }) => sum + checked, 0),
        violations: (violations.get(id) ?? []).map(({ text }) => text),
      };
    }),
  );
}
