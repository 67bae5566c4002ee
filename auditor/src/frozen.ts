import { type AccountRange, accountsIn } from './account-ranges.ts';
import { deriveExpectedOrder } from './expected-order.ts';
import { type Fact, readFact } from './facts.ts';
import { gracePeriodMs } from './invariant.ts';
import { type IdRange, isWithin as isIdWithin } from './ranges.ts';

/**
 * The periods, in milliseconds, in which top-ups were disputed; without an end the dispute is open.
 */
export interface FrozenTimes {
  intervals: ReadonlyMap<string, readonly Interval[]>;
  /** Archived months: disputes in them are unknown, so their top-ups may have been frozen. */
  archivedRanges: readonly IdRange[];
}
interface Interval {
  from: number;
  until: number;
}

export function isFrozenNow(frozen: FrozenTimes, originId: string): boolean {
  return frozen.intervals.get(originId)?.at(-1)?.until === Number.POSITIVE_INFINITY;
}

/**
 * Whether the lot was certainly frozen. The wallet is updated a moment after the order, so close to
 * the start and end of a dispute both states are valid.
 */
export function surelyFrozenAt(frozen: FrozenTimes, originId: string, at: string): boolean {
  return isWithin(frozen.intervals.get(originId), at, -gracePeriodMs);
}

export function maybeFrozenAt(frozen: FrozenTimes, originId: string, at: string): boolean {
  if (frozen.archivedRanges.some((range) => isIdWithin(originId, range))) return true;
  return isWithin(frozen.intervals.get(originId), at, gracePeriodMs);
}

function isWithin(intervals: readonly Interval[] | undefined, at: string, wider: number): boolean {
  if (intervals === undefined) return false;
  const moment = Date.parse(at);
  return intervals.some(({ from, until }) => moment >= from - wider && moment <= until + wider);
}

/** The dispute facts of all top-ups of a range of accounts, as SQL; there are few. */
export const disputesOf = (accounts: AccountRange) => `
  select account_id, 'dispute', concat_ws(e'\\t', origin_id, seq, at, fact)
  from (select distinct account_id, origin_id from point_lots
        where ${accountsIn('account_id', accounts)}) as lots,
       -- One by one: all together are taken for so many that the whole table is read.
       lateral (select seq, at, fact from order_events
                where order_events.account_id = lots.account_id and payment_id = lots.origin_id
                  and fact ->> 'type' = 'disputed' offset 0) as events`;

export function frozenTimes(disputes: readonly string[], ranges: readonly IdRange[]): FrozenTimes {
  const events = disputes
    .map((text) => text.split('\t'))
    .sort(([, one], [, other]) => Number(one) - Number(other));
  const histories = Map.groupBy(events, ([paymentId = '']) => paymentId);
  return {
    intervals: new Map(
      [...histories].map(([paymentId, history]) => [paymentId, intervalsOf(history)]),
    ),
    archivedRanges: ranges.filter(({ state }) => state === 'archived' || state === 'moving'),
  };
}

function intervalsOf(events: readonly (readonly string[])[]): Interval[] {
  const facts: Fact[] = [];
  const intervals: Interval[] = [];
  for (const [, , at = '', fact = ''] of events) {
    const read = readFact(fact);
    if (read === undefined) continue;
    facts.push(read);
    // The price does not affect whether an order is disputed.
    const { isDisputed } = deriveExpectedOrder({ amountMinor: 0n, currency: '' }, facts);
    const last = intervals.at(-1);
    const isFrozen = last?.until === Number.POSITIVE_INFINITY;
    if (isDisputed && !isFrozen) {
      intervals.push({ from: Date.parse(at), until: Number.POSITIVE_INFINITY });
    }
    if (!isDisputed && isFrozen) last.until = Date.parse(at);
  }
  return intervals;
}
