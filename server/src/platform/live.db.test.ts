import { afterEach, expect, inject, test } from 'vitest';
import { openRedisLine } from '../../test/redis-line.ts';
import { eventually, givenPlayer, openTestShop, send, signIn } from '../../test/shop.ts';
import { type Live, openLive } from './live.ts';

// Two of these in one process share only Redis, like two processes.
const opened: Live[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((live) => live.close()));
});

async function givenLive(url: string | undefined): Promise<Live> {
  const live = await openLive(url);
  opened.push(live);
  return live;
}

/** Announces until it is received: announcements while Redis is down may be lost. */
async function expectHeard(from: Live, to: Live): Promise<void> {
  let isHeard = false;
  const stop = to.listen('order-1', () => {
    isHeard = true;
  });
  await eventually(async () => {
    from.announce('order-1');
    return isHeard;
  });
  stop();
}

const redisUrl = inject('redisUrl') ?? '';

test('a notification about a changed order is received in the process that sends it, even without Redis', async () => {
  const live = await givenLive(undefined);
  const heard: string[] = [];
  expect(live.hearsOthers()).toBe(false);
  live.listen('order-1', () => heard.push('first page'));
  const stop = live.listen('order-1', () => heard.push('second page'));
  live.listen('order-2', () => heard.push('another order'));
  live.announce('order-1');
  stop();
  live.announce('order-1');
  expect(heard).toEqual(['first page', 'second page', 'first page']);
});

test.skipIf(redisUrl === '')(
  'a notification about a changed order reaches another server process through Redis',
  async () => {
    const [worker, api] = [await givenLive(redisUrl), await givenLive(redisUrl)];
    let others = 0;
    api.listen('order-2', () => {
      others += 1;
    });
    await expectHeard(worker, api);
    expect(others).toBe(0);
  },
);

test.skipIf(redisUrl === '')(
  'a process that started without Redis receives change notifications once Redis is there',
  async () => {
    const line = await openRedisLine(redisUrl);
    await line.cut();
    const [worker, api] = [await givenLive(line.url), await givenLive(line.url)];
    worker.announce('order-1');
    expect(api.hearsOthers()).toBe(false);
    await line.mend();
    await expectHeard(worker, api);
    expect(api.hearsOthers()).toBe(true);
    await line.cut();
  },
);

test.skipIf(redisUrl === '')(
  'a server process that lost its Redis connection receives notifications of changed orders again when Redis is back',
  async () => {
    const line = await openRedisLine(redisUrl);
    const [worker, api] = [await givenLive(line.url), await givenLive(line.url)];
    await expectHeard(worker, api);
    expect(api.hearsOthers()).toBe(true);
    await line.cut();
    worker.announce('order-1');
    await eventually(async () => !api.hearsOthers());
    await line.mend();
    await expectHeard(worker, api);
    expect(api.hearsOthers()).toBe(true);
    await line.cut();
  },
);

test('players can sign in and list items while Redis is unreachable', async () => {
  const nobodyListens = 'redis://127.0.0.1:9';
  const shop = await openTestShop({ REDIS_URL: nobodyListens });
  try {
    const cookie = await signIn(shop, await givenPlayer(shop));
    shop.live.announce('order-1');
    const body = { gameId: 'solmere', system: 'ios' };
    const reply = await send(shop, '/api/recharge/v2/items', { cookie, body });
    expect(reply.isSuccess).toBe(true);
  } finally {
    await shop.closeAll();
  }
});
