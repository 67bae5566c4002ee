import type { Query } from './database.ts';

/** A range of ids, which sort by time; an empty text is no limit. */
export interface IdRange {
  from: string;
  until: string;
  /** A month such as `2026-10`; undefined for ids outside all partitions. */
  month: string | undefined;
  state: MonthState;
}

/**
 * `present`: its orders are in the tables. `archived`: only its ledger is. `moving`: archiving is
 * in progress and some of its tables are gone. `none`: no order can have such an id.
 */
export type MonthState = 'present' | 'archived' | 'moving' | 'none';

const bounds = (parent: string) => `
  select bounds[1], bounds[2], '${parent}'
  from pg_inherits join pg_class on pg_class.oid = inhrelid,
       regexp_match(pg_get_expr(relpartbound, inhrelid),
                    'FROM \\(''([-0-9a-f]+)''\\) TO \\(''([-0-9a-f]+)''\\)') as bounds
  where inhparent = '${parent}'::regclass and bounds is not null and not inhdetachpending`;

/** The months of the partitions, and the id ranges before, between and after them. */
export async function readRanges(query: Query): Promise<IdRange[]> {
  const [parts, archives] = await Promise.all([
    query(`${bounds('orders')} union all ${bounds('ledger_transfers')}`),
    query(`select to_char(month, 'YYYY-MM'), state from archives where state <> 'restored'`),
  ]);
  const orders = new Set(parts.filter(([, , of]) => of === 'orders').map(([from]) => from));
  const archived = new Map(archives.map(([month = '', state = '']) => [month, state]));
  const ends = new Map(parts.map(([from = '', until = '']) => [from, until]));
  const edges = [...new Set([...ends.keys(), ...ends.values()])].toSorted();
  return [...edges, ''].map((until, index) => {
    const from = edges[index - 1] ?? '';
    if (from === '' || ends.get(from) !== until) {
      return { from, until, month: undefined, state: 'none' };
    }
    const month = monthOf(from);
    const state = stateOf(archived.get(month), orders.has(from));
    return { from, until, month, state };
  });
}

function stateOf(archive: string | undefined, hasOrders: boolean): MonthState {
  if (archive === 'archived') return 'archived';
  // Archiving detaches the tables of a month one after the other.
  if (archive !== undefined) return 'moving';
  return hasOrders ? 'present' : 'none';
}

/** An id begins with its creation time in milliseconds. */
function monthOf(id: string): string {
  const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  return new Date(ms).toISOString().slice(0, 7);
}

export function idsIn(column: string, { from, until }: IdRange): string {
  const limits = [
    ...(from === '' ? [] : [`${column} >= '${from}'`]),
    ...(until === '' ? [] : [`${column} < '${until}'`]),
  ];
  return limits.length === 0 ? 'true' : limits.join(' and ');
}

export function isWithin(id: string, { from, until }: IdRange): boolean {
  return id >= from && (until === '' || id < until);
}
