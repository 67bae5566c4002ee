import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { givePoints, keepGiven, type PointGift } from '../../src/money/points/given.ts';
import {
  giveBackPoints,
  grantTopUp,
  keepOfTopUp,
  setTopUpFrozen,
  spendPoints,
  walletOf,
} from '../../src/money/points/points.ts';
import { type Db, sql } from '../../src/platform/db.ts';
import { newId } from '../../src/platform/ids.ts';
import { log } from '../../src/platform/log.ts';
import { cloneDatabase } from '../database.ts';
import { givenAccount } from '../orders.ts';

const dayMs = 24 * 60 * 60_000;

export async function openPointsDb({ connectionsMax = 5 } = {}) {
  log.level = 'silent';
  const database = await cloneDatabase();
  const db = database.open(connectionsMax);
  const close = async () => {
    await db.close();
    await database.drop();
  };
  return { db, close };
}

type Grant = { basic?: bigint; present?: bigint; days?: number | null; originId?: string };

/** One player's wallet, each call in a transaction of its own. */
export async function givenWallet(db: Db) {
  const accountId = await givenAccount(db);
  const topUp = async ({ basic = 0n, present = 0n, days = null, originId }: Grant) => {
    const key = { accountId, originId: originId ?? newId() };
    const presentExpiresAt = days === null ? null : new Date(Date.now() + days * dayMs);
    await db.transaction((tx) => grantTopUp(tx, { ...key, basic, present, presentExpiresAt }));
    return key.originId;
  };
  return {
    accountId,
    topUp,
    keep: (originId: string, basic: bigint, present: bigint, posting: string = randomUUID()) =>
      db.transaction((tx) => keepOfTopUp(tx, { accountId, originId, posting, basic, present })),
    give: async ({ originId = newId(), ...given }: Partial<PointGift>) => {
      const gift = { reason: 'rebate' as const, points: 10n, days: null, ...given }; // as: not string
      await db.transaction((tx) => givePoints(tx, { ...gift, accountId, originId }));
      return originId;
    },
    keepGiven: (originId: string, points: bigint, posting: string = randomUUID()) =>
      db.transaction((tx) => keepGiven(tx, { accountId, originId, posting, points })),
    freeze: (originId: string, isFrozen = true) =>
      db.transaction((tx) => setTopUpFrozen(tx, { accountId, originId, isFrozen })),
    spend: async (
      points: bigint,
      {
        originId = newId(),
        spendOrder = 'present_first',
      }: { originId?: string; spendOrder?: 'present_first' | 'basic_first' } = {},
    ) => {
      await db.transaction((tx) => spendPoints(tx, { accountId, originId, points, spendOrder }));
      return originId;
    },
    giveBack: (originId: string, points: bigint, posting: string = randomUUID()) =>
      db.transaction((tx) => giveBackPoints(tx, { accountId, originId, posting, points })),
    balance: async () => {
      const { basic, present } = await walletOf(db, accountId);
      return { basic, present };
    },
    frozen: async () => {
      const { frozenBasic, frozenPresent } = await walletOf(db, accountId);
      return { frozenBasic, frozenPresent };
    },
    letDaysPass: (days: number) => letDaysPass(db, accountId, days),
    records: () => recordsOf(db, accountId),
    faults: () => faultsOf(db, accountId),
  };
}

export type TestWallet = Awaited<ReturnType<typeof givenWallet>>;

