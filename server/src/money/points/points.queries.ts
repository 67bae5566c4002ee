import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { Lot, Share } from './lots.ts';
import { type Entry, entryKinds } from './statement.ts';
import type { TopUp } from './top-up.ts';

const WalletRow = z.object({
  basic: z.bigint(),
  present: z.bigint(),
  seq: z.int(),
  head: z.instanceof(Buffer),
});
const ShownWalletRow = WalletRow.extend({ frozen_basic: z.bigint(), frozen_present: z.bigint() });
const LockedWalletRow = WalletRow.extend({ at: z.date() });

/** Expired lots do not count, even before the sweep has expired them. */
export function selectWallet(db: Db | Tx, accountId: string) {
  return db.maybeOne(
    ShownWalletRow,
    sql`
      select basic, present - coalesce(sum(remaining) filter (where is_due), 0)::bigint as present,
             seq, head,
             coalesce(sum(remaining) filter (where bucket = 'basic' and is_frozen), 0)::bigint
               as frozen_basic,
             coalesce(sum(remaining) filter (where bucket = 'present' and is_frozen and not is_due), 0)::bigint
               as frozen_present
      from wallets left join (
        select account_id, bucket, remaining, is_frozen, coalesce(expires_at <= now(), false) as is_due
        from point_lots where remaining > 0 or claimed > 0
      ) as lots using (account_id)
      where account_id = ${accountId} group by account_id`,
  );
}

/** The time is read after the lock is held, so that entries of an account are ordered by time. */
export function selectWalletLocked(tx: Tx, accountId: string) {
  return tx.maybeOne(
    LockedWalletRow,
    sql`
      with locked as materialized (
        select basic, present, seq, head from wallets where account_id = ${accountId} for update
      )
      select *, date_trunc('milliseconds', clock_timestamp()) as at from locked`,
  );
}

/** Waits for a concurrent insert of the same wallet and then does nothing. */
export async function insertWallet(
  tx: Tx,
  { accountId, head }: { accountId: string; head: Buffer },
): Promise<void> {
  await tx.run(sql`
    insert into wallets (account_id, head) values (${accountId}, ${head}) on conflict do nothing`);
}

export async function updateWallet(
  tx: Tx,
  wallet: { accountId: string; basic: bigint; present: bigint; seq: number; head: Buffer },
): Promise<void> {
  await tx.run(sql`
    update wallets set basic = ${wallet.basic}, present = ${wallet.present}, seq = ${wallet.seq},
                       head = ${wallet.head}
    where account_id = ${wallet.accountId}`);
}

const EntryRow = z.object({
  seq: z.int(),
  at: z.date(),
  kind: z.enum(entryKinds),
  origin_id: z.uuid(),
  posting: z.string(),
  basic_change: z.bigint(),
  present_change: z.bigint(),
  basic_after: z.bigint(),
  present_after: z.bigint(),
  draws: z.string(),
  hash: z.instanceof(Buffer),
});

const toEntry = (row: z.output<typeof EntryRow>): Entry & { hash: Buffer } => ({
  seq: row.seq,
  at: row.at,
  kind: row.kind,
  originId: row.origin_id,
  posting: row.posting,
  basicChange: row.basic_change,
  presentChange: row.present_change,
  basicAfter: row.basic_after,
  presentAfter: row.present_after,
  draws: row.draws,
  hash: row.hash,
});

export async function insertEntry(
  tx: Tx,
  entry: Entry & { accountId: string; prevHash: Buffer; hash: Buffer },
): Promise<void> {
  await tx.run(sql`
    insert into point_entries
      (account_id, seq, origin_id, posting, kind, basic_change, present_change, basic_after,
       present_after, at, draws, prev_hash, hash)
    values (${entry.accountId}, ${entry.seq}, ${entry.originId}, ${entry.posting}, ${entry.kind},
            ${entry.basicChange}, ${entry.presentChange}, ${entry.basicAfter},
            ${entry.presentAfter}, ${entry.at}, ${entry.draws}, ${entry.prevHash}, ${entry.hash})`);
}

export interface EntryKey {
  accountId: string;
  originId: string;
  posting: string;
}

export async function selectEntry(tx: Tx, key: EntryKey): Promise<Entry | undefined> {
  const row = await tx.maybeOne(
    EntryRow,
    sql`
      select * from point_entries
      where account_id = ${key.accountId} and origin_id = ${key.originId}
        and posting = ${key.posting}`,
  );
  return row && toEntry(row);
}

