import type { Abroad } from './court.ts';
import { type Fact, readFact } from './facts.ts';
import { patienceMs } from './invariant.ts';
import { storyOf } from './order-story.ts';
import type { Snapshot } from './snapshot.ts';

/** When which top-ups were disputed, in milliseconds; without an end they still are. */
export type FrozenTimes = ReadonlyMap<string, readonly Interval[]>;
interface Interval {
  from: number;
  until: number;
}

export function isFrozenNow(frozen: FrozenTimes, originId: string): boolean {
  return frozen.get(originId)?.at(-1)?.until === Number.POSITIVE_INFINITY;
}

/** The wallet hears of a dispute a moment after the order, so close to its edges both are right. */
export function surelyFrozenAt(frozen: FrozenTimes, originId: string, at: string): boolean {
  return isWithin(frozen.get(originId), at, -patienceMs);
}

export function maybeFrozenAt(frozen: FrozenTimes, originId: string, at: string): boolean {
  return isWithin(frozen.get(originId), at, patienceMs);
}

function isWithin(intervals: readonly Interval[] | undefined, at: string, wider: number): boolean {
  if (intervals === undefined) return false;
  const moment = Date.parse(at);
  return intervals.some(({ from, until }) => moment >= from - wider && moment <= until + wider);
}

/** From the histories of those top-ups that were ever disputed; they are few. */
export async function frozenTimes(
  snapshot: Snapshot,
  orders: readonly Abroad[],
): Promise<FrozenTimes> {
  const disputed = orders.filter(({ isTopUp, disputes }) => isTopUp && disputes.length > 0);
  const rows = await snapshot.query(
    `select payment_id, fact, at
     from unnest($1::uuid[], $2::uuid[]) as wanted (account, "order"),
          -- One by one: all together are taken for so many that the whole table is read.
          lateral (select * from order_events
                   where account_id = account and payment_id = "order"
                     and fact ->> 'type' = 'disputed' offset 0) as events
     order by payment_id, seq`,
    [disputed.map(({ accountId }) => accountId), disputed.map(({ paymentId }) => paymentId)],
  );
  const histories = Map.groupBy(rows, ([paymentId = '']) => paymentId);
  return new Map([...histories].map(([paymentId, events]) => [paymentId, intervalsOf(events)]));
}

function intervalsOf(events: readonly (readonly string[])[]): Interval[] {
  const facts: Fact[] = [];
  const intervals: Interval[] = [];
  for (const [, fact = '', at = ''] of events) {
    const read = readFact(fact);
    if (read === undefined) continue;
    facts.push(read);
    // What it costs does not matter to whether somebody disputes it.
    const { isDisputed } = storyOf({ amountMinor: 0n, currency: '' }, facts);
    const last = intervals.at(-1);
    const isFrozen = last?.until === Number.POSITIVE_INFINITY;
    if (isDisputed && !isFrozen) {
      intervals.push({ from: Date.parse(at), until: Number.POSITIVE_INFINITY });
    }
    if (!isDisputed && isFrozen) last.until = Date.parse(at);
  }
  return intervals;
}
