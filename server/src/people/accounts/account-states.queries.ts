import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

const AccountState = z.enum(['open', 'suspended', 'leaving', 'erased']);
export type AccountState = z.output<typeof AccountState>;

export type AccountChange =
  | 'suspended'
  | 'reinstated'
  | 'signed_out'
  | 'leaving'
  | 'kept'
  | 'erased'
  | 'bound'
  | 'released';

const StateRow = z.object({ state: AccountState });

/** Share-locks the account, so that no sign-in runs concurrently with a change of its state. */
export function shareState(tx: Tx, accountId: string) {
  return tx.maybeOne(StateRow, sql`select state from accounts where id = ${accountId} for share`);
}

export function lockState(tx: Tx, accountId: string) {
  return tx.maybeOne(
    StateRow,
    sql`select state from accounts where id = ${accountId} for no key update`,
  );
}

export async function updateAccountState(
  tx: Tx,
  { accountId, state }: { accountId: string; state: AccountState },
): Promise<void> {
  await tx.run(sql`update accounts set state = ${state} where id = ${accountId}`);
}

export async function insertAccountChange(
  tx: Tx,
  change: {
    id: string;
    accountId: string;
    change: AccountChange;
    by: string;
    reason: string | null;
  },
): Promise<void> {
  await tx.run(sql`
    insert into account_changes (id, account_id, change, by, reason)
    values (${change.id}, ${change.accountId}, ${change.change}, ${change.by}, ${change.reason})`);
}

export function selectAccountOrigin(db: Db, accountId: string) {
  return db.maybeOne(
    StateRow.extend({ origin: z.string(), created_at: z.date() }),
    sql`select state, origin, created_at from accounts where id = ${accountId}`,
  );
}

const ChangeRow = z.object({
  change: z.string(),
  by: z.string(),
  reason: z.string().nullable(),
  at: z.date(),
});

export function selectAccountChanges(db: Db | Tx, accountId: string) {
  return db.many(
    ChangeRow,
    sql`
      select change, by, reason, at from account_changes
      where account_id = ${accountId} order by at, id`,
  );
}
