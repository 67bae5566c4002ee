import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { clawBack, restore } from './claims.ts';
import { selectLagging } from './deferrals.queries.ts';
import { deferPrice } from './deferrals.ts';
import { giveBack } from './give-back.ts';
import { postGrant } from './grants.ts';
import { type Lot, sumOf } from './lots.ts';
import {
  insertStep,
  selectAccountsToExpire,
  selectEnds,
  selectEntriesAfter,
  selectEntry,
  selectGivenBack,
  selectLotsOf,
  selectRecords,
  selectStep,
  selectSteps,
  selectTaken,
  selectTopUps,
  selectWallet,
  updateFrozen,
} from './points.queries.ts';
import { type SpendOrder, spend } from './spend-order.ts';
import { type Entry, firstHash, ledgerText } from './statement.ts';
import { wayOf } from './top-up.ts';
import { type LockedWallet, lockWallet, postEntry, withLots } from './wallet.ts';

/** The balance of a player. Frozen points are part of basic and present but cannot be spent. */
export interface Wallet {
  /** A negative number is a debt, which blocks spending. */
  basic: bigint;
  present: bigint;
  frozenBasic: bigint;
  frozenPresent: bigint;
  /** The number of entries of the statement and the hash of the last one in hexadecimal. */
  seq: number;
  head: string;
}

/** A line of the statement for the player. The origin of an expiry is the top-up or gift. */
export type PointRecord = Omit<Entry, 'posting' | 'draws'>;

/** Excludes expired points, even before their expiry is recorded. */
export async function walletOf(db: Db | Tx, accountId: string): Promise<Wallet> {
  const row = await selectWallet(db, accountId);
  const wallet = row ?? { basic: 0n, present: 0n, seq: 0, head: firstHash(accountId) };
  return {
    basic: wallet.basic,
    present: wallet.present,
    frozenBasic: row?.frozen_basic ?? 0n,
    frozenPresent: row?.frozen_present ?? 0n,
    seq: wallet.seq,
    head: wallet.head.toString('hex'),
  };
}

const endsMax = 100;

/** The points by expiry, the earliest first. The points of each bucket add up to its balance. */
export async function pointEnds(
  db: Db,
  accountId: string,
): Promise<{
  lots: Pick<Lot, 'bucket' | 'remaining' | 'expiresAt' | 'isFrozen'>[];
  hasMore: boolean;
}> {
  const found = await selectEnds(db, { accountId, rowsMax: endsMax + 1 });
  const lots = found.slice(0, endsMax).map(({ bucket, remaining, expires_at, is_frozen }) => ({
    bucket,
    remaining,
    expiresAt: expires_at,
    isFrozen: is_frozen,
  }));
  return { lots, hasMore: found.length > endsMax };
}

/**
 * Locks the wallet, creating it if necessary. Callers that move points and need other locks or
 * checks must lock the wallet first.
 */
export async function lockAccountWallet(tx: Tx, accountId: string): Promise<void> {
  await lockWallet(tx, accountId);
}

/** Grants bought points once per origin. Basic points settle a debt first. Locks the wallet. */
export async function grantTopUp(
  tx: Tx,
  topUp: {
    accountId: string;
    originId: string;
    basic: bigint;
    present: bigint;
    presentExpiresAt: Date | null;
  },
): Promise<void> {
  const wallet = await lockWallet(tx, topUp.accountId);
  await postGrant(tx, wallet, { ...topUp, kind: 'top_up' });
}

/**
 * Sets the numbers of points that are kept of a top-up: a refund or a lost dispute lowers them, and
 * a failed refund raises them again. The posting names the step; repeating it changes nothing.
 * Locks the wallet. Throws if the top-up was never granted.
 */
