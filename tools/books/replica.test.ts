import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditDatabase } from '../../auditor/src/audit-database.ts';
import { serviceAccount } from '../services/account.ts';
import { type Postgres, startPostgres } from '../services/postgres.ts';
import { reachableFolder } from '../services/postgres-binaries.ts';
import { type Replica, startReplica, untilFollowed } from '../services/replica.ts';

// A physical replica is read-only, and queries conflict with the vacuum of the primary.

const folder = mkdtempSync(join(tmpdir(), 'replica-'));
const migrate = join(import.meta.dirname, '../../server/src/migrate.ts');

let primary: Postgres;
let replica: Replica;
let shop: pg.Client;

beforeAll(async () => {
  primary = await startPostgres({ dataDir: join(folder, 'primary'), durable: true, fresh: true });
  const { NODE_OPTIONS: _none, ...env } = process.env;
  await promisify(execFile)(process.execPath, [migrate], {
    env: { ...env, APP_ENV: 'development', DATABASE_URL: primary.url, LOG_LEVEL: 'silent' },
  });
  replica = await startReplica(primary.url, join(folder, 'replica'));
  shop = new pg.Client({ connectionString: primary.url });
  await shop.connect();
});
afterAll(async () => {
  await shop?.end();
  await replica?.stop();
  await primary?.stop();
  const home = reachableFolder(serviceAccount(), join(folder, 'primary', 'postgres'));
  rmSync(home, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

async function replicaHas(sql: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: replica.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows.length > 0;
}

const linesOf = ({ findings }: Awaited<ReturnType<typeof auditDatabase>>) =>
  findings.flatMap(({ id, violations }) => violations.map((text) => `${id} ${text}`));
const audit = () => auditDatabase({ databaseUrl: replica.url });

test('an audit of a physical replica of the database passes, and finds a violation made on the primary', async () => {
  expect(await replicaHas('select where pg_is_in_recovery()')).toBe(true);
  await shop.query(`
    with made as (
      insert into orders (account_id, payment_id, site_id, game_id, server_id, role_id, game_account_id,
        item_id, pack_count, order_type, method, system, currency, amount_minor, snapshot, expire_at)
      values (gen_random_uuid(), uuidv7(), 'solmere', 'demo', 's1', 'r1', 'g1', 'shards_60', 1, 'foreign',
        'card', 'android', 'USD', 99, '{"sku": "shards", "quantity": "60", "giftQuantity": "0"}',
        now() + interval '1 hour')
      returning account_id, payment_id
    )
    insert into order_keys select account_id, gen_random_uuid(), payment_id, sha256('x') from made`);
  await untilFollowed(primary.url, replica);
  const green = await audit();
  expect(linesOf(green)).toEqual([]);
  expect(green.months.reduce((sum, { orders }) => sum + orders, 0)).toBe(1);

  await shop.query('delete from order_keys');
  await untilFollowed(primary.url, replica);
  expect(linesOf(await audit())).toEqual([expect.stringMatching(/^I10 order \S+ has 0 intents$/)]);
});
