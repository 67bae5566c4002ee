import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../test/database.ts';
import {
  booksOf,
  brokenLinks,
  givenAccount,
  givenPlacedOrder,
  letExpire,
  type OrderKey,
  recordsOf,
} from '../../test/orders.ts';
import { type Db, openDb, sql } from '../platform/db.ts';
import { log } from '../platform/log.ts';
import type { Fact } from './order-state.ts';
import { expiredOrders, type OrderEffects, recordFacts } from './orders.ts';

let database: TestDatabase;
let db: Db;
let otherDb: Db;
beforeAll(async () => {
  log.level = 'silent';
  database = await cloneDatabase();
  const open = (applicationName: string) =>
    openDb({ url: database.url, connectionsMax: 5, applicationName });
  [db, otherDb] = [open('one'), open('other')];
});
afterAll(async () => {
  await Promise.all([db.close(), otherDb.close()]);
  await database.drop();
});

const attemptId = randomUUID();
const opened: Fact = { type: 'attempt_opened', attemptId };
const captured: Fact = {
  type: 'captured',
  attemptId,
  captureId: 'pi_1',
  amountMinor: 499n,
  currency: 'USD',
};
const delivered: Fact = { type: 'delivered' };

const nothingFollows: OrderEffects = { onPaid: async () => {}, onMoved: () => {} };

const record = (key: OrderKey, facts: readonly Fact[], through = db, effects = nothingFollows) =>
  through.transaction((tx) => recordFacts(tx, effects, key, facts));

describe('what becomes known of an order', () => {
  test('is one line of its history each, and every line starts where the last one ended', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened]);
    await record(key, [captured]);
    await record(key, [delivered]);

    const records = await recordsOf(db, key);
    expect(records.events.map((event) => [event.state_before, event.state_after])).toEqual([
      ['created', 'paying'],
      ['paying', 'paid'],
      ['paid', 'arrived'],
    ]);
    expect(records.order).toMatchObject({ state: 'arrived', version: 3 });
    expect(brokenLinks(records)).toEqual([]);
  });

  test('and is told in one go is still one line each', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened, { type: 'attempt_closed', attemptId }, { type: 'expired' }]);

    const records = await recordsOf(db, key);
    expect(records.events.map(({ state_after }) => state_after)).toEqual([
      'paying',
      'created',
      'closed',
    ]);
    expect(records.order).toMatchObject({ state: 'closed', closed_reason: 'expired', version: 3 });
    expect(brokenLinks(records)).toEqual([]);
  });

  test('twice is known once, in one telling and in two', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened, opened, captured, captured]);
    const before = await recordsOf(db, key);
    await record(key, [captured, opened]);

    expect(await recordsOf(db, key)).toEqual(before);
    expect(before.events).toHaveLength(2);
    expect(before.transfers).toHaveLength(1);
  });

  test('by two servers at the same moment is known once', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened]);
    const paid: OrderKey[] = [];
    const effects: OrderEffects = {
      ...nothingFollows,
      onPaid: async (_tx, order) => {
        paid.push({ accountId: order.account_id, paymentId: order.payment_id });
      },
    };

    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        record(key, [captured], index % 2 === 0 ? db : otherDb, effects),
      ),
    );

    const records = await recordsOf(db, key);
    expect(records.events).toHaveLength(2);
    expect(records.transfers).toHaveLength(1);
    expect(paid).toEqual([key]);
    expect(brokenLinks(records)).toEqual([]);
  });

  test('in different parts by two servers at the same moment is all kept', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened]);
    const tries = Array.from({ length: 12 }, (_, index) => index + 1);
    const failed = (count: number): Fact => ({
      type: 'delivery_failed',
      tries: count,
      cause: 'HTTP 500',
      nextTryAt: null,
    });

    await Promise.all([
      ...tries.map((count) => record(key, [failed(count)], count % 2 === 0 ? db : otherDb)),
      record(key, [captured], otherDb),
      record(key, [{ type: 'expired' }]),
    ]);

    const records = await recordsOf(db, key);
    expect(records.events).toHaveLength(1 + tries.length + 2);
    expect(records.order.state).toBe('paid');
    expect(brokenLinks(records)).toEqual([]);
  });

  test('cannot be about an order that is not there', async () => {
    const key = { accountId: randomUUID(), paymentId: randomUUID() };
    await expect(record(key, [opened])).rejects.toThrow('there is no order');
  });

  test('an impossible move is stopped and leaves no trace', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [{ type: 'expired' }]);
    const before = await recordsOf(db, key);

    await expect(record(key, [opened])).rejects.toThrow('cannot move from closed to paying');

    expect(await recordsOf(db, key)).toEqual(before);
  });

  test('a history line is never changed and never removed', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened]);
    const write = (statement: ReturnType<typeof sql>) => db.transaction((tx) => tx.run(statement));

    await expect(write(sql`update order_events set state_after = 'paid'`)).rejects.toThrow(
      'append-only',
    );
    await expect(write(sql`delete from order_events`)).rejects.toThrow('append-only');
    await expect(write(sql`truncate order_events`)).rejects.toThrow('append-only');
  });
});

