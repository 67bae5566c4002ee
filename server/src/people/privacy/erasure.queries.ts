import { z } from 'zod';
import { type Db, type Sql, sql, type Tx } from '../../platform/db.ts';
import { unfinishedOrderStates } from '../accounts/account-states.ts';

const LeavingRow = z.object({ account_id: z.uuid() });

/** While an order is in one of these states, nothing is erased. */
const unfinished = sql`any(${[...unfinishedOrderStates]}::text[])`;

/** Accounts whose owner left before this time, and which have no unfinished order. */
export function selectAccountsToErase(
  db: Db,
  { leftBefore, rowsMax }: { leftBefore: Date; rowsMax: number },
) {
  return db.many(
    LeavingRow,
    sql`
      select accounts.id as account_id from accounts
      where accounts.state = 'leaving'
        and (select max(at) from account_changes
             where account_changes.account_id = accounts.id and change = 'leaving') <= ${leftBefore}
        and not exists (
          select from orders where orders.account_id = accounts.id and orders.state = ${unfinished})
      order by accounts.id limit ${rowsMax}`,
  );
}

export function selectIsUnfinished(tx: Tx, accountId: string) {
  return tx.one(
    z.object({ is_unfinished: z.boolean() }),
    sql`
      select exists (
        select from orders where account_id = ${accountId} and state = ${unfinished}
      ) as is_unfinished`,
  );
}

/** Deletes identity, sign-in methods and known places of an account. */
export async function deletePerson(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`delete from passkeys where account_id = ${accountId}`);
  await tx.run(sql`delete from known_devices where account_id = ${accountId}`);
  await tx.run(sql`delete from known_networks where account_id = ${accountId}`);
  await tx.run(sql`delete from character_choices where account_id = ${accountId}`);
  await tx.run(sql`delete from game_accounts where account_id = ${accountId}`);
  await tx.run(sql`delete from former_game_accounts where account_id = ${accountId}`);
  await tx.run(sql`delete from passkey_reviews where account_id = ${accountId}`);
  await tx.run(sql`delete from recovery_codes where account_id = ${accountId}`);
  await tx.run(sql`delete from account_notices where account_id = ${accountId}`);
  await tx.run(sql`delete from account_addresses where account_id = ${accountId}`);
  await tx.run(sql`delete from identities where account_id = ${accountId}`);
  await tx.run(sql`delete from budgets where account_id = ${accountId}`);
  await tx.run(sql`delete from people where account_id = ${accountId}`);
  await tx.run(sql`update accounts set display_name = '' where id = ${accountId}`);
}

const MessageKey = z.object({ psp: z.string(), event_id: z.string() });
export type MessageKey = z.output<typeof MessageKey>;

/**
 * Deletes provider messages about payments of the accounts, which can name the payer, in one page
 * after a key. Answers the last key of the page. It scans the inbox, because an index by account
 * would cost every insert for a query that runs a few times a day.
 */
export function deleteMessages(
  tx: Tx,
  { accountIds, after, rowsMax }: { accountIds: string[]; after: MessageKey; rowsMax: number },
): Promise<MessageKey | undefined> {
  return tx.maybeOne(
    MessageKey,
    sql`
      with page as (
        select psp, event_id, subject, processed_at from provider_inbox
        where (psp, event_id) > (${after.psp}, ${after.event_id})
        order by psp, event_id limit ${rowsMax}
      ), deleted as (
        delete from provider_inbox using page
        where provider_inbox.psp = page.psp and provider_inbox.event_id = page.event_id
          and page.processed_at is not null
          and (page.subject -> 'reference' ->> 'accountId' = any(${accountIds}::text[])
            or page.subject ->> 'captureId' in (
              select capture_id from payment_attempts where account_id = any(${accountIds}::uuid[])))
      )
      select psp, event_id from page order by psp desc, event_id desc limit 1`,
  );
}

// A pseudonym that is equal for equal roles and cannot be reversed.
const madeUp = (salt: string, name: Sql) =>
  sql`'erased-' || left(encode(sha256(convert_to(${salt}::text || ${name}, 'UTF8')), 'hex'), 16)`;

/**
 * Pseudonymises role and game account of all orders. What was bought, when and for how much stays.
 */
export async function rewriteOrders(
  tx: Tx,
  { accountId, salt }: { accountId: string; salt: string },
): Promise<void> {
  await tx.run(sql`
    update orders set
      role_id = ${madeUp(salt, sql`role_id`)},
      game_account_id = ${madeUp(salt, sql`game_account_id`)},
      snapshot = jsonb_set(snapshot, '{roleName}', 'null')
    where account_id = ${accountId} and kind = 'item' and role_id not like 'erased-%'`);
  await tx.run(sql`
    update payment_attempts set payer = null, action = null
    where account_id = ${accountId} and (payer is not null or action is not null)`);
  for (const table of [sql`purchase_holds`, sql`purchase_counters`]) {
    // The holder of a limit per role is `server/role`.
    await tx.run(sql`
      update ${table} set
        holder = split_part(holder, '/', 1) || '/'
          || ${madeUp(salt, sql`substr(holder, strpos(holder, '/') + 1)`)}
      where account_id = ${accountId} and holder like '%/%' and holder not like '%/erased-%'`);
  }
}

/** Erased accounts with unmasked orders of a month, which was restored from its archive. */
export function selectErasedWithOrders(db: Db, month: { firstId: string; endId: string }) {
  return db.many(
    LeavingRow,
    sql`
      select distinct orders.account_id from orders
      join accounts on accounts.id = orders.account_id and accounts.state = 'erased'
      where orders.payment_id >= ${month.firstId} and orders.payment_id < ${month.endId}
        and orders.role_id not like 'erased-%'`,
  );
}
