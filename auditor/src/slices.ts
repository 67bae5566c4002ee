import type { Query } from './database.ts';
import { type IdRange, idsIn } from './ranges.ts';

/** The number of our orders that are compared at once. */
const ordersAtOnce = 20_000;

/** Splits a range of ids into parts whose orders fit into memory on both sides. */
export async function slicesOf(query: Query, range: IdRange): Promise<IdRange[]> {
  const rows = await query(`
    select payment_id from (
      select payment_id, row_number() over (order by payment_id) as nth
      from orders where ${idsIn('payment_id', range)}
    ) as orders
    where nth % ${ordersAtOnce} = 0 order by payment_id`);
  const edges = [...rows.map(([id = '']) => id), range.until];
  return edges.map((until, index) => ({ ...range, from: edges[index - 1] ?? range.from, until }));
}
