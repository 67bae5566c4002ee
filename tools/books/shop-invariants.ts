import { randomInt } from 'node:crypto';
import { type Abroad, openCourt } from './court.ts';
import { frozenTimes } from './frozen.ts';
import { patience, type Violation } from './invariant.ts';
import { differences, unlikePiles } from './settlement-invariants.ts';
import type { Snapshot } from './snapshot.ts';
import {
  leftBehind,
  strangeLots,
  wrongDraws,
  wrongGiveBacks,
  wrongLotStates,
} from './spend-invariants.ts';
import { findSuspects } from './suspects.ts';
import {
  brokenChains,
  movedApart,
  wrongBalances,
  wrongLots,
  wrongWallets,
} from './wallet-invariants.ts';

// Written against the tables alone and not against the server's code: whoever audits the books must
// not share the bookkeeper's mistakes.

/** I1, I2, I4, I5, I7, I8 and I10, and what orders have to do with the world. */
export async function checkOrders(
  snapshot: Snapshot,
): Promise<{ violations: Violation[]; abroad: Abroad[] }> {
  const violations: Violation[] = [];
  const abroad: Abroad[] = [];
  const court = openCourt();
  await findSuspects(snapshot, (suspects) => {
    for (const suspect of suspects) {
      const verdict = court.judge(suspect);
      violations.push(...verdict.violations);
      if (verdict.abroad !== undefined) abroad.push(verdict.abroad);
    }
  });
  return { violations, abroad };
}

/** I1, I2 and I12 of points. */
export async function checkWallets(snapshot: Snapshot): Promise<Violation[]> {
  const found = await Promise.all([
    told(snapshot, 'I1', movedApart),
    told(snapshot, 'I2', wrongWallets),
    told(snapshot, 'I2', wrongLots),
    told(snapshot, 'I2', wrongBalances),
    told(snapshot, 'I12', brokenChains),
  ]);
  return found.flat();
}

export async function checkSpending(
  snapshot: Snapshot,
  orders: readonly Abroad[],
): Promise<Violation[]> {
  const times = await frozenTimes(snapshot, orders);
  const found = await Promise.all([
    told(snapshot, 'I13', wrongDraws, times),
    told(snapshot, 'I13', leftBehind, times),
    told(snapshot, 'I13', wrongLotStates, times),
    told(snapshot, 'I13', wrongGiveBacks),
    told(snapshot, 'I13', strangeLots),
  ]);
  return found.flat();
}

const forgottenEvents = `
  select format('event %s of %s is not processed', event_id, psp)
  from provider_inbox where processed_at is null and received_at < now() - ${patience}`;

const forgottenJobs = `
  select format('job %s of %s is %s', id, name, state) from pgboss.job
  where (state < 'active' and start_after < now() - ${patience})
     or (state = 'active' and started_on < now() - ${patience})
     or (state = 'failed')`;

const forgottenAttempts = `
  select format('attempt %s of order %s is not asked about', attempt_id, payment_id)
  from payment_attempts
  where state in ('opening', 'open') and next_check_at < now() - ${patience}`;

export async function checkWork(snapshot: Snapshot): Promise<Violation[]> {
  const queries = [forgottenEvents, forgottenJobs, forgottenAttempts];
  return (await Promise.all(queries.map((query) => told(snapshot, 'I11', query)))).flat();
}

export async function checkSettlement(snapshot: Snapshot): Promise<Violation[]> {
  const seed = randomInt(2 ** 40);
  const piles = (await snapshot.query(unlikePiles(seed))).map(([pile]) => pile);
  return piles.length === 0 ? [] : await told(snapshot, 'I14', differences(seed), [piles]);
}

async function told(
  snapshot: Snapshot,
  id: string,
  query: string,
  values: readonly unknown[] = [],
): Promise<Violation[]> {
  const rows = await snapshot.query(query, values);
  return rows.map(([text = '']) => ({ id, text }));
}
