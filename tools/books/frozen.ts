import type { Abroad } from './court.ts';
import { type Fact, readFact } from './facts.ts';
import { storyOf } from './order-story.ts';
import type { Snapshot } from './snapshot.ts';

/** When which top-ups were disputed: their orders, and the moments from and until. */
export type FrozenTimes = readonly [origins: string[], from: string[], until: string[]];

/** From the histories of those top-ups that were ever disputed; they are few. */
export async function frozenTimes(
  snapshot: Snapshot,
  orders: readonly Abroad[],
): Promise<FrozenTimes> {
  const disputed = orders.filter(({ isTopUp, disputes }) => isTopUp && disputes.length > 0);
  const rows = await snapshot.query(
    `select payment_id, fact, at from order_events
     join unnest($1::uuid[], $2::uuid[]) as wanted (account, "order")
       on account_id = account and payment_id = "order"
     order by payment_id, seq`,
    [disputed.map(({ accountId }) => accountId), disputed.map(({ paymentId }) => paymentId)],
  );
  const times: [string[], string[], string[]] = [[], [], []];
  for (const [paymentId = '', events] of Map.groupBy(rows, ([id]) => id)) {
    const told = events.map(([, fact = '', at = '']) => ({ fact, at }));
    for (const { from, until } of intervalsOf(told)) {
      times[0].push(paymentId);
      times[1].push(from);
      times[2].push(until);
    }
  }
  return times;
}

function intervalsOf(
  events: readonly { fact: string; at: string }[],
): { from: string; until: string }[] {
  const facts: Fact[] = [];
  const intervals: { from: string; until: string }[] = [];
  for (const { fact, at } of events) {
    const read = readFact(fact);
    if (read === undefined) continue;
    facts.push(read);
    // What it costs does not matter to whether somebody disputes it.
    const { isDisputed } = storyOf({ amountMinor: 0n, currency: '' }, facts);
    const last = intervals.at(-1);
    const isFrozen = last?.until === 'infinity';
    if (isDisputed && !isFrozen) intervals.push({ from: at, until: 'infinity' });
    if (!isDisputed && isFrozen) last.until = at;
  }
  return intervals;
}
