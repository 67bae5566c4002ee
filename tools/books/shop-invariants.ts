import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { areDrawsAsHashed } from './draws.ts';
import type { FrozenTimes } from './frozen.ts';
import { type Purposes, readPurposes } from './gifts.ts';
import { patience, type Violation } from './invariant.ts';
import { judgeSpends } from './judge-spends.ts';
import { judgeWallet } from './judge-wallet.ts';
import { compareLegs } from './legs.ts';
import { compareLinks } from './links.ts';
import { differences, ourTotal, theirTotal, unlikePiles } from './settlement-invariants.ts';
import type { Snapshot } from './snapshot.ts';
import type { Tables } from './tables.ts';
import { readWallets, type WalletPapers } from './wallets.ts';

// Written against the tables alone and not against the server's code: whoever audits the books must
// not share the bookkeeper's mistakes.

/** I1, I2, I12 and I13 of points. */
export async function checkWallets(
  { snapshot, totals }: Tables,
  frozen: Promise<FrozenTimes>,
): Promise<Violation[]> {
  const around = { frozen, purposes: readPurposes(snapshot) };
  const [apart, unlinked, areAsHashed, judged] = await Promise.all([
    compareLegs(snapshot, totals),
    compareLinks({ snapshot, totals }),
    areDrawsAsHashed(totals),
    judgeWallets(readWallets(snapshot, 'lines'), around),
  ]);
  const wrong = areAsHashed ? judged : await judgeWallets(readWallets(snapshot, 'rows'), around);
  return [
    ...apart.map((text) => ({ id: 'I1', text })),
    ...unlinked.map((text) => ({ id: 'I12', text })),
    ...wrong,
  ];
}

const walletsAtOnce = 200;

async function judgeWallets(
  reading: Promise<Iterable<WalletPapers>>,
  around: { frozen: Promise<FrozenTimes>; purposes: Promise<Purposes> },
): Promise<Violation[]> {
  const [wallets, frozen, purposes] = await Promise.all([reading, around.frozen, around.purposes]);
  const violations: Violation[] = [];
  let judged = 0;
  for (const papers of wallets) {
    const spends = judgeSpends(papers, { frozen, purposes }).map((text) => ({ id: 'I13', text }));
    violations.push(...judgeWallet(papers), ...spends);
    judged += 1;
    // So that PostgreSQL is not left waiting for its next question.
    if (judged % walletsAtOnce === 0) await setImmediate();
  }
  return violations;
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

export async function checkWork({ snapshot }: Tables): Promise<Violation[]> {
  const queries = [forgottenEvents, forgottenJobs, forgottenAttempts];
  return (await Promise.all(queries.map((query) => told(snapshot, 'I11', query)))).flat();
}

export async function checkSettlement({ snapshot, totals }: Tables): Promise<Violation[]> {
  const seed = randomInt(2 ** 40);
  const [theirs, ours] = await Promise.all([
    totals.of('settlement_lines', theirTotal(seed)),
    totals.of('ledger_transfers', ourTotal(seed)),
  ]);
  if (theirs === ours) return [];
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
