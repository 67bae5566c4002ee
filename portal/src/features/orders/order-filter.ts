import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import { OrderKind, type orderList, ShownStatus } from '@pointgate/contract/orders.ts';
import { useSearchParams } from 'react-router';
import { serverNow } from '../../shared/api/server-clock.ts';

/** The periods of the time filter. */
export const periods = ['7d', '30d', '90d', '365d'] as const;
type Period = (typeof periods)[number];

const dayMs = 86_400_000;
const lengthMs: Record<Period, number> = {
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '365d': 365 * dayMs,
};

/** The filter of the order list; `null` means all. */
export interface OrderFilter {
  shown: ShownStatus | null;
  kind: 'item' | 'points' | null;
  gameId: string | null;
  period: Period | null;
}

export const everyOrder: OrderFilter = { shown: null, kind: null, gameId: null, period: null };

// The parameter names. `from` is reserved for the traffic source.
const names = {
  shown: 'status',
  kind: 'kind',
  gameId: 'game',
  period: 'time',
} as const satisfies Record<keyof OrderFilter, string>;

/** The filter is kept in the address, for bookmarks and the back button. */
export function useOrderFilter() {
  const [query, setQuery] = useSearchParams();
  const filter = filterOf(query);
  const change = (changes: Partial<OrderFilter>) =>
    setQuery((before) => withFilter(before, { ...filterOf(before), ...changes }), {
      replace: true,
      preventScrollReset: true,
    });
  return { filter, change, isNarrowed: Object.values(filter).some((value) => value !== null) };
}

/** Reads the filter of an address and ignores unknown values. */
function filterOf(query: URLSearchParams): OrderFilter {
  const { data: shown = null } = ShownStatus.safeParse(query.get(names.shown));
  const { data: kind = null } = OrderKind.safeParse(query.get(names.kind));
  const period = periods.find((known) => known === query.get(names.period)) ?? null;
  return { shown, kind, gameId: query.get(names.gameId) || null, period };
}

function withFilter(before: URLSearchParams, filter: OrderFilter): URLSearchParams {
  const query = new URLSearchParams(before);
  const set = (name: string, value: string | null) =>
    value === null ? query.delete(name) : query.set(name, value);
  set(names.shown, filter.shown);
  set(names.kind, filter.kind);
  set(names.gameId, filter.gameId);
  set(names.period, filter.period);
  return query;
}

/** The filter as request parameters, by the server time. */
export function asked({
  period,
  ...filter
}: OrderFilter): Pick<BodyOf<typeof orderList>, 'shown' | 'kind' | 'gameId' | 'from' | 'until'> {
  const from = period === null ? null : new Date(serverNow() - lengthMs[period]).toISOString();
  return { ...filter, from, until: null };
}
