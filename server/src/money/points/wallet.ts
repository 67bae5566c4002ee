import { pointsUnit } from '@pointgate/contract/money.ts';
import type { Tx } from '../../platform/db.ts';
import { isId } from '../../platform/ids.ts';
import { postTransfer } from '../ledger/ledger.ts';
import { followLots } from './deferrals.ts';
import { type Cause, expire, isDue, type Lot, type Movement } from './lots.ts';
import {
  insertDraws,
  insertEntry,
  insertWallet,
  selectOpenLots,
  selectWalletLocked,
  updateWallet,
  upsertLots,
} from './points.queries.ts';
import { inSpendOrder } from './spend-order.ts';
import { type EntryKind, firstHash, lineOf, nextHash } from './statement.ts';

/** A wallet that is locked until the transaction ends. */
export interface LockedWallet {
  accountId: string;
  basic: bigint;
  present: bigint;
  seq: number;
  head: Buffer;
  lots: Lot[];
  /** The time of all changes while the lock is held. */
  at: Date;
}

/**
 * Locks the account's wallet and expires its due lots, so that later steps never see expired
 * points. Creates the wallet if necessary.
 */
export async function lockWallet(tx: Tx, accountId: string): Promise<LockedWallet> {
  let wallet = await selectWalletLocked(tx, accountId);
  if (wallet === undefined) {
    await insertWallet(tx, { accountId, head: firstHash(accountId) });
    wallet = await selectWalletLocked(tx, accountId);
  }
  if (wallet === undefined) throw new Error(`account ${accountId} has no wallet`);
  const lots = await selectOpenLots(tx, accountId);
  return await expireDue(tx, { ...wallet, accountId, lots });
}

/** The wallet with these lots added or replaced. */
export function withLots(wallet: LockedWallet, lots: readonly Lot[]): LockedWallet {
  const byId = new Map([...wallet.lots, ...lots].map((lot) => [lot.lotId, lot]));
  return { ...wallet, lots: [...byId.values()] };
}

/** Writes a movement to the statement, the lots, the wallet and the ledger. */
export async function postEntry(
  tx: Tx,
  wallet: LockedWallet,
  entry: Cause & { kind: EntryKind; movement: Movement },
): Promise<LockedWallet> {
  const { accountId, at } = wallet;
  const { kind, originId, posting, movement } = entry;
  // The line is hashed with the id as given here but verified with the id as PostgreSQL prints it.
  if (!isId(accountId) || !isId(originId)) throw new Error(`${originId} is not written as an id`);
  const { basicChange, presentChange } = movement;
  const draws = drawsOf(wallet.lots, movement.lots);
  const written = {
    seq: wallet.seq + 1,
    at,
    kind,
    originId,
    posting,
    basicChange,
    presentChange,
    basicAfter: wallet.basic + basicChange,
    presentAfter: wallet.present + presentChange,
    draws: draws.map(({ lotId, points }) => `${lotId}:${points}`).join(','),
  };
  const head = nextHash(wallet.head, lineOf(written));
  const after = {
    ...withLots(wallet, movement.lots),
    basic: written.basicAfter,
    present: written.presentAfter,
    seq: written.seq,
    head,
  };
  await insertEntry(tx, { ...written, accountId, prevHash: wallet.head, hash: head });
  await upsertLots(tx, accountId, movement.lots);
  await insertDraws(tx, after, draws);
  await updateWallet(tx, after);
  await postLegs(tx, { accountId, ...entry });
  await followLots(
    tx,
    accountId,
    movement.lots.filter((lot) => !isOwn(entry, lot)),
  );
  return after;
}

/** Steps of a top-up itself are excluded, because their callers update the deferral themselves. */
function isOwn({ kind, originId }: Cause & { kind: EntryKind }, lot: Lot): boolean {
  return (kind === 'claw_back' || kind === 'restore') && lot.originId === originId;
}

async function expireDue(tx: Tx, held: LockedWallet): Promise<LockedWallet> {
  let wallet = held;
  for (const lot of inSpendOrder(held.lots, 'present_first')) {
    if (lot.remaining === 0n || !isDue(lot, held.at)) continue;
    wallet = await postEntry(tx, wallet, {
      kind: 'expiry',
      originId: lot.originId,
      posting: `expiry:${lot.lotId}`,
      movement: expire(lot),
    });
  }
  return wallet;
}

/** The change of each lot; a new lot counts as empty before. */
function drawsOf(before: readonly Lot[], after: readonly Lot[]) {
  const remaining = new Map(before.map((lot) => [lot.lotId, lot.remaining]));
  return after
    .map((lot) => ({
      lotId: lot.lotId,
      points: lot.remaining - (remaining.get(lot.lotId) ?? 0n),
    }))
    .filter(({ points }) => points !== 0n);
}

/**
 * The opposite book of each kind. Spent points stay in the deposit until delivery, as money does.
 */
const counterBooks = {
  top_up: 'house:points',
  gift: 'house:points',
  spend: 'player:deposit',
  refund: 'player:deposit',
  claw_back: 'house:points',
  restore: 'house:points',
  expiry: 'house:points',
} as const satisfies Record<EntryKind, string>;

async function postLegs(
  tx: Tx,
  entry: Cause & { accountId: string; kind: EntryKind; movement: Movement },
): Promise<void> {
  const { accountId, originId, posting, kind, movement } = entry;
  const legs = [
    { name: 'basic', book: 'player:basic', change: movement.basicChange },
    { name: 'present', book: 'player:present', change: movement.presentChange },
  ] as const;
  const counterBook = counterBooks[kind];
  for (const { name, book, change } of legs) {
    if (change === 0n) continue;
    const books =
      change > 0n ? { debit: counterBook, credit: book } : { debit: book, credit: counterBook };
    await postTransfer(tx, {
      accountId,
      originId,
      posting: `${posting}:${name}`,
      ...books,
      money: { amountMinor: change > 0n ? change : -change, currency: pointsUnit },
    });
  }
}
