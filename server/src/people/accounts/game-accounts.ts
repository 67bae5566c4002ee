import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { isId, newId } from '../../platform/ids.ts';
import { countUp, readCounts } from '../../platform/limits.ts';
import { insertAccountChange, lockState } from './account-states.queries.ts';
import { deleteAccess } from './accounts.queries.ts';
import {
  type GameAccountKey,
  insertArrivedAccount,
  insertGameAccount,
  lockGameAccount,
  releaseGameAccount,
  selectFormerGameAccounts,
  selectGameAccounts,
  selectHasUnfinishedOrder,
  selectNewPlayersRule,
  selectOwner,
  updateNewPlayersRule,
} from './game-accounts.queries.ts';

/** The account that owns this game account. */
export async function ownerOf(tx: Tx, key: GameAccountKey): Promise<string | undefined> {
  return (await selectOwner(tx, key))?.account_id;
}

interface ArrivedPlayer extends GameAccountKey {
  /** As the game names the player. */
  displayName: string | undefined;
  now: Date;
}

/** Called in the transaction that makes the first unusually frequent account of a minute. */
export type OnManyNewPlayers = (
  tx: Tx,
  seen: { gameId: string; inOneMinute: number },
) => Promise<void>;

/**
 * The owner of a game account whose game has just stated that the player is there. Without an owner
 * an account is made, if the game says `arrival: create`. Concurrent calls make one account.
 */
export async function findOrMakeOwner(
  tx: Tx,
  player: ArrivedPlayer,
  onManyNewPlayers: OnManyNewPlayers,
): Promise<string | undefined> {
  const owner = await ownerOf(tx, player);
  if (owner !== undefined) return owner;
  const rule = await selectNewPlayersRule(tx, player.gameId);
  if (rule?.arrival !== 'create') return undefined;
  await lockGameAccount(tx, player);
  return (await ownerOf(tx, player)) ?? (await makeOwner(tx, player, rule, onManyNewPlayers));
}

async function makeOwner(
  tx: Tx,
  { gameId, gameAccountId, displayName, now }: ArrivedPlayer,
  { new_players_per_minute: max }: { new_players_per_minute: number },
  onManyNewPlayers: OnManyNewPlayers,
): Promise<string> {
  const accountId = newId();
  await insertArrivedAccount(tx, { accountId, displayName: displayName ?? gameAccountId });
  const binding = { accountId, gameId, gameAccountId, by: 'game' };
  // An import that makes the same player at this moment does not take the lock.
  if (!(await insertGameAccount(tx, binding))) throw new AppError('SystemBusy');
  // Last, because all accounts that are made for a game wait for this row.
  const key = `new-players:${gameId}`;
  await countUp(tx, [{ key, max, seconds: 60 }], now);
  const inOneMinute = (await readCounts(tx, [key], now))(key);
  if (inOneMinute > max) throw new AppError('SystemBusy');
  // A launch may look like this, and so does a stolen secret.
  if (inOneMinute === Math.ceil(max / 10)) await onManyNewPlayers(tx, { gameId, inOneMinute });
  return accountId;
}

/** Binds a game account without an owner; false if another account owns it. */
export async function bindGameAccount(
  tx: Tx,
  binding: GameAccountKey & { accountId: string; by?: string },
): Promise<boolean> {
  await lockGameAccount(tx, binding);
  const isNew = await insertGameAccount(tx, { by: 'operator', ...binding });
  return isNew || (await ownerOf(tx, binding)) === binding.accountId;
}

export const OwnedGameAccount = z.strictObject({
  accountId: z.string(),
  game: z.string(),
  gameAccount: z.string(),
});
type OperatorBinding = z.output<typeof OwnedGameAccount> & { by: string; reason: string };

export async function bindForOperator(
  tx: Tx,
  { accountId, game: gameId, gameAccount: gameAccountId, by, reason }: OperatorBinding,
): Promise<'bound' | 'no_account' | 'no_game' | 'taken'> {
  const account = isId(accountId) ? await lockState(tx, accountId) : undefined;
  if (account === undefined || account.state === 'erased') return 'no_account';
  if ((await selectNewPlayersRule(tx, gameId)) === undefined) return 'no_game';
  const isBound = await bindGameAccount(tx, { accountId, gameId, gameAccountId, by });
  if (!isBound) return 'taken';
  await insertAccountChange(tx, { id: newId(), accountId, change: 'bound', by, reason });
  return 'bound';
}

/**
 * Ends the owner's sessions, which would go on to act for the game account. An order that is placed
 * at this very moment stays its payer's, like all before it.
 */
export async function releaseForOperator(
  tx: Tx,
  { accountId, game: gameId, gameAccount: gameAccountId, by, reason }: OperatorBinding,
): Promise<'released' | 'not_owned' | 'order_open'> {
  const account = isId(accountId) ? await lockState(tx, accountId) : undefined;
  if (account === undefined) return 'not_owned';
  const binding = { accountId, gameId, gameAccountId };
  await lockGameAccount(tx, binding);
  const { is_unfinished } = await selectHasUnfinishedOrder(tx, binding);
  if (is_unfinished) return 'order_open';
  if (!(await releaseGameAccount(tx, { ...binding, id: newId(), by, reason }))) return 'not_owned';
  await insertAccountChange(tx, { id: newId(), accountId, change: 'released', by, reason });
  await deleteAccess(tx, accountId);
  return 'released';
}

/** False if there is no such game. */
export async function ruleNewPlayers(
  tx: Tx,
  rule: Parameters<typeof updateNewPlayersRule>[1],
): Promise<boolean> {
  return await updateNewPlayersRule(tx, rule);
}

/** The game accounts of an account and those that were taken from it. */
export async function gameAccountsOf(db: Db, accountId: string) {
  return {
    gameAccounts: await selectGameAccounts(db, accountId),
    formerGameAccounts: await selectFormerGameAccounts(db, accountId),
  };
}