/** Moves the times of this account's lots back by this number of days. */
async function letDaysPass(db: Db, accountId: string, days: number): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update point_lots set expires_at = expires_at - make_interval(days => ${days})
      where account_id = ${accountId}`),
  );
}

const Wallet = z.object({
  basic: z.bigint(),
  present: z.bigint(),
  seq: z.int(),
  head: z.instanceof(Buffer),
});
const Entry = z.object({
  seq: z.int(),
  origin_id: z.uuid(),
  posting: z.string(),
  kind: z.string(),
  basic_change: z.bigint(),
  present_change: z.bigint(),
  basic_after: z.bigint(),
  present_after: z.bigint(),
  at: z.date(),
  draws: z.string(),
  hash: z.instanceof(Buffer),
});
const Lot = z.object({
  lot_id: z.uuid(),
  bucket: z.enum(['basic', 'present']),
  origin_id: z.uuid(),
  granted: z.bigint(),
  remaining: z.bigint(),
  spent: z.bigint(),
  expired: z.bigint(),
  claimed: z.bigint(),
  expires_at: z.date().nullable(),
  is_frozen: z.boolean(),
});
const Draw = z.object({ seq: z.int(), position: z.int(), lot_id: z.uuid(), points: z.bigint() });
const Step = z.object({
  origin_id: z.uuid(),
  step: z.int(),
  posting: z.string(),
  basic_granted: z.bigint(),
  present_granted: z.bigint(),
  basic_kept: z.bigint(),
  present_kept: z.bigint(),
  present_claimed: z.bigint(),
  present_owed: z.bigint(),
});
const Transfer = z.object({
  origin_id: z.uuid(),
  posting: z.string(),
  debit_book: z.string(),
  credit_book: z.string(),
  unit: z.string(),
  amount_minor: z.bigint(),
});

/** All rows about the points of one account. */
async function recordsOf(db: Db, accountId: string) {
  const isIt = sql`account_id = ${accountId}`;
  return {
    wallet: await db.one(Wallet, sql`select * from wallets where ${isIt}`),
    entries: await db.many(Entry, sql`select * from point_entries where ${isIt} order by seq`),
    lots: await db.many(
      Lot,
      sql`select * from point_lots where ${isIt} order by created_at, lot_id`,
    ),
    draws: await db.many(Draw, sql`select * from point_draws where ${isIt} order by seq, position`),
    steps: await db.many(
      Step,
      sql`select * from top_up_steps where ${isIt} order by origin_id, step`,
    ),
    transfers: await db.many(
      Transfer,
      sql`select * from ledger_transfers where ${isIt} and unit = 'EPOINT'`,
    ),
  };
}

type Records = Awaited<ReturnType<typeof recordsOf>>;

/** The violated invariants of an account's points. */
async function faultsOf(db: Db, accountId: string): Promise<string[]> {
  const records = await recordsOf(db, accountId);
  return [
    ...(await brokenLinks(db, accountId)),
    ...statementFaults(records),
    ...drawFaults(records),
    ...lotFaults(records),
    ...bookFaults(records),
  ];
}

/** Recomputes the hash chain in SQL, independently of the TypeScript code. */
async function brokenLinks(db: Db, accountId: string): Promise<string[]> {
  const broken = await db.many(
    z.object({ seq: z.int() }),
    sql`
      with links as (
        select account_id, seq, prev_hash, hash,
               lag(hash, 1, sha256(convert_to(account_id::text, 'UTF8')))
                 over (partition by account_id order by seq) as hash_before,
               concat_ws('|', seq,
                         to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                         kind, origin_id, posting, basic_change, present_change,
                         basic_after, present_after, draws) as line
        from point_entries
      )
      select seq from links
      where account_id = ${accountId} and (
        prev_hash <> hash_before
        or hash <> sha256(convert_to(encode(prev_hash, 'hex') || E'\n' || line, 'UTF8')))`,
  );
  return broken.map(({ seq }) => `entry ${seq} breaks the chain`);
}

function statementFaults({ wallet, entries }: Records): string[] {
  const faults: string[] = [];
  let [basic, present, at] = [0n, 0n, 0];
  for (const [index, entry] of entries.entries()) {
    basic += entry.basic_change;
    present += entry.present_change;
    if (entry.seq !== index + 1) faults.push(`entry ${index + 1} has number ${entry.seq}`);
    if (entry.basic_after !== basic || entry.present_after !== present) {
      faults.push(`entry ${entry.seq} does not add up`);
    }
    if (entry.at.getTime() < at) faults.push(`entry ${entry.seq} is before its predecessor`);
    at = entry.at.getTime();
  }
  if (wallet.basic !== basic || wallet.present !== present) faults.push('the wallet differs');
  if (wallet.seq !== entries.length) faults.push(`the wallet has seq ${wallet.seq}`);
  const last = entries.at(-1);
  if (last !== undefined && !wallet.head.equals(last.hash)) faults.push('the head differs');
  return faults;
}

const atLeastZero = (points: bigint) => (points > 0n ? points : 0n);
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

function drawFaults({ entries, draws, lots }: Records): string[] {
  const faults: string[] = [];
  const bucketOf = new Map(lots.map((lot) => [lot.lot_id, lot.bucket]));
  for (const { seq, basic_after, basic_change, present_change, ...entry } of entries) {
    const own = draws.filter((draw) => draw.seq === seq);
    if (own.map(({ lot_id, points }) => `${lot_id}:${points}`).join(',') !== entry.draws) {
      faults.push(`entry ${seq} says other draws`);
    }
    const drawn = (bucket: string) =>
      sum(own.filter(({ lot_id }) => bucketOf.get(lot_id) === bucket).map(({ points }) => points));
    // A debt is not part of any lot.
    const inBasicLots = atLeastZero(basic_after) - atLeastZero(basic_after - basic_change);
    if (drawn('basic') !== inBasicLots) faults.push(`entry ${seq} draws other basic points`);
    if (drawn('present') !== present_change) faults.push(`entry ${seq} draws other present points`);
  }
  return faults;
}

function lotFaults({ wallet, lots, draws, steps }: Records): string[] {
  const faults: string[] = [];
  for (const { lot_id, remaining } of lots) {
    const drawn = sum(draws.filter((draw) => draw.lot_id === lot_id).map(({ points }) => points));
    if (drawn !== remaining) faults.push(`lot ${lot_id} has ${remaining}, drawn is ${drawn}`);
  }
  const inLots = (bucket: string, place: 'remaining' | 'claimed') =>
    sum(lots.filter((lot) => lot.bucket === bucket).map((lot) => lot[place]));
  if (inLots('basic', 'remaining') !== atLeastZero(wallet.basic)) faults.push('basic lots differ');
  if (inLots('present', 'remaining') !== wallet.present) faults.push('present lots differ');

  const now = new Map<string, (typeof steps)[number]>();
  for (const step of steps) {
    if (step.step !== (now.get(step.origin_id)?.step ?? 0) + 1) faults.push('a step is missing');
    now.set(step.origin_id, step);
  }
  const claims = [...now.values()].map(
    (step) => step.basic_granted - step.basic_kept + step.present_owed,
  );
  if (inLots('basic', 'claimed') + atLeastZero(-wallet.basic) !== sum(claims)) {
    faults.push('what is claimed and owed is not what the top-ups claim');
  }
  for (const { origin_id, present_claimed } of now.values()) {
    const own = lots.filter((lot) => lot.origin_id === origin_id && lot.bucket === 'present');
    if (sum(own.map(({ claimed }) => claimed)) !== present_claimed) {
      faults.push(`top-up ${origin_id} claims other present points`);
    }
  }
  return faults;
}

const counterBooks: Record<string, string> = { spend: 'player:deposit', refund: 'player:deposit' };

/** Checks that the ledger holds both sides of every entry and no other transfer. */
function bookFaults({ entries, transfers }: Records): string[] {
  const expected = entries.flatMap((entry) =>
    (['basic', 'present'] as const).flatMap((bucket) => {
      const change = entry[`${bucket}_change`];
      if (change === 0n) return [];
      const [own, other] = [`player:${bucket}`, counterBooks[entry.kind] ?? 'house:points'];
      const [debit, credit] = change > 0n ? [other, own] : [own, other];
      const amount = change > 0n ? change : -change;
      return [`${entry.origin_id} ${entry.posting}:${bucket} ${debit} ${credit} ${amount}`];
    }),
  );
  const posted = transfers.map(
    (transfer) =>
      `${transfer.origin_id} ${transfer.posting} ${transfer.debit_book} ${transfer.credit_book} ${transfer.amount_minor}`,
  );
  const missing = expected.filter((line) => !posted.includes(line));
  const extra = posted.filter((line) => !expected.includes(line));
  return [
    ...missing.map((line) => `not in the books: ${line}`),
    ...extra.map((line) => `+${line}`),
  ];
}
