import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { jobKinds } from '../wiring/job-kinds.ts';
import { openRawExecutor } from './db.ts';
import { type DatabaseUser, grantRights } from './grants.ts';
import { installJobs } from './jobs.ts';
import { log } from './log.ts';
import { migrate } from './migrations.ts';
import { groups, privilegesOn, tableRights } from './table-rights.ts';

let database: TestDatabase;
let owner: pg.Client;
const made: string[] = [];
beforeAll(async () => {
  log.level = 'silent';
  database = await cloneDatabase();
  owner = await connect(database.url);
});
afterAll(async () => {
  for (const name of made) await owner.query(`drop owned by ${name}; drop role ${name}`);
  await owner.end();
  await database.drop();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const connectionTo = (url: string) => ({ url, applicationName: 'test' });

function userOf(group: DatabaseUser['group']): DatabaseUser {
  const name = `t_${group}_${randomUUID().slice(0, 8)}`;
  made.push(name);
  return { name, group, password: randomBytes(16).toString('hex') };
}

function as(url: string, { name, password }: Pick<DatabaseUser, 'name' | 'password'>): string {
  const changed = new URL(url);
  changed.username = name;
  changed.password = password;
  return changed.href;
}

/** Runs the work as a new member of the group, connected with a password. */
async function asMember<T>(
  group: DatabaseUser['group'],
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const user = userOf(group);
  await grantRights(connectionTo(database.url), [user]);
  const client = await connect(as(database.url, user));
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const denied = { code: '42501' };

/** The privileges of each group on each table and partition. */
async function granted(): Promise<Map<string, Record<string, string[]>>> {
  const { rows } = await owner.query<{ name: string; role: string; rights: string[] }>(
    `select c.oid::regclass::text as name, role, array(
       select right_name from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
         with ordinality as r (right_name, place)
       where has_table_privilege(role, c.oid, right_name) order by place) as rights
     from pg_class c, unnest($1::text[]) as role
     where relkind in ('r', 'p')
       and relnamespace in ('public'::regnamespace, 'analytics'::regnamespace)
     order by 1`,
    [Object.values(groups)],
  );
  const found = new Map<string, Record<string, string[]>>();
  for (const { name, role, rights } of rows)
    found.set(name, { ...found.get(name), [role]: rights });
  return found;
}

test('every database table is listed in tableRights, the table of database privileges, and nothing else is', async () => {
  const { rows } = await owner.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and (not relispartition or relname like '%\\_default')
      and relnamespace in ('public'::regnamespace, 'analytics'::regnamespace)`);
  expect(rows.length).toBeGreaterThan(70);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(tableRights).toSorted());
});

test('each database group has exactly the privileges on each table that tableRights lists', async () => {
  const found = await granted();
  for (const table of Object.keys(tableRights)) {
    expect([table, found.get(table)]).toEqual([table, privilegesOn(table)]);
  }
});

test('a table partition that the worker creates later has the privileges of its table', async () => {
  await asMember('worker', async (worker) => {
    await worker.query('select ensure_months(9)');
    await worker.query(
      `select analytics.ensure_days('analytics.events', '2099-01-01', '2099-01-01')`,
    );
  });
  const { rows } = await owner.query<{ name: string; root: string }>(`
    select inhrelid::regclass::text as name, inhparent::regclass::text as root from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where relkind = 'r' and relname not like '%\\_default'`);
  expect(rows.filter(({ root }) => root === 'orders').length).toBeGreaterThanOrEqual(10);
  const found = await granted();
  const parts = rows.filter(({ root }) => root in tableRights);
  expect(parts.map(({ name }) => name)).toContain('analytics.events_2099_01_01');
  for (const { name, root } of parts) {
    expect([name, found.get(name)]).toEqual([name, privilegesOn(root)]);
  }
});

test('the API database user cannot change operator settings or the ledger, nor create tables or roles', async () => {
  await asMember('api', async (api) => {
    const statements = [
      `update sites set title = 'mine'`,
      'update item_prices set amount_minor = 1',
      'delete from ledger_transfers',
      'delete from orders',
      'truncate orders',
      `insert into house_transfers default values`,
      'create table mine (it int)',
      'alter table orders disable trigger all',
      'select ensure_months(1)',
      'create role mine superuser',
    ];
    for (const statement of statements) {
      const code = await api.query(statement).then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      expect([statement, code]).toEqual([statement, denied.code]);
    }
    expect((await api.query('select count(*) from orders')).rowCount).toBe(1);
  });
});

test.each(['auditor', 'reader'] as const)(
  'the database group %s reads orders of every month, but no sign-in data, and writes nothing',
  async (group) => {
    await asMember(group, async (client) => {
      const { rows } = await owner.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'orders'::regclass`,
      );
      for (const { name } of [{ name: 'orders' }, ...rows]) {
        await client.query(`select count(*) from ${name}`);
      }
      await client.query('select count(*) from pgboss.job');
      for (const table of ['sessions', 'identities', 'passkeys', 'person_keys', 'codes']) {
        await expect(client.query(`select count(*) from ${table}`)).rejects.toMatchObject(denied);
      }
      await expect(client.query('insert into cases default values')).rejects.toMatchObject(denied);
    });
  },
);

