import type { Db } from '../../platform/db.ts';
import { laggingDeferrals } from '../points/points.ts';
import { correctDeferral } from './order-books.ts';
import { project } from './order-state.ts';
import { lockOrder, selectEvents } from './orders.queries.ts';
import { dueOf } from './orders.ts';

const rowsMax = 200;

/**
 * Corrects what is deferred of top-ups whose points or money were moved by a process that knows nothing of it:
 * of the release before, while programs are replaced. Looks at accounts in whose books something was
 * posted in so many minutes.
 */
export async function sweepDeferrals(db: Db, { minutes }: { minutes: number }): Promise<void> {
  for (const key of await laggingDeferrals(db, { minutes, rowsMax })) {
    await db.transaction(async (tx) => {
      const order = await lockOrder(tx, key);
      // One that is archived has nothing left to do but to be spent, and is corrected by that.
      if (order === undefined) return;
      const facts = (await selectEvents(tx, key)).map(({ fact }) => fact);
      await correctDeferral(tx, order, project(dueOf(order), facts));
    });
  }
}
