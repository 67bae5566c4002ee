import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../auditor/src/database.ts';
import { checkRules, rules } from '../../auditor/src/rules.ts';
import { cloneDatabase } from '../../server/test/database.ts';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let owner: pg.Client;

beforeEach(async () => {
  database = await cloneDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

async function found(): Promise<string[]> {
  const { query, close } = await openDatabase(database.url);
  try {
    return (await checkRules(query)).map(({ id, text }) => `${id} ${text}`);
  } finally {
    await close();
  }
}

test('the rules are written here as PostgreSQL writes those of the tables', async () => {
  expect(await found()).toEqual([]);
  const { rows } = await owner.query<{ name: string }>(`
    select attname as name from pg_attribute
    where attgenerated = 's' and attrelid in (
      'orders'::regclass, 'ledger_transfers'::regclass, 'payment_attempts'::regclass)
    union select conname from pg_constraint
    where conname in ('key_says_the_fact', 'hash_is_of_the_line')`);
  expect(rules.map(({ name }) => name).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test.each(rules.filter(({ kind }) => kind === 'column'))(
  'whoever lets $name of $table be written freely is found out',
  async (rule) => {
    await owner.query(`alter table ${rule.table} alter column ${rule.name} drop expression`);
    expect(await found()).toEqual([
      `${rule.id} ${rule.table} does not keep to its rule ${rule.name}`,
    ]);
  },
);

test('a month that makes a column in a way of its own is found out', async () => {
  const { rows } = await owner.query<{ month: string }>(
    `select relid::regclass::text as month from pg_partition_tree('orders') where isleaf limit 1`,
  );
  await owner.query(
    `alter table ${rows[0]?.month} alter column pack_quantity set expression as (1::bigint)`,
  );
  expect(await found()).toEqual(['I1 orders does not keep to its rule pack_quantity']);
});

test('where a column can be written freely, each row is named that it does not follow from', async () => {
  const now = Date.now().toString(16).padStart(12, '0');
  const [account, honest, forged] = [1, 2, 3].map(
    (digit) => `${now.slice(0, 8)}-${now.slice(8)}-7000-8000-00000000000${digit}`,
  );
  await owner.query(`
    set session_replication_role = replica;
    insert into orders (account_id, payment_id, site_id, kind, game_id, server_id, role_id,
      game_account_id, item_id, pack_count, currency, amount_minor, method, system, state, order_type,
      expire_at, snapshot)
    select '${account}', payment_id::uuid, 'solmere', 'item', 'demo', 's1', 'r1', 'g1', 'shards_60', 1,
           'USD', 99, 'card', 'android', 'created', 'foreign',
           now(), '{"sku": "shards", "quantity": "60", "giftQuantity": "0"}'
    from unnest(array['${honest}', '${forged}']) as payment_id;
    alter table orders alter column pack_quantity drop expression;
    update orders set pack_quantity = 600 where payment_id = '${forged}'`);
  expect(await found()).toEqual([
    'I1 orders does not keep to its rule pack_quantity',
    `I1 pack_quantity of order ${forged} does not follow from its row`,
  ]);
});