test('a database privilege that was changed by hand is reset by the next migration', async () => {
  await owner.query(
    'grant delete on orders to pointgate_api; revoke insert on orders from pointgate_worker',
  );
  await grantRights(connectionTo(database.url), []);
  expect((await granted()).get('orders')).toEqual(privilegesOn('orders'));
});

test('a migration does not repeat grants of database privileges that are already right', async () => {
  const versions = async () =>
    (await owner.query(`select oid::text, xmin::text from pg_class where relname = 'orders'`)).rows;
  const before = await versions();
  await grantRights(connectionTo(database.url), []);
  expect(await versions()).toEqual(before);
});

test('the migration gives an existing database user its new password, and the old password is refused', async () => {
  const user = userOf('reader');
  await grantRights(connectionTo(database.url), [user]);
  const changed = { ...user, password: randomBytes(16).toString('hex') };
  await grantRights(connectionTo(database.url), [changed]);
  await (await connect(as(database.url, changed))).end();
  await expect(connect(as(database.url, user))).rejects.toMatchObject({ code: '28P01' });
});

test('a database owner without superuser rights can run the migrations and grant privileges to existing database groups', async () => {
  const empty = await createEmptyDatabase();
  const weak = userOf('reader');
  const admin = await connect(database.url);
  await admin.query(`create role ${weak.name} login password '${weak.password}'`);
  await admin.query(`alter database ${new URL(empty.url).pathname.slice(1)} owner to ${weak.name}`);
  try {
    const connection = connectionTo(as(empty.url, weak));
    await migrate(connection, new URL('../../migrations/', import.meta.url));
    const executor = openRawExecutor({ ...connection, connectionsMax: 2 });
    await installJobs(executor, jobKinds);
    await executor.close();
    await grantRights(connection, []);
    const client = await connect(empty.url);
    const { rows } = await client.query(`
      select has_table_privilege('pointgate_api', 'orders', 'insert') as api,
        has_table_privilege('pointgate_worker', 'pgboss.job', 'delete') as jobs`);
    await client.end();
    expect(rows).toEqual([{ api: true, jobs: true }]);
  } finally {
    await admin.end();
    await empty.drop();
  }
});

test('a migration that lacks the right to create database groups names the group that is missing', async () => {
  await owner.query('begin');
  try {
    await owner.query(`
      alter role pointgate_reader rename to renamed_for_a_test;
      create role weak_for_a_test; set role weak_for_a_test`);
    const { rows } = await owner.query('select make_groups() as missing');
    expect(rows).toEqual([{ missing: ['pointgate_reader'] }]);
  } finally {
    await owner.query('rollback');
  }
});

test('the migration refuses a database group that has the privilege to create roles', async () => {
  await owner.query('begin');
  try {
    await owner.query('alter role pointgate_reader createrole');
    await expect(owner.query('select make_groups()')).rejects.toThrow(
      'pointgate_reader may do more',
    );
  } finally {
    await owner.query('rollback');
  }
});
