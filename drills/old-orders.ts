import type { Player } from './players.ts';
import { say } from './say.ts';
import type { Shop } from './shop.ts';

// What is another in each copy; all other columns are those of the model.
const differing: Readonly<Record<string, string>> = {
  account_id: 'copy.account_id',
  payment_id: 'copy.payment_id',
  origin_id: 'copy.payment_id',
  attempt_id: 'copy.attempt_id',
  client_order_id: 'gen_random_uuid()',
  psp_ref: `psp_ref || '_' || copy.number`,
  capture_id: `capture_id || '_' || copy.number`,
};

const tables = {
  orders: 'payment_id',
  order_keys: 'payment_id',
  order_events: 'payment_id',
  payment_attempts: 'payment_id',
  deliveries: 'payment_id',
  purchase_holds: 'payment_id',
  ledger_transfers: 'origin_id',
};

export interface OldMonth {
  /** As in `2025-01`. */
  name: string;
}

/**
 * Fills the months before this one with copies of an order, spread over the month and over accounts, with
 * every row that it has. The newest month comes first.
 */
export async function givenOldOrders(
  shop: Shop,
  {
    months,
    ordersPerMonth,
    paymentId,
    players,
  }: { months: number; ordersPerMonth: number; paymentId: string; players: readonly Player[] },
): Promise<OldMonth[]> {
  // As many accounts as a shop has whose players buy forty times, and the players who look meanwhile.
  await shop.query(
    `insert into accounts (id, account_type, display_name)
     select uuidv7(), 'ACCOUNT', 'old-' || number from generate_series(1, $1::int) as number`,
    [Math.ceil((months * ordersPerMonth) / 40)],
  );
  const known = players.map(({ accountId }) => `'${accountId}'`).join(', ');
  const made: OldMonth[] = [];
  for (let ago = 1; ago <= months; ago += 1) {
    const begins = `month_after(date_trunc('month', now(), 'UTC'), -${ago})`;
    await shop.query(`select make_month(${begins})`);
    const copies = await Promise.all(
      Object.entries(tables).map(([table, key]) => copyOf(shop, { table, key, paymentId })),
    );
    await shop.query(`
      set session_replication_role = replica;
      create temp table owners as
        select id as account_id, row_number() over () - 1 as number from accounts
        where display_name like 'old-%' or id in (${known});
      create temp table copies as
        select account_id, uuidv7(at - now()) as payment_id, uuidv7(at - now()) as attempt_id,
               now() - at as shift, copies.number || '_${ago}' as number
        from generate_series(0, ${ordersPerMonth - 1}) as copies (number)
        cross join lateral (
          select ${begins} + (month_after(${begins}) - ${begins}) * (copies.number + 0.5) / ${ordersPerMonth} as at
        ) as moments
        join owners on owners.number = (copies.number * 7919::bigint) % (select count(*) from owners);
      ${copies.join(';\n')}`);
    const [row] = await shop.query<{ name: string }>(
      `select to_char(${begins}, 'YYYY-MM') as name`,
    );
    if (row === undefined) throw new Error('The database does not know its months.');
    made.push(row);
    say(`${row.name} has ${ordersPerMonth} orders`);
  }
  await shop.query('analyze');
  return made;
}

/** A statement that copies one table's rows of the model for each row of `copies`. */
async function copyOf(
  shop: Shop,
  { table, key, paymentId }: { table: string; key: string; paymentId: string },
): Promise<string> {
  const columns = await shop.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [table],
  );
  const values = columns.map(
    ({ name, type }) =>
      differing[name] ??
      (type.startsWith('timestamp') ? `model.${name} - copy.shift` : `model.${name}`),
  );
  return `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
    select ${values.join(', ')} from ${table} as model, copies as copy where model.${key} = '${paymentId}'`;
}

/** What is in the tables of the months before a moment: how many rows, and a sum that says which. */
export async function contentsBefore(shop: Shop, month: string) {
  const rows = await Promise.all(
    Object.entries(tables).map(async ([table, key]) => {
      const [found] = await shop.query<{ rows: string; sum: string }>(
        `select count(*)::text as rows, coalesce(sum(hashtextextended(found::text, 0)::numeric), 0)::text as sum
         from ${table} as found where ${key} < uuid_v7_floor($1::timestamptz)`,
        [`${month}-01T00:00:00Z`],
      );
      return [table, found] as const;
    }),
  );
  return Object.fromEntries(rows);
}
