import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditDatabase } from '../../auditor/src/audit-database.ts';
import { waitUntil } from '../process/wait-until.ts';
import { serviceAccount } from '../services/account.ts';
import { type Postgres, startPostgres } from '../services/postgres.ts';
import { reachableFolder } from '../services/postgres-binaries.ts';

// A physical replica: nothing can be written there, and what vacuum removes it removes under whoever reads.

const folder = mkdtempSync(join(tmpdir(), 'replica-'));
const migrate = join(import.meta.dirname, '../../server/src/migrate.ts');
const account = serviceAccount();
const homeOf = (name: string) => reachableFolder(account, join(folder, name, 'postgres'));
const open = (name: string, fresh: boolean) =>
  startPostgres({ dataDir: join(folder, name), durable: true, fresh });

const behind = { timeoutMs: 60_000, what: 'the replica is behind' };

let primary: Postgres;
let replica: Postgres;
let shop: pg.Client;

beforeAll(async () => {
  primary = await open('primary', true);
  const { NODE_OPTIONS: _none, ...env } = process.env;
  await promisify(execFile)(process.execPath, [migrate], {
    env: { ...env, DATABASE_URL: primary.url, LOG_LEVEL: 'silent' },
  });
  // A copy of a server that has stopped is a whole one.
  await primary.stop();
  cpSync(homeOf('primary'), homeOf('replica'), { recursive: true });
  primary = await open('primary', false);
  await followPrimary();
  replica = await open('replica', false);
  shop = new pg.Client({ connectionString: primary.url });
  await shop.connect();
});
afterAll(async () => {
  await shop?.end();
  await replica?.stop();
  await primary?.stop();
  for (const name of ['primary', 'replica']) rmSync(homeOf(name), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

async function followPrimary(): Promise<void> {
  const data = join(homeOf('replica'), 'data');
  const { hostname, port, username, password } = new URL(primary.url);
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
  writeFileSync(join(data, 'standby.signal'), '');
  // PostgreSQL opens no data that others could read.
  chmodSync(data, 0o700);
  if (account === null) return;
  const owner = `${account.uid}:${account.gid}`;
  await promisify(execFile)('chown', ['-R', owner, homeOf('replica')]);
}

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

test('a physical replica can be audited: what is in order there, and what is not', async () => {
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
  await waitUntil(() => replicaHas('select from order_keys'), behind);
  const green = await audit();
  expect(linesOf(green)).toEqual([]);
  expect(green.months.reduce((sum, { orders }) => sum + orders, 0)).toBe(1);

  await shop.query('delete from order_keys');
  await waitUntil(async () => !(await replicaHas('select from order_keys')), behind);
  expect(linesOf(await audit())).toEqual([expect.stringMatching(/^I10 order \S+ has 0 intents$/)]);
});