describe('what follows from a move', () => {
  test('the delivery is ordered in the commit that makes an order paid, or there is no commit', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened]);
    const before = await recordsOf(db, key);
    const effects: OrderEffects = {
      ...nothingFollows,
      onPaid: () => Promise.reject(new Error('no delivery today')),
    };

    await expect(record(key, [captured], db, effects)).rejects.toThrow('no delivery today');

    expect(await recordsOf(db, key)).toEqual(before);
  });

  test('money after the end pays the order and orders its delivery', async () => {
    const { key } = await givenPlacedOrder(db);
    const states: string[] = [];
    const effects: OrderEffects = {
      ...nothingFollows,
      onPaid: async (_tx, order) => {
        states.push(order.state);
      },
    };
    await record(key, [opened, { type: 'attempt_closed', attemptId }, { type: 'expired' }]);
    await record(key, [captured], db, effects);

    expect(states).toEqual(['paid']);
    expect((await recordsOf(db, key)).order).toMatchObject({ state: 'paid', closed_reason: null });
  });

  test('whoever is looking hears of it after the commit, and of nothing that was undone', async () => {
    const { key } = await givenPlacedOrder(db);
    const heard: string[] = [];
    const effects: OrderEffects = { ...nothingFollows, onMoved: () => heard.push('moved') };
    await record(key, [opened], db, effects);
    expect(heard).toEqual(['moved']);

    await record(key, [opened], db, effects);
    const undone = db.transaction(async (tx) => {
      await recordFacts(tx, effects, key, [captured]);
      throw new Error('changed our mind');
    });
    await expect(undone).rejects.toThrow('changed our mind');
    expect(heard).toEqual(['moved']);
  });
});

describe('the books of an order', () => {
  test('money goes from the provider to the deposit, and on arrival to the sales, once each', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened, captured]);
    expect(await booksOf(db, key)).toEqual({ 'house:psp USD': -499n, 'player:deposit USD': 499n });

    await record(key, [delivered]);
    await record(key, [delivered, captured]);
    expect(await booksOf(db, key)).toEqual({
      'house:psp USD': -499n,
      'player:deposit USD': 0n,
      'house:sales USD': 499n,
    });
    expect((await recordsOf(db, key)).transfers).toHaveLength(2);
  });

  test('what was paid too much stays in the deposit', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened, captured, { ...captured, captureId: 'pi_2' }, delivered]);

    expect(await booksOf(db, key)).toMatchObject({
      'player:deposit USD': 499n,
      'house:sales USD': 499n,
    });
    expect((await recordsOf(db, key)).order.review_reason).toBe('overpaid');
  });

  test('money that does not fit is in the books all the same, in its own currency', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened, { ...captured, currency: 'KRW', amountMinor: 499n }]);

    expect(await booksOf(db, key)).toEqual({ 'house:psp KRW': -499n, 'player:deposit KRW': 499n });
    expect((await recordsOf(db, key)).order).toMatchObject({
      state: 'paying',
      review_reason: 'wrong_currency',
    });
  });

  test.each([
    ['more', [200n, 499n]],
    ['less', [499n, 200n]],
  ])(
    'of a capture that is later said to be %s, the larger amount counts, once',
    async (_what, amounts) => {
      const { key } = await givenPlacedOrder(db);
      await record(key, [opened]);
      for (const amountMinor of amounts) await record(key, [{ ...captured, amountMinor }]);
      await record(key, [delivered]);

      expect(await booksOf(db, key)).toEqual({
        'house:psp USD': -499n,
        'player:deposit USD': 0n,
        'house:sales USD': 499n,
      });
    },
  );

  test('a capture said to be in two currencies is in the books of both', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened, { ...captured, currency: 'EUR' }, captured]);

    expect(await booksOf(db, key)).toMatchObject({
      'player:deposit EUR': 499n,
      'player:deposit USD': 499n,
    });
  });
});

describe('placing an order', () => {
  test('the same intent by twenty requests at once is one order', async () => {
    const accountId = await givenAccount(db);
    const clientOrderId = randomUUID();
    const placed = await Promise.all(
      Array.from({ length: 20 }, () => givenPlacedOrder(db, { accountId, clientOrderId })),
    );
    expect(new Set(placed.map(({ key }) => key.paymentId)).size).toBe(1);
  });

  test('an id that stands for another intent is refused', async () => {
    const { order, key } = await givenPlacedOrder(db, { intentBody: 'one pack' });
    const again = { accountId: key.accountId, clientOrderId: order.payment_id };
    await givenPlacedOrder(db, { ...again, intentBody: 'one pack' });

    const other = givenPlacedOrder(db, { ...again, intentBody: 'two packs' });
    await expect(other).rejects.toMatchObject({ code: 'InvalidParams' });
  });
});

describe('orders past their time', () => {
  test('are handed out oldest first, each to one worker only, and the rest are left alone', async () => {
    const [older, newer] = [await givenPlacedOrder(db), await givenPlacedOrder(db)];
    const [paid, open] = [await givenPlacedOrder(db), await givenPlacedOrder(db)];
    await record(paid.key, [opened, captured]);
    for (const { key } of [older, newer, paid]) await letExpire(db, key);

    const taken = Promise.withResolvers<OrderKey[]>();
    const other = Promise.withResolvers<void>();
    const committed = db.transaction(async (tx) => {
      taken.resolve(await expiredOrders(tx, { rowsMax: 1 }));
      await other.promise;
    });
    const mine = await taken.promise;
    const theirs = await otherDb.transaction((tx) => expiredOrders(tx, { rowsMax: 10 }));
    other.resolve();
    await committed;

    expect(mine).toEqual([older.key]);
    expect(theirs).toEqual([newer.key]);
    expect(theirs).not.toContainEqual(open.key);
  });

  test('wait for an operator where money came that does not fit', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened, { ...captured, amountMinor: 498n }]);
    await letExpire(db, key);

    const handed = await db.transaction((tx) => expiredOrders(tx, { rowsMax: 100 }));
    expect(handed).not.toContainEqual(key);
  });
});
