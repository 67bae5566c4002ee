import type { Query } from './database.ts';
import { type Kind, type OrderToCheck, rowKinds } from './order-rows.ts';
import { type IdRange, idsIn } from './ranges.ts';

/** A batch of orders with all their rows: some thousand rows of each table of a month. */
export interface Batch {
  ordersToCheck: OrderToCheck[];
  /** Undefined once all orders were read. */
  end: OrderKey | undefined;
}

/** Limits of a batch by account and order id, as query parameters. */
export interface Between {
  after: OrderKey;
  end: OrderKey | undefined;
}

export interface OrderKey {
  accountId: string;
  id: string;
}

const nobody = '00000000-0000-0000-0000-000000000000';
export const firstKey: OrderKey = { accountId: nobody, id: nobody };

/** Sorted by account, because the only index of a month's tables begins with the account id. */
const keyedKinds = rowKinds.filter(({ isById }) => isById !== true);

export function valuesOf({ after, end }: Between): string[] {
  return [after.accountId, after.id, ...(end === undefined ? [] : [end.accountId, end.id])];
}

/** A SQL condition for rows between two keys of a range; its parameters are `valuesOf`. */
export function isBetween(key: string, range: IdRange, { end }: Between): string {
  const upTo = end === undefined ? '' : `and (account_id, ${key}) <= ($3::uuid, $4::uuid)`;
  return `(account_id, ${key}) > ($1::uuid, $2::uuid) ${upTo} and ${idsIn(key, range)}`;
}

/**
 * The last order of a batch: up to it no table has more rows than the batch size, except for rows
 * of that order itself.
 */
export async function findEnd(
  query: Query,
  range: IdRange,
  { after, rows }: { after: OrderKey; rows: number },
): Promise<OrderKey | undefined> {
  const ends = keyedKinds.map(
    ({ from, key }) => `
      (select account_id, ${key} as id from ${from}
       where ${isBetween(key, range, { after, end: undefined })}
       order by account_id, ${key} offset ${rows - 1} limit 1)`,
  );
  const [end] = await query(
    `select account_id, id from (${ends.join(' union all ')}) as ends order by account_id, id limit 1`,
    valuesOf({ after, end: undefined }),
  );
  const [accountId, id] = end ?? [];
  return accountId === undefined || id === undefined ? undefined : { accountId, id };
}

/** Rows whose order is missing are read like all others. */
export async function readBatch(query: Query, range: IdRange, between: Between): Promise<Batch> {
  const keyed = keyedKinds.map(
    (kind) => `
      select account_id, ${kind.key}, ${written(kind)} from ${kind.from}
      where ${isBetween(kind.key, range, between)} ${kind.where === undefined ? '' : `and ${kind.where}`}`,
  );
  const byId = rowKinds
    .filter(({ isById }) => isById === true)
    .map(
      (kind) => `
      select chosen_account, chosen_order, row_text
      from chosen,
           -- One by one: all together are taken for so many that the whole table is read.
           lateral (select account_id, ${written(kind)} as row_text from ${kind.from}
                    where payment_id = chosen_order offset 0) as order_rows
      where account_id = chosen_account`,
    );
  const rows = await query(
    `with chosen (chosen_account, chosen_order) as materialized (
       select account_id, payment_id from orders where ${isBetween('payment_id', range, between)}
     )
     select account_id, id, string_agg(row_text, e'\\n'), count(*)
     from (${[...keyed, ...byId].join(' union all ')}) as order_rows (account_id, id, row_text)
     group by account_id, id`,
    valuesOf(between),
  );
  return {
    ordersToCheck: rows.map(([accountId = '', paymentId = '', text = '', count]) => ({
      accountId,
      paymentId,
      text,
      count: Number(count),
    })),
    end: between.end,
  };
}

/** A SQL expression that writes a row as text: first the kind, then each cell. */
function written({ from, cells }: Kind): string {
  const form = [from, ...cells.map(() => '%s')].join('\\t');
  return `format(${[`e'${form}'`, ...cells].join(', ')})`;
}
