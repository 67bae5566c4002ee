import { z } from 'zod';
import { lockAccount } from '../src/people/accounts/accounts.ts';
import { sql, type Tx } from '../src/platform/db.ts';
import { eventually, type Reply, type TestShop } from './shop.ts';

/**
 * Makes a call that waits for the lock on its account, and commits a change before releasing it.
 */
export async function whileItWaits(
  shop: TestShop,
  accountId: string,
  { call, change }: { call: () => Promise<Reply>; change: (tx: Tx) => Promise<unknown> },
): Promise<Reply> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const changing = shop.db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    held.resolve();
    await released.promise;
    await change(tx);
  });
  await held.promise;
  const answer = call();
  await eventually(async () => (await waiters(shop)) > 0);
  released.resolve();
  await changing;
  return await answer;
}

async function waiters({ db }: TestShop): Promise<number> {
  const { count } = await db.one(
    z.object({ count: z.int() }),
    sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return count;
}