export async function keepOfTopUp(
  tx: Tx,
  step: { accountId: string; originId: string; posting: string; basic: bigint; present: bigint },
): Promise<void> {
  const { accountId, originId, posting, basic, present } = step;
  const cause = { originId, posting };
  const held = await lockWallet(tx, accountId);
  const repeated = await selectStep(tx, { accountId, ...cause });
  if (repeated !== undefined) {
    const isSame = repeated.basicKept === basic && repeated.presentKept === present;
    if (!isSame) throw new Error(`${posting} of top-up ${originId} was kept differently`);
    return;
  }
  const steps = await selectSteps(tx, { accountId, originId });
  const topUp = steps.at(-1);
  if (topUp === undefined) throw new Error(`top-up ${originId} was not granted`);

  const wallet = withLots(held, await selectLotsOf(tx, { accountId, originId }));
  const kept = { basic, present };
  const way = wayOf(topUp, kept);
  if (way === undefined) throw new Error(`${posting} cannot be a step of top-up ${originId}`);
  const originIds = wallet.lots.map((lot) => lot.originId);
  const movement =
    way === 'claw_back'
      ? clawBack(wallet, topUp, kept)
      : restore(
          wallet,
          { topUp, steps, topUps: await selectTopUps(tx, { accountId, originIds }) },
          { kept, cause },
        );
  if (movement.basicChange !== 0n || movement.presentChange !== 0n) {
    await postEntry(tx, wallet, { ...cause, kind: way, movement });
  }
  await insertStep(tx, {
    ...topUp,
    accountId,
    step: topUp.step + 1,
    posting,
    basicKept: basic,
    presentKept: present,
    presentClaimed: movement.presentClaimed,
    presentOwed: movement.presentOwed,
    at: wallet.at,
  });
}

/**
 * Updates the money of a top-up: the amount sold, the amount kept, and the bought points that it
 * pays for. The part for unused points is deferred. Locks the wallet.
 */
export async function deferTopUp(
  tx: Tx,
  topUp: {
    accountId: string;
    originId: string;
    isNew: boolean;
    currency: string;
    soldMinor: bigint;
    keptMinor: bigint;
    keptPoints: bigint;
  },
): Promise<void> {
  const { accountId, originId } = topUp;
  await lockWallet(tx, accountId);
  const lots = await selectLotsOf(tx, { accountId, originId });
  const bought = lots.filter(({ bucket }) => bucket === 'basic');
  const remaining = sumOf(bought.map((lot) => lot.remaining));
  await deferPrice(tx, { ...topUp, remaining });
}

/** Top-ups whose deferral disagrees with their points and their money. */
export async function laggingDeferrals(
  db: Db,
  limits: { minutes: number; rowsMax: number },
): Promise<{ accountId: string; paymentId: string }[]> {
  return await selectLagging(db, limits);
}

/**
 * Freezes or unfreezes the unspent points of a top-up during a dispute, including points that are
 * returned meanwhile. Frozen points still expire and can be clawed back. Locks the wallet.
 */
export async function setTopUpFrozen(
  tx: Tx,
  topUp: { accountId: string; originId: string; isFrozen: boolean },
): Promise<void> {
  await lockWallet(tx, topUp.accountId);
  const lots = await updateFrozen(tx, topUp);
  if (lots === 0) throw new Error(`top-up ${topUp.originId} was not granted`);
}

/**
 * Spends points once per origin. Throws `EPointDebt` in debt, and `EPointInsufficient` if the
 * points that are neither frozen nor expired do not suffice. Locks the wallet. With the origin of a
 * gift, only points of that gift are spent.
 */
export async function spendPoints(
  tx: Tx,
  order: {
    accountId: string;
    originId: string;
    points: bigint;
    spendOrder: SpendOrder;
    givenBy?: string | undefined;
  },
): Promise<void> {
  const { accountId, originId, points } = order;
  if (points <= 0n) throw new Error(`${points} points cannot be spent`);
  const cause = { originId, posting: 'spend' };
  const wallet = await lockWallet(tx, accountId);
  if (await isPosted(tx, wallet, { ...cause, kind: 'spend', points: -points })) return;

  if (wallet.basic < 0n) throw new AppError('EPointDebt');
  const { givenBy } = order;
  const isMeant = (lot: Lot) => givenBy === undefined || lot.originId === givenBy;
  const movement = spend(wallet.lots.filter(isMeant), order);
  if (movement === undefined) throw new AppError('EPointInsufficient');
  await postEntry(tx, wallet, { ...cause, kind: 'spend', movement });
}

