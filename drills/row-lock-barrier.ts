import pg from 'pg';
import { type Activity, repeatUntilStopped } from './activity.ts';
import { pause } from './pause.ts';

/** Holds back concurrent requests and releases them together. */
export interface RowLockBarrier extends Activity {
  /** The largest number of requests released at once. */
  mostReleased(): number;
}

const waitingWanted = 8;
// Below five seconds, the lock timeout of the shop.
const holdMs = 3_000;

/**
 * Repeatedly locks the row of an order, so that all requests for it wait, and releases the lock for
 * all at once. Programs that take a second to start would otherwise never run concurrently.
 */
export async function startRowLockBarrier(
  databaseUrl: string,
  paymentId: string,
): Promise<RowLockBarrier> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  const observer = new pg.Client({ connectionString: databaseUrl });
  await Promise.all([holder.connect(), observer.connect()]);
  let largest = 0;
  const countWaiting = async () => {
    const found = await observer.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock'`,
    );
    return found.rows[0]?.count ?? 0;
  };
  const locking = repeatUntilStopped([
    async () => {
      await holder.query('begin');
      await holder.query('select from orders where payment_id = $1 for update', [paymentId]);
      const deadline = performance.now() + holdMs;
      let waiting = 0;
      while (waiting < waitingWanted && performance.now() < deadline) {
        waiting = await countWaiting();
        await pause(20);
      }
      largest = Math.max(largest, waiting);
      await holder.query('rollback');
      await pause(100);
    },
  ]);
  return {
    ...locking,
    stop: async () => {
      await locking.stop();
      await Promise.all([holder.end(), observer.end()]);
    },
    mostReleased: () => largest,
  };
}
