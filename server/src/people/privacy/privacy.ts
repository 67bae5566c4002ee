import { daysToComeBack } from '@pointgate/contract/privacy.ts';
import type { Db } from '../../platform/db.ts';
import { log } from '../../platform/log.ts';
import { monthOf } from '../../platform/month.ts';
import { newSecret } from '../../platform/secrets.ts';
import { closeAccount, leaveAccount } from '../accounts/account-states.ts';
import {
  maskedRealName,
  type PeopleContext,
  plainRealName,
  readRealName,
  shredPerson,
} from '../real-names/real-names.ts';
import {
  deleteMessages,
  deletePerson,
  type MessageKey,
  rewriteOrders,
  selectAccountsToErase,
  selectErasedWithOrders,
  selectIsUnfinished,
} from './erasure.queries.ts';
import { selectEverything } from './export.queries.ts';

const erasedAtOnceMax = 20;

interface Erasure {
  accountId: string;
  by: string;
  reason: string | null;
}

/** Schedules the erasure of the account; the player can cancel it by signing in before. */
export async function leaveShop(db: Db, accountId: string): Promise<boolean> {
  return await leaveAccount(db, { accountId, by: 'player', reason: null });
}

class Unfinished extends Error {}

/**
 * Erases the person behind an account. Orders, payments, deliveries and refunds stay as
 * pseudonymous records, because the books have to add up. An account with an unfinished order is
 * not erased.
 */
export async function eraseAccount(
  db: Db,
  erasure: Erasure,
): Promise<'erased' | 'unfinished' | 'not_there'> {
  try {
    await forgetMessages(db, [erasure.accountId]);
    const isErased = await erase(db, erasure, ['open', 'suspended', 'leaving']);
    return isErased ? 'erased' : 'not_there';
  } catch (error) {
    if (error instanceof Unfinished) return 'unfinished';
    throw error;
  }
}

/** Erases accounts whose owner left long enough ago and has not come back. */
export async function eraseWhoLeft(db: Db, { now }: { now: () => number }): Promise<void> {
  const leftBefore = new Date(now() - daysToComeBack * 24 * 60 * 60_000);
  const rows = await selectAccountsToErase(db, { leftBefore, rowsMax: erasedAtOnceMax });
  if (rows.length === 0) return;
  const accountIds = rows.map(({ account_id }) => account_id);
  await forgetMessages(db, accountIds);
  for (const accountId of accountIds) {
    await erase(db, { accountId, by: 'worker', reason: null }, ['leaving']);
  }
}

/** Repeats the erasure for orders restored from an archive that was written before the erasure. */
export async function eraseInMonth(db: Db, monthName: string): Promise<void> {
  const month = monthOf(monthName);
  if (month === undefined) return;
  for (const { account_id: accountId } of await selectErasedWithOrders(db, month)) {
    await db.transaction((tx) => rewriteOrders(tx, { accountId, salt: newSecret() }));
  }
}

async function erase(
  db: Db,
  erasure: Erasure,
  from: Parameters<typeof closeAccount>[2],
): Promise<boolean> {
  const { accountId, by } = erasure;
  const isErased = await db.transaction(async (tx) => {
    if (!(await closeAccount(tx, erasure, from))) return false;
    if ((await selectIsUnfinished(tx, accountId)).is_unfinished) throw new Unfinished();
    await shredPerson(tx, { accountId, by });
    await deletePerson(tx, accountId);
    // The salt is not stored, so that the pseudonyms cannot be reversed.
    await rewriteOrders(tx, { accountId, salt: newSecret() });
    return true;
  });
  if (isErased) log.info({ accountId, by }, 'an account was erased');
  return isErased;
}

async function forgetMessages(db: Db, accountIds: string[]): Promise<void> {
  let after: MessageKey | undefined = { psp: '', event_id: '' };
  while (after !== undefined) {
    const page: Parameters<typeof deleteMessages>[1] = { accountIds, after, rowsMax: 5_000 };
    after = await db.transaction((tx) => deleteMessages(tx, page));
  }
}

interface ExportAsked {
  accountId: string;
  by: string;
  requestId: string | null;
  /**
   * Masked real-name data, as on the player's own page; an operator who has verified the requester
   * gets it in full.
   */
  isMasked: boolean;
}

/** All stored data of an account as the text of one JSON object, with the rows of each table. */
export async function* exportAccount(
  db: Db,
  people: PeopleContext,
  { isMasked, ...asked }: ExportAsked,
): AsyncGenerator<string> {
  const person = await readRealName(db, people, asked);
  const realName = isMasked ? maskedRealName(person) : plainRealName(person);
  yield `{"format":"pointgate-account-1","realName":${JSON.stringify(realName)},"tables":{`;
  let last: string | undefined;
  for await (const { table, rows } of selectEverything(db, asked.accountId)) {
    const isNew = table !== last;
    if (isNew) yield `${last === undefined ? '' : ']\n,'}${JSON.stringify(table)}:[`;
    last = table;
    if (rows.length > 0)
      yield `${isNew ? '' : ','}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`;
  }
  yield ']}}\n';
}