/**
 * Returns spent points to the lots they came from, the last drawn first. Returning more than was
 * spent in total is a bug of the caller and throws. Repeating a posting changes nothing. Locks the
 * wallet.
 */
export async function giveBackPoints(
  tx: Tx,
  back: { accountId: string; originId: string; posting: string; points: bigint },
): Promise<void> {
  const { accountId, originId, posting, points } = back;
  if (points <= 0n) throw new Error(`${points} points cannot be given back`);
  const cause = { originId, posting };
  const held = await lockWallet(tx, accountId);
  if (await isPosted(tx, held, { ...cause, kind: 'refund', points })) return;

  const spent = await selectEntry(tx, { accountId, originId, posting: 'spend' });
  if (spent === undefined) throw new Error(`${originId} spent no points`);
  const draws = await selectTaken(tx, { accountId, seq: spent.seq });
  const backAlready = await selectGivenBack(tx, { accountId, originId });
  const wallet = withLots(
    held,
    draws.map(({ lot }) => lot),
  );
  const movement = giveBack(wallet, { draws, backAlready }, { points, cause });
  await postEntry(tx, wallet, { ...cause, kind: 'refund', movement });
}

/**
 * Expires due lots, the earliest expiry first, each account in its own transaction. Concurrent
 * workers expire each lot once. An account that fails does not block the others.
 */
export async function expireLots(db: Db, { rowsMax }: { rowsMax: number }): Promise<void> {
  const failures: unknown[] = [];
  for (const accountId of await selectAccountsToExpire(db, { rowsMax })) {
    try {
      await db.transaction((tx) => lockWallet(tx, accountId));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some wallets cannot expire points');
}

const recordKinds = {
  all: ['top_up', 'gift', 'spend', 'refund', 'claw_back', 'restore', 'expiry'],
  income: ['top_up', 'gift', 'refund', 'restore'],
  expense: ['spend', 'claw_back', 'expiry'],
} as const satisfies Record<string, readonly Entry['kind'][]>;

/** A page of the statement, newest first; the first page has number one. */
export async function pointRecords(
  db: Db,
  {
    accountId,
    type,
    page,
    pageSize,
  }: { accountId: string; type: keyof typeof recordKinds; page: number; pageSize: number },
): Promise<{ records: PointRecord[]; hasMore: boolean }> {
  const found = await selectRecords(db, {
    accountId,
    kinds: recordKinds[type],
    rowsMax: pageSize + 1,
    offset: (page - 1) * pageSize,
  });
  return { records: found.slice(0, pageSize).map(toRecord), hasMore: found.length > pageSize };
}

const entriesPerRead = 1000;

/** The statement as a text file that the player can keep and verify without the shop. */
export async function ledgerFile(db: Db, accountId: string): Promise<string> {
  const { seq, head } = await walletOf(db, accountId);
  const entries: Awaited<ReturnType<typeof selectEntriesAfter>> = [];
  while (entries.length < seq) {
    // Entries added meanwhile follow after the head that was read and are left out.
    const rowsMax = Math.min(entriesPerRead, seq - entries.length);
    const read = await selectEntriesAfter(db, { accountId, seq: entries.length, rowsMax });
    if (read.length < rowsMax) throw new Error(`entries of account ${accountId} are missing`);
    entries.push(...read);
  }
  return ledgerText({ accountId, madeAt: new Date(), head }, entries);
}

function toRecord(entry: Entry): PointRecord {
  const { seq, at, kind, originId } = entry;
  const { basicChange, presentChange, basicAfter, presentAfter } = entry;
  return { seq, at, kind, originId, basicChange, presentChange, basicAfter, presentAfter };
}

/** Whether the posting exists. Throws if it exists with different contents. */
async function isPosted(
  tx: Tx,
  { accountId }: LockedWallet,
  entry: { originId: string; posting: string; kind: Entry['kind']; points: bigint },
): Promise<boolean> {
  const { originId, posting } = entry;
  const posted = await selectEntry(tx, { accountId, originId, posting });
  if (posted === undefined) return false;
  const isSame =
    posted.kind === entry.kind && posted.basicChange + posted.presentChange === entry.points;
  if (!isSame) throw new Error(`${posting} of ${originId} is posted differently`);
  return true;
}
