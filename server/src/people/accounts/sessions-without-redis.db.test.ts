import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { startRedis } from '../../../../tools/services/redis.ts';
import { givenPlayer, openTestShop, send, signIn, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

// Sessions are in PostgreSQL and nowhere else. Redis may vanish, come back empty, or never have been
// there: nobody is signed out by that, and nobody gets in.

const dataDir = mkdtempSync(join(tmpdir(), 'pointgate-test-'));

async function startRedisAt(port?: number) {
  const redis = await startRedis({ dataDir, ...(port === undefined ? {} : { port }) });
  if (redis === undefined) throw new Error('Redis is not installed');
  return redis;
}

describe.skipIf(inject('redisUrl') === null)('Redis', () => {
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

  const vanish = () => redis.stop();
  const comeBack = async () => {
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
    /** Each was good once, or never. */
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

  async function expectUnmoved({ live, accountId, strangers }: Visitors): Promise<void> {
    expect(await info(live)).toMatchObject({ data: { login: true, accountId } });
    expect(await servers(live)).toMatchObject({ httpStatus: 200, isSuccess: true });
    for (const stranger of strangers) {
      expect(await servers(stranger)).toMatchObject({ httpStatus: 203, code: 'InvalidToken' });
    }
  }

  test('that vanishes and comes back empty signs nobody out and lets nobody in', async () => {
    const before = await givenVisitors();
    await expectUnmoved(before);
    await vanish();
    await expectUnmoved(before);
    // Who signs in meanwhile is in like anybody else.
    const meanwhile = await givenVisitors();
    await expectUnmoved(meanwhile);
    await comeBack();
    await expectUnmoved(before);
    await expectUnmoved(meanwhile);
  });

  test('that vanishes in the middle of calls changes none of their answers', async () => {
    const visitors = await givenVisitors();
    const [superseded] = visitors.strangers;
    let isGone = false;
    const going = vanish().then(() => {
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
    await comeBack();
    await expectUnmoved(visitors);
  });

  test('that is away keeps no sign-in from ending the older session', async () => {
    await vanish();
    const player = await givenPlayer(shop);
    const older = await signIn(shop, player);
    const newer = await signIn(shop, player);
    await comeBack();
    expect(await info(older)).toMatchObject({ httpStatus: 203, code: 'InvalidToken' });
    expect(await info(newer)).toMatchObject({ data: { login: true } });
  });
});

describe('a session', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop();
  });
  afterAll(() => shop.closeAll());

  const Hash = z.object({ token_hash: z.instanceof(Buffer) });

  test('is found by the hash of its secret and by nothing that the database holds', async () => {
    const player = await givenPlayer(shop);
    const cookie = await signIn(shop, player);
    const { token_hash } = await shop.db.one(
      Hash,
      sql`select token_hash from sessions where account_id = ${player.accountId}`,
    );
    // Somebody who has read the whole table still cannot come in.
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

  test('of another account cannot be had with the secret of the own', async () => {
    const [one, two] = [await givenPlayer(shop), await givenPlayer(shop)];
    const cookie = await signIn(shop, one);
    await signIn(shop, two);
    const crossed = cookie.replace(one.accountId, two.accountId);
    expect(await send(shop, '/api/user/info', { cookie: crossed })).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
  });

  test('has a secret of its own each time, of 256 bits', async () => {
    const player = await givenPlayer(shop);
    const cookies = [await signIn(shop, player), await signIn(shop, player)];
    const secrets = cookies.map((cookie) => cookie.split('.')[1] ?? '');
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(new Set(secrets).size).toBe(2);
  });

  test('has a row per account and site, whatever happens at once: one of five sign-ins stays', async () => {
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
