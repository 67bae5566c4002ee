import { leaveShop } from '@pointgate/contract/privacy.ts';
import { endSession, listSessions } from '@pointgate/contract/sessions.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Buyer, givenBuyer, givenOrder } from '../../test/buying.ts';
import { listenToOrder } from '../../test/order-stream.ts';
import { startShopProcess } from '../../test/processes.ts';
import { openTestShop, send, signIn, type TestShop } from '../../test/shop.ts';
import { updatePassword } from '../people/accounts/accounts.queries.ts';
import { sessionsTopic } from '../people/accounts/accounts.ts';
import { answerHeaders } from '../platform/http.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

/** Opens a stream for a new order, as its page does. */
async function givenStream() {
  const buyer = await givenBuyer(shop);
  const { paymentId } = await givenOrder(shop, buyer);
  const open = async () => {
    const stream = await listenToOrder(shop, paymentId, buyer.cookie);
    await stream.untilChanges(1);
    return stream;
  };
  return { buyer, open, stream: await open() };
}

const leave = (at: Pick<TestShop, 'url'>, cookie: string) =>
  send({ ...shop, ...at }, '/api/user/logout', { cookie });

test('a fifth order change stream of a session replaces its oldest stream and leaves other sessions alone', async () => {
  const { stream: first, open } = await givenStream();
  const { stream: others } = await givenStream();
  const rest = [await open(), await open(), await open()];
  expect(first.isReplaced()).toBe(false);
  const fifth = await open();
  await first.ended;
  expect(first.isReplaced()).toBe(true);
  for (const stream of [...rest, fifth, others]) {
    expect(stream.isReplaced()).toBe(false);
    await stream.stop();
  }
});

test('an order change stream has the security headers that every response has', async () => {
  const { stream } = await givenStream();
  expect(stream.headers).toMatchObject(answerHeaders);
  await stream.stop();
});

describe('order streams of ended sessions', () => {
  test.each<[string, (buyer: Buyer) => Promise<unknown>]>([
    ['the player signs out', ({ cookie }) => leave(shop, cookie)],
    ['the player signs in elsewhere', (buyer) => signIn(shop, buyer)],
    [
      'the player asks to leave the shop and erase the account',
      ({ cookie }) => send(shop, leaveShop.path, { cookie }),
    ],
    [
      'the player ends the session from the session list',
      async ({ cookie }) => {
        const { data } = await send(shop, listSessions.path, { cookie });
        const [session] = listSessions.reply.parse(data).sessions;
        const { siteId, startedAt } = session ?? {};
        return await send(shop, endSession.path, { cookie, body: { siteId, startedAt } });
      },
    ],
  ])('an order change stream ends when %s', async (_how, end) => {
    const { buyer, stream } = await givenStream();
    const told = Promise.withResolvers<void>();
    const stop = shop.live.listen(sessionsTopic(buyer.accountId), told.resolve);
    await end(buyer);
    await told.promise;
    await stream.ended;
    expect(stream.isReplaced()).toBe(false);
    stop();
  });

  test("an order change stream whose session ended without a notification closes at the next notification about its account's sessions", async () => {
    const { buyer, stream } = await givenStream();
    const { accountId } = buyer;
    await shop.db.transaction((tx) => updatePassword(tx, { accountId, passwordHash: 'new' }));
    shop.live.announce(sessionsTopic(accountId));
    await stream.ended;
  });

  test.skipIf(inject('redisUrl') === null)(
    'an order stream ends when the player signs out in another process',
    async () => {
      const api = await startShopProcess(shop, 'api');
      const { buyer, stream } = await givenStream();
      const told = Promise.withResolvers<void>();
      const stop = shop.live.listen(sessionsTopic(buyer.accountId), told.resolve);
      await leave(api, buyer.cookie);
      await told.promise;
      await stream.ended;
      stop();
      await api.stop();
    },
  );
});

test('an order change stream with a valid session stays open when a session change of its account is announced', async () => {
  const { buyer, stream } = await givenStream();
  let hasEnded = false;
  void stream.ended.then(() => {
    hasEnded = true;
  });
  shop.live.announce(sessionsTopic(buyer.accountId));
  const { paymentId } = await givenOrder(shop, buyer);
  const witness = await listenToOrder(shop, paymentId, buyer.cookie);
  shop.live.announce(paymentId);
  await witness.untilChanges(2);
  expect(hasEnded).toBe(false);
  await Promise.all([stream.stop(), witness.stop()]);
});
