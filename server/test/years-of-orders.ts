import { type DbOptions, openRawExecutor } from '../src/platform/db.ts';

/** Orders of past months, bulk-loaded: paid by card and delivered, each with the rows that it has in a shop. */
export interface YearsOfOrders {
  databaseUrl: string;
  psp: string;
  months: number;
  allOrders: number;
}

export async function givenPastMonths(years: YearsOfOrders): Promise<void> {
  const { months, allOrders } = years;
  await execute(
    years,
    `insert into accounts (id, account_type, display_name)
     select uuidv7(), 'ACCOUNT', 'many-' || number from generate_series(1, ${Math.ceil(allOrders / 40)}) as number`,
  );
  for (let ago = 1; ago <= months; ago += 1) {
    const begins = `month_after(date_trunc('month', now(), 'UTC'), -${ago})`;
    await execute(years, `select make_month(${begins})`);
    const count = Math.ceil(allOrders / months);
    await givenOrders(years, { begins, ends: `month_after(${begins})`, count });
  }
}

/** A day that both sides saw alike, as it is when its file has been read. */
export async function givenDay(years: YearsOfOrders, day: string, count: number): Promise<void> {
  const { psp } = years;
  const begins = `'${day}T00:00:00Z'::timestamptz`;
  await givenOrders(years, { begins, ends: `(${begins} + interval '1 day')`, count });
  await execute(
    years,
    `insert into settlement_days (psp, day, imported_at, compared_at) values ('${psp}', '${day}', now(), now());
     insert into settlement_lines (psp, line_id, day, kind, subject_id, capture_id, currency, amount_minor, at)
     select '${psp}', 'txn_' || capture_id, '${day}', 'capture', capture_id, capture_id, 'USD', 499, created_at
     from payment_attempts where created_at >= ${begins} and created_at < ${begins} + interval '1 day'`,
  );
}

async function givenOrders(
  years: YearsOfOrders,
  { begins, ends, count }: { begins: string; ends: string; count: number },
): Promise<void> {
  const { psp } = years;
  await execute(
    years,
    `set session_replication_role = replica;
    create temp table owners on commit drop as
      select id as account_id, row_number() over () - 1 as number from accounts where display_name like 'many-%';
    create temp table placed on commit drop as
      select account_id, uuidv7(at - now()) as payment_id, uuidv7(at - now()) as attempt_id, at
      from generate_series(0, ${count - 1}) as numbers (number)
      cross join lateral (select ${begins} + (${ends} - ${begins}) * (numbers.number + 0.5) / ${count} as at) as moments
      join owners on owners.number = (numbers.number * 7919::bigint) % (select count(*) from owners);
    insert into orders (account_id, payment_id, site_id, game_id, server_id, role_id, game_account_id,
      item_id, pack_count, order_type, method, system, currency, amount_minor, snapshot, state,
      created_at, expire_at, paid_at, arrived_at)
    select account_id, payment_id, 'solmere', 'solmere', 's12', 'r1', 'ga', 'shards_300', 1, 'foreign', 'card',
      'ios', 'USD', 499, '{}', 'arrived', at, at + interval '30 minutes', at, at from placed;
    insert into payment_attempts (account_id, payment_id, attempt_id, psp, state, currency, amount_minor,
      psp_ref, capture_id, locale, created_at, expires_at, next_check_at)
    select account_id, payment_id, attempt_id, '${psp}', 'captured', 'USD', 499, 'cs_' || attempt_id,
      'pi_' || attempt_id, 'en-US', at, at, at from placed;
    insert into deliveries (account_id, payment_id, state, tries, created_at, delivered_at, lane)
    select account_id, payment_id, 'delivered', 1, at, at, 'solmere/s12' from placed;
    insert into ledger_transfers (account_id, origin_id, posting, debit_book, credit_book, unit,
      amount_minor, created_at)
    select account_id, payment_id, 'captured:pi_' || attempt_id, 'house:psp', 'player:deposit', 'USD', 499, at
      from placed
    union all select account_id, payment_id, 'sale:3', 'player:deposit', 'house:sales', 'USD', 499, at from placed`,
  );
}

/** Statements in one transaction, which may take hours. */
export async function execute(
  { databaseUrl }: Pick<YearsOfOrders, 'databaseUrl'>,
  text: string,
): Promise<void> {
  const options: DbOptions = {
    url: databaseUrl,
    connectionsMax: 1,
    applicationName: 'test',
    waitSeconds: 3_600,
  };
  const executor = openRawExecutor(options);
  await executor.executeSql(text);
  await executor.close();
}
