import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { callRaw } from '../../test/raw-call.ts';
import { openRedisLine, type RedisLine } from '../../test/redis-line.ts';
import { eventually, openTestShop, send, type TestShop } from '../../test/shop.ts';
import { openRawExecutor, type RawExecutor } from '../platform/db.ts';
import { createHealthServer } from './health.routes.ts';

const redisUrl = inject('redisUrl');

let line: RedisLine | undefined;
let shop: TestShop;
let owner: RawExecutor;
beforeAll(async () => {
  line = redisUrl === null ? undefined : await openRedisLine(redisUrl);
  // A separate user, because the connection limit does not apply to the owner.
  shop = await openTestShop(
    { LOG_LEVEL: 'silent', ...(line === undefined ? {} : { REDIS_URL: line.url }) },
    { ownUsers: true },
  );
  owner = openRawExecutor({
    url: shop.databaseUrl,
    applicationName: 'test',
    connectionsMax: 1,
  });
});
afterAll(async () => {
  await owner.close();
  await shop.closeAll();
  await line?.cut();
});

const ask = (path: string, url = shop.url) => callRaw(url + path);

test('a healthy API and a healthy worker report that they are live and ready', async () => {
  const worker = createHealthServer(shop);
  const url = await worker.listen({ host: '127.0.0.1', port: 0 });
  try {
    for (const at of [shop.url, url]) {
      expect((await ask('/health/live', at)).json()).toEqual({ ok: true });
      const ready = await ask('/health/ready', at);
      expect(ready.status).toBe(200);
      expect(ready.json()).toMatchObject({ isReady: true, database: 'ok', jobs: 'ok' });
    }
  } finally {
    await worker.close();
  }
});

test('the readiness check fails and names the migration that the database lacks', async () => {
  await owner.executeSql(`
    delete from schema_migrations where name = '0056_roles.sql'`);
  const ready = await ask('/health/ready');
  await owner.executeSql(
    `insert into schema_migrations (name, checksum) values ('0056_roles.sql', '')`,
  );
  expect(ready.status).toBe(503);
  expect(ready.json()).toMatchObject({
    isReady: false,
    database: expect.stringContaining('0056_roles.sql'),
  });
  expect((await ask('/health/ready')).status).toBe(200);
});

test('the readiness check fails without the schema of the job engine', async () => {
  await owner.executeSql('alter schema pgboss rename to gone');
  const ready = await ask('/health/ready');
  await owner.executeSql('alter schema gone rename to pgboss');
  expect(ready.status).toBe(503);
  expect(ready.json()).toMatchObject({ isReady: false, database: 'ok', jobs: 'is not installed' });
});

describe.skipIf(redisUrl === null)('an outage of Redis', () => {
  test('the readiness check succeeds without Redis and reports that Redis does not answer', async () => {
    await eventually(async () => shop.live.hearsOthers());
    await line?.cut();
    await eventually(async () => !shop.live.hearsOthers());
    const ready = await ask('/health/ready');
    await line?.mend();
    expect(ready.status).toBe(200);
    expect(ready.json()).toMatchObject({ isReady: true, redis: 'does not answer' });
  });
});

test('the API reports that it is live but not ready, and answers calls with SystemBusy, while the database refuses connections', async () => {
  const name = new URL(shop.databaseUrl).pathname.slice(1);
  const url = new URL(shop.databaseUrl);
  url.pathname = '/postgres';
  const admin = openRawExecutor({ url: url.href, applicationName: 'test', connectionsMax: 1 });
  const dropAll = () =>
    admin.executeSql('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ]);
  await admin.executeSql(`alter database ${name} connection limit 0`);
  try {
    await dropAll();
    const ready = await ask('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.json()).toMatchObject({ isReady: false, database: 'does not answer' });
    expect((await ask('/health/live')).status).toBe(200);
    const call = await send(shop, '/api/user/info');
    expect(call).toMatchObject({ httpStatus: 503, code: 'SystemBusy' });
  } finally {
    await admin.executeSql(`alter database ${name} connection limit -1`);
    await admin.close();
  }
  await eventually(async () => (await ask('/health/ready')).status === 200);
});

test('the readiness check of a stopping API fails while it still answers', async () => {
  shop.apiShop.stopping.isStopping = true;
  const ready = await ask('/health/ready');
  const live = await ask('/health/live');
  shop.apiShop.stopping.isStopping = false;
  expect(ready.status).toBe(503);
  expect(ready.json()).toMatchObject({ isReady: false, isStopping: true, database: 'ok' });
  expect(live.status).toBe(200);
});
