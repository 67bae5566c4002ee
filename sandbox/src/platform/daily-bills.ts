import { dayStart } from './beijing.ts';
import type { Clock } from './clock.ts';
import { object, oneOf, type ReadBy } from './shape.ts';

export const billPlanReader = object({
  /**
   * When a bill is available: from its hour of the next day, for every day that has begun, never
   * yet, or for every day, including days without payments and future days.
   */
  outcome: oneOf(['next_day', 'ready', 'creating', 'every_day']),
});
export type BillPlan = ReadBy<typeof billPlanReader>;

export const noBillPlan: BillPlan = { outcome: 'next_day' };

const daySeconds = 24 * 3600;

export type BillDay = { day: string; from: number; until: number };

/** A day in Beijing and the state of its bill; undefined for a malformed date. */
export function billDay(
  { clock, billPlan }: { clock: Clock; billPlan: BillPlan },
  { day, readyAtHour }: { day: string; readyAtHour: number },
): (BillDay & { state: 'to_come' | 'creating' | 'ready' }) | undefined {
  const from = dayStart(day);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(from)) return undefined;
  const now = clock.nowSeconds();
  const until = from + daySeconds;
  if (billPlan.outcome === 'every_day') return { day, from, until, state: 'ready' };
  if (from > now) return { day, from, until, state: 'to_come' };
  const isDue = billPlan.outcome === 'ready' || now >= until + readyAtHour * 3600;
  const isThere = isDue && billPlan.outcome !== 'creating';
  return { day, from, until, state: isThere ? 'ready' : 'creating' };
}
