import type { Db } from '../../platform/db.ts';
import { laggingDeferrals } from '../points/points.ts';
import { correctDeferral } from './order-books.ts';
import { project } from './order-state.ts';
import { selectEvents, selectOrderLocked } from './orders.queries.ts';
import { dueOf } from './orders.ts';

const rowsMax = 200;

/**
 * Corrects the deferred revenue of top-ups that were changed by a process of the previous release,
 * which knows no deferrals, during a deployment. Checks the accounts with ledger postings in the
 * last minutes.
 */
export async function sweepDeferrals(db: Db, { minutes }: { minutes: number }): Promise<void> {
  for (const key of await laggingDeferrals(db, { minutes, rowsMax })) {
    await db.transaction(async (tx) => {
      const order = await selectOrderLocked(tx, key);
      // An archived top-up can only be spent, and the next spend corrects its deferral.
      if (order === undefined) return;
      const facts = (await selectEvents(tx, key)).map(({ fact }) => fact);
      await correctDeferral(tx, order, project(dueOf(order), facts));
    });
  }
}
