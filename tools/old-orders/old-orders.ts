import type pg from 'pg';

/** Access to the tables of a shop for tests that fill them. Each text is one transaction. */
export type Query = <Row extends pg.QueryResultRow>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>;

/** Orders to be copied, spread evenly over a time range and over accounts. Both ends are SQL. */
export interface Copies {
  begins: string;
  ends: string;
  count: number;
  /** A unique text of letters and digits. */
  name: string;
}

const tables = {
  orders: 'payment_id',
  order_keys: 'payment_id',
  order_events: 'payment_id',
  payment_attempts: 'payment_id',
  deliveries: 'payment_id',
  purchase_holds: 'payment_id',
  ledger_transfers: 'origin_id',
};

// Columns that differ in each copy; all others are those of the original.
const differing: Readonly<Record<string, string>> = {
  account_id: 'copy.account_id',
  payment_id: 'copy.payment_id',
  origin_id: 'copy.payment_id',
  attempt_id: 'copy.attempt_id',
  client_order_id: 'gen_random_uuid()',
};

const isOwner = `display_name like 'old-%'`;

/** Creates accounts for an average of forty orders each. */
export async function givenOwners(query: Query, orders: number): Promise<void> {
  await query(
    `insert into accounts (id, account_type, display_name)
     select uuidv7(), 'ACCOUNT', 'old-' || number from generate_series(1, $1::int) as number`,
    [Math.ceil(orders / 40)],
  );
}

/**
 * Copies a paid and delivered order with all its rows, as purchases of other accounts: each copy
 * has its own payments. Further accounts can be added to the owners.
 */
export async function copyOrder(
  query: Query,
  paymentId: string,
  { begins, ends, count, name }: Copies,
  accountIds: readonly string[],
): Promise<void> {
  const [model] = await query<{ attempt_id: string; psp_ref: string; capture_id: string }>(
    'select attempt_id, psp_ref, capture_id from payment_attempts where payment_id = $1',
    [paymentId],
  );
  if (model === undefined) throw new Error(`Order ${paymentId} was not paid at a provider.`);
  const own: Own[] = [
    [paymentId, 'copy.payment_id::text'],
    [model.attempt_id, 'copy.attempt_id::text'],
    [model.psp_ref, `'${model.psp_ref}' || copy.name`],
    [model.capture_id, `'${model.capture_id}' || copy.name`],
  ];
  const copied = await Promise.all(
    Object.entries(tables).map(([table, key]) => copyOf(query, { table, key, paymentId, own })),
  );
  const more = accountIds.map((id) => `'${id}'`).join(', ') || 'null';
  await query(`
    set session_replication_role = replica;
    create temp table owners on commit drop as
      select id as account_id, row_number() over () - 1 as number
      from accounts where ${isOwner} or id in (${more});
    create temp table copies on commit drop as
      select account_id, uuidv7(at - now()) as payment_id, uuidv7(at - now()) as attempt_id,
             model.created_at - at as shift, '${name}' || copies.number as name
      from generate_series(0, ${count - 1}) as copies (number)
      cross join lateral (
        select ${begins} + (${ends} - ${begins}) * (copies.number + 0.5) / ${count} as at) as moments
      cross join (select created_at from orders where payment_id = '${paymentId}') as model
      join owners on owners.number = (copies.number * 7919::bigint) % (select count(*) from owners);
    ${copied.join(';\n')}`);
}

/**
 * Fills the past months and returns their names, newest first: `2025-01`. Two at a time, because a
 * connection keeps a processor busy.
 */
export async function copyIntoMonths(
  query: Query,
  paymentId: string,
  { months, count, accountIds }: { months: number; count: number; accountIds: readonly string[] },
): Promise<string[]> {
  const made = new Array<string>(months);
  const left = made.keys();
  const lane = async () => {
    for (const index of left) {
      made[index] = await copyIntoMonth(query, paymentId, { ago: index + 1, count, accountIds });
      process.stdout.write(`${made[index]} has ${count} orders\n`);
    }
  };
  await Promise.all([lane(), lane()]);
  return made;
}

async function copyIntoMonth(
  query: Query,
  paymentId: string,
  { ago, count, accountIds }: { ago: number; count: number; accountIds: readonly string[] },
): Promise<string> {
  const begins = `month_after(date_trunc('month', now(), 'UTC'), -${ago})`;
  const [month] = await query<{ name: string }>(
    `select make_month(${begins}), to_char(${begins}, 'YYYY-MM') as name`,
  );
  if (month === undefined) throw new Error('The database does not know its months.');
  const copies = { begins, ends: `month_after(${begins})`, count, name: `m${ago}n` };
  await copyOrder(query, paymentId, copies, accountIds);
  return month.name;
}

/** An id of the original, and the expression for each copy. */
type Own = readonly [name: string, copy: string];

/** Copies a table's rows of the original for each row of `copies`. */
async function copyOf(
  query: Query,
  {
    table,
    key,
    paymentId,
    own,
  }: {
    table: string;
    key: string;
    paymentId: string;
    own: readonly Own[];
  },
): Promise<string> {
  const [columns, rows] = await Promise.all([
    query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       order by attnum`,
      [table],
    ),
    query<Record<string, unknown>>(`select * from ${table} where ${key} = $1`, [paymentId]),
  ]);
  const values = columns.map(({ name, type }) => {
    const other = differing[name];
    if (other !== undefined) return other;
    if (type.startsWith('timestamp')) return `model.${name} - copy.shift`;
    const texts = rows.map((row) => JSON.stringify(row[name]) ?? '');
    return own
      .filter(([id]) => texts.some((text) => text.includes(id)))
      .reduce(
        (within, [id, copy]) => `replace(${within}::text, '${id}', ${copy})::${type}`,
        `model.${name}`,
      );
  });
  return `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
    select ${values.join(', ')} from ${table} as model, copies as copy where model.${key} = '${paymentId}'
    -- As a shop writes them: what is found by when it was written has to lie together.
    order by copy.payment_id`;
}

/** The row counts and checksums of all tables before a month. */
export async function contentsBefore(query: Query, month: string) {
  const rows = await Promise.all(
    Object.entries(tables).map(async ([table, key]) => {
      const [found] = await query<{ rows: string; sum: string }>(
        `select count(*)::text as rows, coalesce(sum(hashtextextended(found::text, 0)::numeric), 0)::text as sum
         from ${table} as found where ${key} < uuid_v7_floor($1::timestamptz)`,
        [`${month}-01T00:00:00Z`],
      );
      return [table, found] as const;
    }),
  );
  return Object.fromEntries(rows);
}