/** Oldest first. Entries never change, so pages are consistent with each other. */
export async function selectEntriesAfter(
  db: Db,
  { accountId, seq, rowsMax }: { accountId: string; seq: number; rowsMax: number },
): Promise<(Entry & { hash: Buffer })[]> {
  const rows = await db.many(
    EntryRow,
    sql`
      select * from point_entries where account_id = ${accountId} and seq > ${seq}
      order by seq limit ${rowsMax}`,
  );
  return rows.map(toEntry);
}

/** Newest first. */
export async function selectRecords(
  db: Db,
  {
    accountId,
    kinds,
    ...page
  }: {
    accountId: string;
    kinds: readonly Entry['kind'][];
    rowsMax: number;
    offset: number;
  },
): Promise<Entry[]> {
  const rows = await db.many(
    EntryRow,
    sql`
      select * from point_entries where account_id = ${accountId} and kind = any(${kinds})
      order by seq desc limit ${page.rowsMax} offset ${page.offset}`,
  );
  return rows.map(toEntry);
}

/** The points of a spend that were returned so far, to lots or to a debt. */
export async function selectGivenBack(
  tx: Tx,
  { accountId, originId }: { accountId: string; originId: string },
): Promise<bigint> {
  const { points } = await tx.one(
    z.object({ points: z.bigint() }),
    sql`
      select coalesce(sum(basic_change + present_change), 0)::bigint as points from point_entries
      where account_id = ${accountId} and origin_id = ${originId} and kind = 'refund'`,
  );
  return points;
}

const LotRow = z.object({
  lot_id: z.uuid(),
  bucket: z.enum(['basic', 'present']),
  origin_id: z.uuid(),
  granted: z.bigint(),
  remaining: z.bigint(),
  spent: z.bigint(),
  expired: z.bigint(),
  claimed: z.bigint(),
  expires_at: z.date().nullable(),
  created_at: z.date(),
  is_frozen: z.boolean(),
});

const toLot = (row: z.output<typeof LotRow>): Lot => ({
  lotId: row.lot_id,
  bucket: row.bucket,
  originId: row.origin_id,
  granted: row.granted,
  remaining: row.remaining,
  spent: row.spent,
  expired: row.expired,
  claimed: row.claimed,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  isFrozen: row.is_frozen,
});

/** Lots with remaining or claimed points. */
export async function selectOpenLots(tx: Tx, accountId: string): Promise<Lot[]> {
  const rows = await tx.many(
    LotRow,
    sql`
      select * from point_lots
      where account_id = ${accountId} and (remaining > 0 or claimed > 0)`,
  );
  return rows.map(toLot);
}

const EndRow = z.object({
  bucket: z.enum(['basic', 'present']),
  remaining: z.bigint(),
  expires_at: z.date().nullable(),
  is_frozen: z.boolean(),
});

/** Remaining points by expiry; expired points are excluded, as in the balance. */
export function selectEnds(
  db: Db,
  { accountId, rowsMax }: { accountId: string; rowsMax: number },
): Promise<z.output<typeof EndRow>[]> {
  return db.many(
    EndRow,
    sql`
      select bucket, sum(remaining)::bigint as remaining, expires_at, is_frozen from point_lots
      where account_id = ${accountId} and remaining > 0 and (expires_at is null or expires_at > now())
      group by bucket, expires_at, is_frozen
      order by expires_at nulls last, bucket desc, is_frozen limit ${rowsMax}`,
  );
}

/** All lots of a top-up, including empty ones. */
export async function selectLotsOf(
  tx: Tx,
  { accountId, originId }: { accountId: string; originId: string },
): Promise<Lot[]> {
  const rows = await tx.many(
    LotRow,
    sql`select * from point_lots where account_id = ${accountId} and origin_id = ${originId}`,
  );
  return rows.map(toLot);
}

/** The points that an entry drew, in the order of drawing. */
export async function selectTaken(
  tx: Tx,
  { accountId, seq }: { accountId: string; seq: number },
): Promise<Share[]> {
  const rows = await tx.many(
    LotRow.extend({ points: z.bigint() }),
    sql`
      select point_lots.*, -points as points from point_draws join point_lots using (account_id, lot_id)
      where account_id = ${accountId} and seq = ${seq} order by position`,
  );
  return rows.map((row) => ({ lot: toLot(row), points: row.points }));
}

