import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { startRedis } from '../../../../tools/services/redis.ts';
import { givenPlayer, openTestShop, send, signIn, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

// Sessions are stored in PostgreSQL only. An outage of Redis must neither sign players out nor
// let anybody in.

const dataDir = mkdtempSync(join(tmpdir(), 'pointgate-test-'));

async function startRedisAt(port?: number) {
  const redis = await startRedis({ dataDir, ...(port === undefined ? {} : { port }) });
  if (redis === undefined) throw new Error('Redis is not installed');
  return redis;
}

describe.skipIf(inject('redisUrl') === null)('sessions during a Redis outage', () => {
  let shop: TestShop;
  let redis: Awaited<ReturnType<typeof startRedisAt>>;
  let port: number;
  beforeAll(async () => {
    redis = await startRedisAt();
    port = Number(new URL(redis.url).port);
    shop = await openTestShop({ REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await shop.closeAll();
    await redis.stop();
  });

  const stopRedis = () => redis.stop();
  const restartRedis = async () => {
    redis = await startRedisAt(port);
  };

  const info = (cookie?: string) => send(shop, '/api/user/info', { cookie });
  const servers = (cookie?: string) =>
    send(shop, '/api/character/server/list', {
      cookie,
      body: { gameId: 'solmere', system: 'ios' },
    });

  interface Visitors {
    live: string;
    accountId: string;
    /** Cookies that are no longer valid, or never were. */
    strangers: (string | undefined)[];
  }

  async function givenVisitors(): Promise<Visitors> {
    const player = await givenPlayer(shop);
    const superseded = await signIn(shop, player);
    const live = await signIn(shop, player);
    const expired = await givenExpired();
    const leaver = await signIn(shop, await givenPlayer(shop));
    await send(shop, '/api/user/logout', { cookie: leaver });
    const guessed = `sid=${player.accountId}.${'a'.repeat(43)}`;
    const strangers = [superseded, expired, leaver, guessed, undefined];
    return { live, accountId: player.accountId, strangers };
  }

  async function givenExpired(): Promise<string> {
    const player = await givenPlayer(shop);
    const cookie = await signIn(shop, player);
    await shop.db.transaction((tx) =>
      tx.run(sql`update sessions set expires_at = now() where account_id = ${player.accountId}`),
    );
    return cookie;
  }

  async function expectSameAccess({ live, accountId, strangers }: Visitors): Promise<void> {
    expect(await info(live)).toMatchObject({ data: { login: true, accountId } });
    expect(await servers(live)).toMatchObject({ httpStatus: 200, isSuccess: true });
    for (const stranger of strangers) {
      expect(await servers(stranger)).toMatchObject({ httpStatus: 203, code: 'InvalidToken' });
    }
  }

  test('a Redis outage and restart neither ends valid sessions nor admits invalid session cookies', async () => {
    const before = await givenVisitors();
    await expectSameAccess(before);
    await stopRedis();
    await expectSameAccess(before);
    // Sessions that begin during the outage are valid, too.
    const meanwhile = await givenVisitors();
    await expectSameAccess(meanwhile);
    await restartRedis();
    await expectSameAccess(before);
    await expectSameAccess(meanwhile);
  });

  test('a Redis outage in the middle of API calls with a session changes none of their answers', async () => {
    const visitors = await givenVisitors();
    const [superseded] = visitors.strangers;
    let isGone = false;
    const going = stopRedis().then(() => {
      isGone = true;
    });
    let rounds = 0;
    while (!isGone || rounds < 5) {
      const replies = await Promise.all([
        ...Array.from({ length: 5 }, () => servers(visitors.live)),
        servers(superseded),
      ]);
      expect(replies.map(({ httpStatus }) => httpStatus)).toEqual([200, 200, 200, 200, 200, 203]);
      rounds += 1;
    }
    await going;
    await restartRedis();
    await expectSameAccess(visitors);
  });

  test('a new sign-in ends the older session while Redis is down', async () => {
    await stopRedis();
    const player = await givenPlayer(shop);
    const older = await signIn(shop, player);
    const newer = await signIn(shop, player);
    await restartRedis();
    expect(await info(older)).toMatchObject({ httpStatus: 203, code: 'InvalidToken' });
    expect(await info(newer)).toMatchObject({ data: { login: true } });
  });
});

describe('session secrets', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop();
  });
  afterAll(() => shop.closeAll());

  const Hash = z.object({ token_hash: z.instanceof(Buffer) });

  test('the token hash stored in the database cannot be used as a session cookie', async () => {
    const player = await givenPlayer(shop);
    const cookie = await signIn(shop, player);
    const { token_hash } = await shop.db.one(
      Hash,
      sql`select token_hash from sessions where account_id = ${player.accountId}`,
    );
    // An attacker who has read the whole table still cannot use the session.
    for (const stolen of [
      token_hash.toString('base64url'),
      token_hash.toString('hex').slice(0, 43),
    ]) {
      expect(stolen).toHaveLength(43);
      const forged = `sid=${player.accountId}.${stolen}`;
      expect(await send(shop, '/api/user/info', { cookie: forged })).toMatchObject({
        httpStatus: 203,
      });
    }
    expect(await send(shop, '/api/user/info', { cookie })).toMatchObject({ isSuccess: true });
  });

  test('a session secret is refused with the id of another account', async () => {
    const [one, two] = [await givenPlayer(shop), await givenPlayer(shop)];
    const cookie = await signIn(shop, one);
    await signIn(shop, two);
    const crossed = cookie.replace(one.accountId, two.accountId);
    expect(await send(shop, '/api/user/info', { cookie: crossed })).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
  });

  test('a session gets a new secret of 256 bits at each sign-in', async () => {
    const player = await givenPlayer(shop);
    const cookies = [await signIn(shop, player), await signIn(shop, player)];
    const secrets = cookies.map((cookie) => cookie.split('.')[1] ?? '');
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(new Set(secrets).size).toBe(2);
  });

  test('only one of five concurrent sign-ins of an account to one site keeps its session', async () => {
    const player = await givenPlayer(shop);
    const cookies = await Promise.all(Array.from({ length: 5 }, () => signIn(shop, player)));
    const replies = await Promise.all(
      cookies.map((cookie) => send(shop, '/api/user/info', { cookie })),
    );
    expect(replies.map(({ httpStatus }) => httpStatus).toSorted()).toEqual([
      200, 203, 203, 203, 203,
    ]);
  });
});
