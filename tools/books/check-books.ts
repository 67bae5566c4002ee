import { compareAccounts } from './accounts.ts';
import { compareEvents, compareTold } from './acknowledged.ts';
import { claims, rowsIn } from './claims.ts';
import { checkCoupons } from './coupons-invariants.ts';
import { frozenTimes } from './frozen.ts';
import { compareGrants, compareRevocations } from './game.ts';
import { checkGifts } from './gifts.ts';
import type { Violation } from './invariant.ts';
import { checkOrders } from './orders.ts';
import { providersIn, type World } from './outside.ts';
import { type Compared, compareCaptures, compareDisputes, compareRefunds } from './provider.ts';
import type { Finding } from './report.ts';
import { checkRules } from './rules.ts';
import { checkSettlement, checkWallets, checkWork } from './shop-invariants.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { readMonths } from './suspects.ts';
import { openTotals } from './totals.ts';

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
    const totals = openTotals(snapshot);
    const tables = { snapshot, totals };
    const providers = providersIn(sandbox);
    const world = { game: sandbox.game, providers, nowMs };
    const orders = checkOrders(tables, await readMonths(snapshot));
    const frozen = orders.unplain.then((disputed) => frozenTimes(snapshot, disputed));
    const parts = Promise.all([
      only(orders.violations),
      only(checkWallets(tables, frozen)),
      only(checkGifts(tables)),
      only(checkCoupons(tables)),
      outside('I3', compareCaptures(tables, world)),
      outside('I3', compareAccounts(snapshot, world)),
      outside(
        'I3',
        orders.abroad((told) => compareRefunds(told, world)),
      ),
      outside(
        'I3',
        orders.abroad((told) => compareDisputes(told, world)),
      ),
      outside('I6', compareGrants(tables, world)),
      outside(
        'I6',
        orders.abroad((told) => compareRevocations(told, world)),
      ),
      only(checkSettlement(tables)),
      only(checkWork(tables)),
      only(checkRules(snapshot)),
      ...providers.map((provider) => outside('I9', compareEvents(snapshot, provider))),
      ...(acknowledgedFile === undefined
        ? []
        : [outside('I9', compareTold(snapshot, acknowledgedFile))]),
    ]);
    totals.readFirst('orders');
    totals.readOthers();
    return await findingsOf(snapshot, await parts);
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
