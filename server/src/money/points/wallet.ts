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
  lockWallet,
  selectOpenLots,
  updateWallet,
  upsertLots,
} from './points.queries.ts';
import { inSpendOrder } from './spend-order.ts';
import { type EntryKind, firstHash, lineOf, nextHash } from './statement.ts';

/** A wallet that is locked until the transaction ends. */
export interface HeldWallet {
  accountId: string;
  basic: bigint;
  present: bigint;
  seq: number;
  head: Buffer;
  lots: Lot[];
  /** The time of all that is done while it is held. */
  at: Date;
}

/**
 * Locks the account's wallet and expires what is due in it, so that nothing after this meets points
 * past their time. Makes the wallet of an account that has none.
 */
export async function holdWallet(tx: Tx, accountId: string): Promise<HeldWallet> {
  let wallet = await lockWallet(tx, accountId);
  if (wallet === undefined) {
    await insertWallet(tx, { accountId, head: firstHash(accountId) });
    wallet = await lockWallet(tx, accountId);
  }
  if (wallet === undefined) throw new Error(`account ${accountId} has no wallet`);
  const lots = await selectOpenLots(tx, accountId);
  return await expireDue(tx, { ...wallet, accountId, lots });
}

/** Also knows these lots afterwards. */
export function withLots(wallet: HeldWallet, lots: readonly Lot[]): HeldWallet {
  const byId = new Map([...wallet.lots, ...lots].map((lot) => [lot.lotId, lot]));
  return { ...wallet, lots: [...byId.values()] };
}

/** Writes a movement down everywhere: statement, lots, wallet and books. */
export async function postEntry(
  tx: Tx,
  wallet: HeldWallet,
  entry: Cause & { kind: EntryKind; movement: Movement },
): Promise<HeldWallet> {
  const { accountId, at } = wallet;
  const { kind, originId, posting, movement } = entry;
  // The line is hashed as it is written here, and checked as PostgreSQL writes the id.
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

/** Whoever changes what a top-up stands for says itself what its money has come to. */
function isOwn({ kind, originId }: Cause & { kind: EntryKind }, lot: Lot): boolean {
  return (kind === 'claw_back' || kind === 'restore') && lot.originId === originId;
}

async function expireDue(tx: Tx, held: HeldWallet): Promise<HeldWallet> {
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

/** By how much each lot changed; a lot that is new had nothing before. */
function drawsOf(before: readonly Lot[], after: readonly Lot[]) {
  const remaining = new Map(before.map((lot) => [lot.lotId, lot.remaining]));
  return after
    .map((lot) => ({
      lotId: lot.lotId,
      points: lot.remaining - (remaining.get(lot.lotId) ?? 0n),
    }))
    .filter(({ points }) => points !== 0n);
}

/** The other side of each kind. What is spent waits in the deposit until it has arrived, as money does. */
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
