import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import {
  type AccountChange,
  type AccountState,
  insertAccountChange,
  lockState,
  selectAccountChanges,
  selectAccountOrigin,
  shareState,
  updateAccountState,
} from './account-states.queries.ts';
import { deleteAccess } from './accounts.queries.ts';

/** States of orders that still need the role or the player. */
export const unfinishedOrderStates = ['created', 'paying', 'paid', 'stuck', 'refunding'] as const;

interface Asked {
  accountId: string;
  /** An operator's name, or `player`. */
  by: string;
  /** Null for a player. */
  reason: string | null;
}

/**
 * Refuses accounts that may not sign in. A sign-in with credentials cancels the pending erasure of
 * an account; a link proves too little for that.
 */
export async function admit(
  tx: Tx,
  { accountId, isByLink }: { accountId: string; isByLink: boolean },
): Promise<void> {
  const account = await shareState(tx, accountId);
  if (account?.state === 'open') return;
  if (account?.state !== 'leaving') throw new AppError('AccountSuspended');
  if (isByLink) throw new AppError('AccountLeaving');
  await change(tx, { accountId, by: 'player', reason: null }, keeping);
}

/** Ends all sessions and blocks sign-ins. Paid orders are still delivered. */
export const suspendAccount = (tx: Tx, asked: Asked) =>
  change(tx, asked, { from: ['open', 'leaving'], to: 'suspended', change: 'suspended' });

export const reinstateAccount = (tx: Tx, asked: Asked) =>
  change(tx, asked, { from: ['suspended'], to: 'open', change: 'reinstated' });

/** Ends all sessions; the player can sign in again. */
export const signOutEverywhere = (tx: Tx, asked: Asked) =>
  change(tx, asked, { from: ['open'], to: 'open', change: 'signed_out' });

/** Schedules the erasure by the worker, unless the player signs in before. */
export const leaveAccount = (db: Db, asked: Asked) =>
  db.transaction((tx) => change(tx, asked, { from: ['open'], to: 'leaving', change: 'leaving' }));

const keeping: Move = { from: ['leaving'], to: 'open', change: 'kept' };

/**
 * Closes an account for good, in the transaction that erases its person. False if there is no such
 * account, or it is not in one of the given states.
 */
export const closeAccount = (tx: Tx, asked: Asked, from: readonly AccountState[]) =>
  change(tx, asked, { from, to: 'erased', change: 'erased' });

interface Move {
  from: readonly AccountState[];
  to: AccountState;
  change: AccountChange;
}

/** False if there is no such account, or its state does not allow the change. */
async function change(tx: Tx, asked: Asked, { from, to, change }: Move): Promise<boolean> {
  const { accountId } = asked;
  const account = await lockState(tx, accountId);
  if (account === undefined || !from.includes(account.state)) return false;
  await updateAccountState(tx, { accountId, state: to });
  await insertAccountChange(tx, { ...asked, id: newId(), change });
  await deleteAccess(tx, accountId);
  return true;
}

export async function isAccountKnown(tx: Tx, accountId: string): Promise<boolean> {
  return (await lockState(tx, accountId)) !== undefined;
}

/** How the account came into being, when, and whether it may sign in. */
export async function accountOrigin(db: Db, accountId: string) {
  return await selectAccountOrigin(db, accountId);
}

/** The oldest first. */
export async function accountChanges(db: Db, accountId: string) {
  return await selectAccountChanges(db, accountId);
}