export async function upsertLots(tx: Tx, accountId: string, lots: readonly Lot[]): Promise<void> {
  await tx.run(sql`
    insert into point_lots
      (account_id, lot_id, bucket, origin_id, granted, remaining, spent, expired, claimed,
       expires_at, created_at, is_frozen)
    select ${accountId}, * from unnest(
      ${lots.map(({ lotId }) => lotId)}::uuid[],
      ${lots.map(({ bucket }) => bucket)}::text[],
      ${lots.map(({ originId }) => originId)}::uuid[],
      ${lots.map(({ granted }) => granted)}::bigint[],
      ${lots.map(({ remaining }) => remaining)}::bigint[],
      ${lots.map(({ spent }) => spent)}::bigint[],
      ${lots.map(({ expired }) => expired)}::bigint[],
      ${lots.map(({ claimed }) => claimed)}::bigint[],
      ${lots.map(({ expiresAt }) => expiresAt)}::timestamptz[],
      ${lots.map(({ createdAt }) => createdAt)}::timestamptz[],
      ${lots.map(({ isFrozen }) => isFrozen)}::boolean[])
    on conflict (account_id, lot_id) do update set
      remaining = excluded.remaining, spent = excluded.spent, expired = excluded.expired,
      claimed = excluded.claimed`);
}

export async function insertDraws(
  tx: Tx,
  { accountId, seq }: { accountId: string; seq: number },
  draws: readonly { lotId: string; points: bigint }[],
): Promise<void> {
  await tx.run(sql`
    insert into point_draws (account_id, seq, position, lot_id, points)
    select ${accountId}, ${seq}, position, lot_id, points
    from unnest(${draws.map(({ lotId }) => lotId)}::uuid[],
                ${draws.map(({ points }) => points)}::bigint[])
      with ordinality as draws (lot_id, points, position)`);
}

export async function updateFrozen(
  tx: Tx,
  { accountId, originId, isFrozen }: { accountId: string; originId: string; isFrozen: boolean },
): Promise<number> {
  return await tx.run(sql`
    update point_lots set is_frozen = ${isFrozen}
    where account_id = ${accountId} and origin_id = ${originId}`);
}

/** Accounts of the lots that expired the longest time ago. */
export async function selectAccountsToExpire(
  db: Db,
  { rowsMax }: { rowsMax: number },
): Promise<string[]> {
  const rows = await db.many(
    z.object({ account_id: z.uuid() }),
    sql`
      select distinct account_id from (
        select account_id from point_lots
        where remaining > 0 and expires_at <= now() order by expires_at limit ${rowsMax}
      ) as due`,
  );
  return rows.map((row) => row.account_id);
}

const StepRow = z.object({
  origin_id: z.uuid(),
  step: z.int(),
  basic_granted: z.bigint(),
  present_granted: z.bigint(),
  basic_kept: z.bigint(),
  present_kept: z.bigint(),
  present_claimed: z.bigint(),
  present_owed: z.bigint(),
});

export type Step = TopUp & { step: number };

const toStep = (row: z.output<typeof StepRow>): Step => ({
  originId: row.origin_id,
  step: row.step,
  basicGranted: row.basic_granted,
  presentGranted: row.present_granted,
  basicKept: row.basic_kept,
  presentKept: row.present_kept,
  presentClaimed: row.present_claimed,
  presentOwed: row.present_owed,
});

/** The current state of these top-ups. */
export async function selectTopUps(
  tx: Tx,
  { accountId, originIds }: { accountId: string; originIds: readonly string[] },
): Promise<Step[]> {
  const rows = await tx.many(
    StepRow,
    sql`
      select distinct on (origin_id) * from top_up_steps
      where account_id = ${accountId} and origin_id = any(${originIds})
      order by origin_id, step desc`,
  );
  return rows.map(toStep);
}

/** All steps of a top-up, beginning with its grant. */
export async function selectSteps(
  tx: Tx,
  { accountId, originId }: { accountId: string; originId: string },
): Promise<Step[]> {
  const rows = await tx.many(
    StepRow,
    sql`
      select * from top_up_steps where account_id = ${accountId} and origin_id = ${originId}
      order by step`,
  );
  return rows.map(toStep);
}

export async function selectStep(tx: Tx, key: EntryKey): Promise<Step | undefined> {
  const row = await tx.maybeOne(
    StepRow,
    sql`
      select * from top_up_steps
      where account_id = ${key.accountId} and origin_id = ${key.originId}
        and posting = ${key.posting}`,
  );
  return row && toStep(row);
}

export async function insertStep(
  tx: Tx,
  step: Step & { accountId: string; posting: string; at: Date },
): Promise<void> {
  await tx.run(sql`
    insert into top_up_steps
      (account_id, origin_id, step, posting, basic_granted, present_granted, basic_kept,
       present_kept, present_claimed, present_owed, at)
    values (${step.accountId}, ${step.originId}, ${step.step}, ${step.posting},
            ${step.basicGranted}, ${step.presentGranted}, ${step.basicKept}, ${step.presentKept},
            ${step.presentClaimed}, ${step.presentOwed}, ${step.at})`);
}
