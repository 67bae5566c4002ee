import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  asked,
  captured,
  closed,
  delivered,
  deliveryFailed,
  disputed,
  elsewhere,
  expired,
  first,
  opened,
  resumed,
  second,
  settled,
  stranger,
  stuck,
} from '../../../test/facts.ts';
import {
  brokenLinks,
  casesOf,
  givenAccount,
  givenPlacedOrder,
  givenPointsOrder,
  letExpire,
  nothingFollows,
  type OrderKey,
  recordsOf,
  watchedEffects,
} from '../../../test/orders.ts';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { log } from '../../platform/log.ts';
import { firstSweptId } from '../../platform/partitions.ts';
import type { OrderEffects } from './order-effects.ts';
import type { Fact } from './order-fact.ts';
import { project } from './order-state.ts';
import { updateState } from './orders.queries.ts';
import {
  dueOf,
  findOrder,
  findOrderKey,
  findOrders,
  findPlacedOrder,
  keyOf,
  listOrders,
  lockOrder,
  orderEvents,
  recordFacts,
  takeExpiredOrders,
} from './orders.ts';

let database: TestDatabase;
let db: Db;
let otherDb: Db;
beforeAll(async () => {
  log.level = 'silent';
  database = await cloneDatabase();
  [db, otherDb] = [database.open(5), database.open(5)];
});
afterAll(async () => {
  await Promise.all([db.close(), otherDb.close()]);
  await database.drop();
});

const paid = [opened(first), captured(first)];
const whole = asked(1);

const record = (key: OrderKey, facts: readonly Fact[], through = db, effects = nothingFollows) =>
  through.transaction((tx) => recordFacts(tx, effects, key, facts));

describe('order facts', () => {
  test('each event recorded for an order begins in the order state in which the event before it ended', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first)]);
    await record(key, [captured(first)]);
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

  test('several events of an order that are recorded in one call are stored as one event each', async () => {
    const { key } = await givenPlacedOrder(db);
    const order = await record(key, [opened(first), closed(first), expired]);

    const records = await recordsOf(db, key);
    expect(records.events.map(({ state_after }) => state_after)).toEqual([
      'paying',
      'created',
      'closed',
    ]);
    expect(records.order).toMatchObject({ state: 'closed', closed_reason: 'expired', version: 3 });
    expect(order).toEqual(await findOrder(db, key));
    expect(brokenLinks(records)).toEqual([]);
  });

  test('the recorded events of an order are read back unchanged and in their sequence', async () => {
    const { key } = await givenPlacedOrder(db);
    const facts: Fact[] = [
      ...paid,
      deliveryFailed(1, '2026-01-01T00:00:00.000Z'),
      stuck(),
      resumed(),
      delivered,
      disputed('open'),
      disputed('won'),
      whole,
      settled(whole, 'done'),
      { type: 'revoked', result: 'revoked' },
    ];
    await record(key, facts);
    expect((await orderEvents(db, key)).map(({ fact }) => fact)).toEqual(facts);
  });

  test('a payment is recorded correctly for an order that already has a thousand recorded events', async () => {
    const { key } = await givenPlacedOrder(db);
    const failures = Array.from({ length: 1000 }, (_, index) => deliveryFailed(index + 1));
    await record(key, failures);
    await record(key, [opened(first)]);
    expect(await record(key, [captured(first)])).toMatchObject({ state: 'paid' });
    expect((await recordsOf(db, key)).events).toHaveLength(1002);
  });

  test('an order event that is recorded again, in the same call or in a later one, is stored once', async () => {
    const { order, key } = await givenPlacedOrder(db);
    const told = await record(key, [
      opened(first),
      opened(first),
      captured(first),
      captured(first),
    ]);
    const before = await recordsOf(db, key);
    expect(await record(key, [captured(first), opened(first)])).toEqual(told);

    expect(await recordsOf(db, key)).toEqual(before);
    expect(before.events).toHaveLength(2);
    expect(before.transfers).toHaveLength(1);
    expect(keyOf(order)).toEqual(key);
    expect(dueOf(order)).toEqual({ amountMinor: 499n, currency: 'USD' });
  });

  test('an order event that two servers record concurrently is stored once, and its delivery job is queued once', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first)]);
    const { effects, heard } = watchedEffects();

    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        record(key, [captured(first)], index % 2 === 0 ? db : otherDb, effects),
      ),
    );

    const records = await recordsOf(db, key);
    expect(records.events).toHaveLength(2);
    expect(records.transfers).toHaveLength(1);
    expect(heard).toEqual(['deliver, it is paid', 'look again']);
    expect(brokenLinks(records)).toEqual([]);
  });

  test('different events of one order that two servers record concurrently are all stored', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first)]);
    const tries = Array.from({ length: 12 }, (_, index) => index + 1);

    await Promise.all([
      ...tries.map((count) => record(key, [deliveryFailed(count)], count % 2 === 0 ? db : otherDb)),
      record(key, [captured(first)], otherDb),
      record(key, [expired]),
    ]);

    const records = await recordsOf(db, key);
    expect(records.events).toHaveLength(1 + tries.length + 2);
    expect(records.order.state).toBe('paid');
    expect(brokenLinks(records)).toEqual([]);
  });

  test('an event recorded for an unknown order is rejected', async () => {
    const key = { accountId: randomUUID(), paymentId: randomUUID() };
    await expect(record(key, [opened(first)])).rejects.toThrow('there is no order');
  });

  test('an event that would cause an illegal order state transition is rejected and changes nothing in the database', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [expired]);
    const before = await recordsOf(db, key);

    await expect(record(key, [opened(first)])).rejects.toThrow('cannot move from closed to paying');

    expect(await recordsOf(db, key)).toEqual(before);
  });

  test('order events cannot be updated, deleted or truncated', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first)]);
    const write = (statement: ReturnType<typeof sql>) => db.transaction((tx) => tx.run(statement));

    await expect(write(sql`update order_events set state_after = 'paid'`)).rejects.toThrow(
      'append-only',
    );
    await expect(write(sql`delete from order_events`)).rejects.toThrow('append-only');
    await expect(write(sql`truncate order_events`)).rejects.toThrow('append-only');
  });

  test.each([
    ['contradicts its key', { type: 'captured' }],
    ['has more fields than its type allows', { type: 'expired', note: 'of its own accord' }],
    ['is empty', {}],
  ])('the table order_events rejects an event whose content %s', async (_what, fact) => {
    const { key } = await givenPlacedOrder(db);
    const written = db.transaction((tx) =>
      tx.run(sql`
        insert into order_events
          (account_id, payment_id, seq, fact_key, fact, state_before, state_after)
        values (${key.accountId}, ${key.paymentId}, 1, 'expired', ${fact}::jsonb, 'created', 'closed')`),
    );
    await expect(written).rejects.toThrow('key_says_the_fact');
  });

  test('a new order state computed from an outdated version of the order is not written to the database', async () => {
    const { order, key } = await givenPlacedOrder(db);
    await record(key, [opened(first)]);
    const before = await recordsOf(db, key);
    const stale = { ...project(dueOf(order), []), version: 7 };

    const written = db.transaction((tx) => updateState(tx, order, stale));
    await expect(written).rejects.toThrow('expected one row, found none');
    expect(await recordsOf(db, key)).toEqual(before);
  });
});

describe('order rows', () => {
  const lineAfter = async (...facts: Fact[]) => {
    const { key } = await givenPlacedOrder(db);
    await record(key, facts);
    return (await recordsOf(db, key)).order;
  };

  test('an order keeps its stored times of payment and delivery when it is delivered and refunded later', async () => {
    expect(await lineAfter(opened(first))).toMatchObject({ paid_at: null, arrived_at: null });
    const { key } = await givenPlacedOrder(db);
    await record(key, paid);
    const { order: first_ } = await recordsOf(db, key);
    expect([first_.paid_at, first_.arrived_at]).toEqual([expect.any(Date), null]);
    await record(key, [delivered]);
    const { order: then } = await recordsOf(db, key);
    expect([then.paid_at, then.arrived_at]).toEqual([first_.paid_at, expect.any(Date)]);
    await record(key, [elsewhere()]);
    const { order: last } = await recordsOf(db, key);
    expect([last.paid_at, last.arrived_at]).toEqual([then.paid_at, then.arrived_at]);
  });

  test('an underpaid order has no stored payment or delivery time, even if the game has delivered its goods', async () => {
    const less = captured(first, { amountMinor: 1n });
    expect(await lineAfter(opened(first), less, delivered)).toMatchObject({
      state: 'paying',
      paid_at: null,
      arrived_at: null,
    });
  });

  test('the stored refunded amount of an order never exceeds its price, even after a full refund and a lost dispute', async () => {
    expect(await lineAfter(...paid, elsewhere({ amountMinor: 7n }))).toMatchObject({
      state: 'paid',
      refunded_minor: 7n,
    });
    expect(await lineAfter(...paid, elsewhere(), disputed('lost'))).toMatchObject({
      state: 'refunded',
      refunded_minor: 499n,
    });
  });

  test('the row of an order in the orders table says whether a dispute is open and why the order is in review', async () => {
    expect(await lineAfter(...paid)).toMatchObject({ is_disputed: false, review_reason: null });
    expect(await lineAfter(...paid, disputed('open'))).toMatchObject({ is_disputed: true });
    expect(await lineAfter(captured(stranger))).toMatchObject({ review_reason: 'unknown_attempt' });
  });

  test('an order has a stored closing reason only while it is closed, and none after a late payment', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first), closed(first), expired]);
    expect((await recordsOf(db, key)).order.closed_reason).toBe('expired');
    await record(key, [captured(first)]);
    expect((await recordsOf(db, key)).order).toMatchObject({ state: 'paid', closed_reason: null });
  });
});

describe('effects of order facts', () => {
  const heardOf = async (
    told: readonly (readonly Fact[])[],
    given: (db: Db) => Promise<{ key: OrderKey }> = givenPlacedOrder,
  ) => {
    const { key } = await given(db);
    const { effects, heard } = watchedEffects();
    for (const facts of told) await record(key, facts, db, effects);
    return heard.filter((line) => line !== 'look again');
  };

  test('a payment is rolled back when its delivery cannot be queued in the same transaction', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first)]);
    const before = await recordsOf(db, key);
    const effects: OrderEffects = {
      ...nothingFollows,
      onPaid: () => Promise.reject(new Error('no delivery today')),
    };

    await expect(record(key, [captured(first)], db, effects)).rejects.toThrow('no delivery today');

    expect(await recordsOf(db, key)).toEqual(before);
  });

  test.each<[string, Fact[][], string[]]>([
    [
      'a payment queues the delivery once',
      [paid, [captured(first)], [expired]],
      ['deliver, it is paid'],
    ],
    [
      'a payment after the order was closed queues the delivery',
      [[opened(first), closed(first), expired], [captured(first)]],
      ['deliver, it is paid'],
    ],
    ['a mismatched capture queues no delivery', [[opened(first), captured(stranger)]], []],
    [
      'a resumed delivery is queued again',
      [paid, [stuck()], [resumed()]],
      ['deliver, it is paid', 'deliver, it is paid'],
    ],
    [
      'a refund is sent to the provider, and its failure queues the delivery again',
      [paid, [whole], [settled(whole, 'failed')]],
      [
        'deliver, it is paid',
        'send back 499 of pi_1, operator, 1',
        'refund of pi_1 is failed',
        'deliver, it is paid',
      ],
    ],
    [
      'a delivered order is revoked once when all its money is refunded',
      [[...paid, delivered], [whole], [settled(whole, 'done')], [expired]],
      ['send back 499 of pi_1, operator, 1', 'refund of pi_1 is done', 'take back, it is refunded'],
    ],
    [
      'a refunded order is revoked before its delivery, and again if it is delivered after all',
      [paid, [elsewhere()], [delivered], [stuck()]],
      [
        'deliver, it is paid',
        'refund of pi_1 is done',
        'take back, it is refunded',
        'take back, it is refunded',
      ],
    ],
    [
      'a partial refund revokes nothing',
      [[...paid, delivered], [elsewhere({ amountMinor: 498n })]],
      ['refund of pi_1 is done'],
    ],
    [
      'a lost dispute revokes the order, and its reinstatement queues the delivery again',
      [paid, [disputed('lost')], [disputed('reinstated')]],
      ['deliver, it is paid', 'take back, it is refunded', 'deliver, it is paid'],
    ],
    [
      'a delivered order is not delivered again when its refund failed',
      [[...paid, delivered], [whole], [settled(whole, 'failed')]],
      ['send back 499 of pi_1, operator, 1', 'refund of pi_1 is failed'],
    ],
    [
      'a second payment is refunded through its own payment attempt',
      [
        [...paid, delivered],
        [opened(second), captured(second)],
      ],
      ['send back 499 of pi_2, duplicate, 2'],
    ],
  ])(
    'the recorded events of an order queue the background jobs for its delivery, revocation and refund: %s',
    async (_what, told, heard) => {
      expect(await heardOf(told)).toEqual(heard);
    },
  );

  test('an order that buys E Points never causes a delivery call or a revocation call to a game', async () => {
    const told = [paid, [whole], [settled(whole, 'done')]];
    expect(await heardOf(told, givenPointsOrder)).toEqual([
      'send back 499 of pi_1, operator, 1',
      'refund of pi_1 is done',
    ]);
  });

  test('a refund of a capture that the order does not have is not recorded', async () => {
    const { key } = await givenPlacedOrder(db);
    const before = await recordsOf(db, key);
    await expect(record(key, [whole])).rejects.toThrow('there is no capture pi_1');
    expect(await recordsOf(db, key)).toEqual(before);
  });

  test('server processes are notified of a change of an order after its commit, but not of repeated or rolled-back events', async () => {
    const { key } = await givenPlacedOrder(db);
    const { effects, heard } = watchedEffects();
    await record(key, [opened(first)], db, effects);
    expect(heard).toEqual(['look again']);

    await record(key, [opened(first)], db, effects);
    const undone = db.transaction(async (tx) => {
      await recordFacts(tx, { ...effects, onPaid: async () => {} }, key, [captured(first)]);
      throw new Error('changed our mind');
    });
    await expect(undone).rejects.toThrow('changed our mind');
    expect(heard).toEqual(['look again']);
  });

  test('the notification about a changed order contains the account id and payment id of that order', async () => {
    const { key } = await givenPlacedOrder(db);
    const moved: OrderKey[] = [];
    const effects = { ...nothingFollows, onMoved: (which: OrderKey) => moved.push(which) };
    await record(key, [opened(first)], db, effects);
    expect(moved).toEqual([key]);
  });
});

describe('operator cases of orders', () => {
  const less = captured(first, { amountMinor: 498n });
  const amounts = { captureId: 'pi_1', amountMinor: '499', currency: 'USD' };
  test.each<[string, Fact[][], (paymentId: string) => [string, string, object][]]>([
    [
      'a mismatched capture opens one case',
      [[opened(first), less], [less], [closed(first)]],
      (paymentId) => [
        [
          'misfit_money',
          `${paymentId}:pi_1`,
          { reviewReason: 'underpaid', ...amounts, amountMinor: '498' },
        ],
      ],
    ],
    [
      'each mismatched capture opens its own case, even for the same reason',
      [
        [opened(first), less],
        [captured(first, { captureId: 'pi_eur', currency: 'EUR' })],
        [captured(first, { captureId: 'pi_2', amountMinor: 497n })],
      ],
      (paymentId) => [
        ['misfit_money', `${paymentId}:pi_1`, expect.anything()],
        [
          'misfit_money',
          `${paymentId}:pi_eur`,
          {
            reviewReason: 'wrong_currency',
            captureId: 'pi_eur',
            amountMinor: '499',
            currency: 'EUR',
          },
        ],
        ['misfit_money', `${paymentId}:pi_2`, expect.objectContaining({ amountMinor: '497' })],
      ],
    ],
    [
      'an exact capture that is later reported with a larger amount opens a case',
      [paid, [captured(first, { amountMinor: 900n })]],
      (paymentId) => [
        ['misfit_money', `${paymentId}:pi_1`, expect.objectContaining({ amountMinor: '900' })],
      ],
    ],
    [
      'a failed refund opens one case',
      [[...paid, whole], [settled(whole, 'failed')], [settled(whole, 'failed'), expired]],
      (paymentId) => [['refund_failed', paymentId, amounts]],
    ],
    [
      'a dispute opens one case for its warning and one for its opening',
      [paid, [disputed('warning')], [disputed('open')], [disputed('open')], [disputed('won')]],
      (paymentId) => [
        ['dispute', `${paymentId}:warning`, amounts],
        ['dispute', `${paymentId}:open`, amounts],
      ],
    ],
    [
      'a dispute whose amount changes opens only one case',
      [paid, [disputed('open', { amountMinor: 7n })], [disputed('open')]],
      (paymentId) => [['dispute', `${paymentId}:open`, { ...amounts, amountMinor: '7' }]],
    ],
    [
      'a dispute reinstated after the goods were revoked opens one case',
      [[...paid, delivered], [disputed('lost')], [disputed('reinstated')], [expired]],
      (paymentId) => [['reinstated', `${paymentId}:5`, { state: 'arrived' }]],
    ],
    [
      'a dispute lost after a full refund opens one case',
      [[...paid, delivered], [elsewhere()], [disputed('lost')], [disputed('lost')], [expired]],
      (paymentId) => [['lost_twice', `${paymentId}:pi_1`, { ...amounts, goneMinor: '998' }]],
    ],
    [
      'a delivered and refunded order opens no case',
      [paid, [delivered], [whole], [settled(whole, 'done')]],
      () => [],
    ],
    [
      'a second payment, which is refunded automatically, opens no case',
      [[...paid, opened(second), captured(second)]],
      () => [],
    ],
  ])(
    'an operator case opens for the recorded events of an order only where an operator must decide: %s',
    async (_what, told, expected) => {
      const { key } = await givenPlacedOrder(db);
      for (const facts of told) await record(key, facts.map(ownBy(key)));
      const cases = await casesOf(db, key);
      expect(cases.map(({ kind, subject, details }) => [kind, subject, details])).toEqual(
        expected(key.paymentId),
      );
      for (const { account_id } of cases) expect(account_id).toBe(key.accountId);
    },
  );

  test('a dispute recorded twenty times concurrently opens one operator case', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, paid);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        record(key, [ownBy(key)(disputed('open'))], index % 2 === 0 ? db : otherDb),
      ),
    );
    expect(await casesOf(db, key)).toHaveLength(1);
  });

  /** Case subjects contain refund and dispute ids, which must be unique to each order here. */
  const ownBy =
    ({ paymentId }: OrderKey) =>
    (fact: Fact): Fact => {
      if ('refundId' in fact) return { ...fact, refundId: paymentId };
      return 'disputeId' in fact ? { ...fact, disputeId: paymentId } : fact;
    };
});

describe('order placement', () => {
  test('twenty concurrent requests with one client order id place one order', async () => {
    const accountId = await givenAccount(db);
    const clientOrderId = randomUUID();
    const placed = await Promise.all(
      Array.from({ length: 20 }, () => givenPlacedOrder(db, { accountId, clientOrderId })),
    );
    expect(new Set(placed.map(({ key }) => key.paymentId)).size).toBe(1);
  });

  test('a client order id reused for an order with other contents is refused with InvalidParams', async () => {
    const clientOrderId = randomUUID();
    const { order, key } = await givenPlacedOrder(db, { clientOrderId, intentBody: 'one pack' });
    const { accountId } = key;
    const again = { accountId, clientOrderId };
    const same = await givenPlacedOrder(db, { ...again, intentBody: 'one pack' });
    expect(same.order).toEqual(order);
    expect(await findPlacedOrder(db, { ...again, intentBody: 'one pack' })).toEqual(order);

    const other = givenPlacedOrder(db, { ...again, intentBody: 'two packs' });
    await expect(other).rejects.toMatchObject({ code: 'InvalidParams' });
    const found = findPlacedOrder(db, { ...again, intentBody: 'two packs' });
    await expect(found).rejects.toMatchObject({ code: 'InvalidParams' });
  });

  test('the same client order id sent by two accounts creates two separate orders', async () => {
    const clientOrderId = randomUUID();
    const { key } = await givenPlacedOrder(db, { clientOrderId });
    const { key: other } = await givenPlacedOrder(db, { clientOrderId });
    expect(other.paymentId).not.toBe(key.paymentId);
    const unknown = { ...key, clientOrderId: randomUUID(), intentBody: 'the same' };
    expect(await findPlacedOrder(db, unknown)).toBeUndefined();
  });

  test('a placed order stores every field of its order request', async () => {
    const intent = {
      kind: 'item',
      siteId: 'site',
      gameId: 'game',
      serverId: 'server',
      roleId: 'role',
      gameAccountId: 'game-account',
      itemId: 'item',
      packCount: 7,
      orderType: 'internal',
      method: 'epoint',
      system: 'ios',
      currency: 'EPOINT',
      amountMinor: 77n,
      expireMinutes: 90,
      promiseHours: 48,
    } as const;
    const snapshot = { roleName: 'Aveline', giftDays: 14, quantity: '5', giftQuantity: '0' };
    const { order, key } = await givenPlacedOrder(db, { ...intent, snapshot });
    expect(await findOrder(db, key)).toEqual(order);
    expect(order).toMatchObject({
      account_id: key.accountId,
      payment_id: key.paymentId,
      kind: 'item',
      site_id: 'site',
      game_id: 'game',
      server_id: 'server',
      role_id: 'role',
      game_account_id: 'game-account',
      item_id: 'item',
      pack_count: 7,
      order_type: 'internal',
      method: 'epoint',
      system: 'ios',
      currency: 'EPOINT',
      amount_minor: 77n,
      promise_hours: 48,
      snapshot,
      state: 'created',
      version: 0,
      refunded_minor: 0n,
      is_disputed: false,
    });
    expect(order.expire_at.getTime() - order.created_at.getTime()).toBe(90 * 60_000);
  });

  test('the orders table rejects an item order without a character, E Points bought with E Points, and an order with price zero', async () => {
    const nowhere = givenPlacedOrder(db, { roleId: null });
    await expect(nowhere).rejects.toThrow('items_go_to_a_role');
    const circle = givenPointsOrder(db, { currency: 'EPOINT' });
    await expect(circle).rejects.toThrow('points_are_bought_with_money');
    const free = givenPlacedOrder(db, { amountMinor: 0n });
    await expect(free).rejects.toThrow('order_costs_something');
  });
});

describe('order lists', () => {
  const all = {
    states: null,
    kind: null,
    gameId: null,
    shownAt: { siteId: 'solmere', gameIds: ['solmere'] },
    fromId: null,
    untilId: null,
    after: null,
    limit: 100,
  };

  test('the order list of an account has only its own orders, newest first, split into pages', async () => {
    const accountId = await givenAccount(db);
    const stranger_ = await givenPlacedOrder(db);
    const placed: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      placed.push((await givenPlacedOrder(db, { accountId })).key.paymentId);
    }
    const newestFirst = placed.toSorted().toReversed();
    const idsOf = async (filter: object) =>
      (await listOrders(db, { ...all, accountId, ...filter })).map((order) => order.payment_id);

    expect(await idsOf({})).toEqual(newestFirst);
    expect(await idsOf({ limit: 2 })).toEqual(newestFirst.slice(0, 2));
    expect(await idsOf({ after: newestFirst[1], limit: 2 })).toEqual(newestFirst.slice(2, 4));
    expect(await idsOf({ fromId: newestFirst[1] })).toEqual(newestFirst.slice(0, 2));
    expect(await idsOf({ untilId: newestFirst[1] })).toEqual(newestFirst.slice(2));

    const paymentIds = [placed[0] ?? '', placed[3] ?? '', stranger_.key.paymentId];
    const found = await findOrders(db, { accountId, paymentIds });
    expect(found.map((order) => order.payment_id)).toEqual(
      [placed[0], placed[3]].toSorted().toReversed(),
    );
  });

  test('an order list can be filtered by state, kind and game', async () => {
    const accountId = await givenAccount(db);
    const { key: paidOne } = await givenPlacedOrder(db, { accountId });
    await record(paidOne, paid);
    const { key: unpaid } = await givenPlacedOrder(db, { accountId, gameId: 'another' });
    const { key: points } = await givenPointsOrder(db, { accountId });
    const idsOf = async (filter: object) =>
      (await listOrders(db, { ...all, accountId, ...filter })).map((order) => order.payment_id);
    const sorted = (...keys: OrderKey[]) =>
      keys
        .map(({ paymentId }) => paymentId)
        .toSorted()
        .toReversed();

    expect(await idsOf({ states: ['paid', 'stuck'] })).toEqual(sorted(paidOne));
    expect(await idsOf({ states: ['created'] })).toEqual(sorted(unpaid, points));
    expect(await idsOf({ kind: 'points' })).toEqual(sorted(points));
    expect(await idsOf({ kind: 'item' })).toEqual(sorted(paidOne, unpaid));
    expect(await idsOf({ gameId: 'another' })).toEqual(sorted(unpaid));
    expect(await idsOf({ states: ['created'], kind: 'item' })).toEqual(sorted(unpaid));
  });

  test('a database lookup of orders by payment ids returns at most fifty orders', async () => {
    const accountId = await givenAccount(db);
    const placed = await Promise.all(
      Array.from({ length: 51 }, () => givenPlacedOrder(db, { accountId })),
    );
    const paymentIds = placed.map(({ key }) => key.paymentId);
    expect(await findOrders(db, { accountId, paymentIds })).toHaveLength(50);
  });
});

test('the account of an order is found by the payment id of the order alone', async () => {
  const { key } = await givenPlacedOrder(db);
  await givenPlacedOrder(db);
  expect(await findOrderKey(db, key.paymentId)).toEqual(key);
  expect(await findOrderKey(db, randomUUID())).toBeUndefined();
});

test('an order that one database transaction has locked is not changed by another until the lock is released', async () => {
  const { key } = await givenPlacedOrder(db);
  const letGo = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const lines: string[] = [];
  const holding = db.transaction(async (tx) => {
    expect(await lockOrder(tx, key)).toEqual(await findOrder(tx, key));
    held.resolve();
    await letGo.promise;
    lines.push('let go');
  });
  await held.promise;
  const recording = record(key, [opened(first)], otherDb).then(() => lines.push('recorded'));
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  letGo.resolve();
  await Promise.all([holding, recording]);

  expect(lines).toEqual(['let go', 'recorded']);
  const nobody = { accountId: randomUUID(), paymentId: randomUUID() };
  expect(await db.transaction((tx) => lockOrder(tx, nobody))).toBeUndefined();

  async function waiting() {
    return await db.many(
      z.object({ pid: z.int() }),
      sql`select pid from pg_locks where not granted and pid <> pg_backend_pid()`,
    );
  }
});

describe('expired orders', () => {
  const take = async (tx: Tx, rowsMax: number) =>
    (
      await takeExpiredOrders(tx, { againMinutes: 60, rowsMax, fromId: firstSweptId('recent') })
    ).map(({ key }) => key);

  test('expired unpaid orders are given to workers for closing oldest first, each to one worker only', async () => {
    const [older, newer] = [await givenPlacedOrder(db), await givenPlacedOrder(db)];
    const [paidOne, open] = [await givenPlacedOrder(db), await givenPlacedOrder(db)];
    await record(paidOne.key, paid);
    await record(newer.key, [opened(first)]);
    for (const { key } of [older, newer, paidOne]) await letExpire(db, key);

    const taken = Promise.withResolvers<OrderKey[]>();
    const other = Promise.withResolvers<void>();
    const committed = db.transaction(async (tx) => {
      taken.resolve(await take(tx, 1));
      await other.promise;
    });
    const mine = await taken.promise;
    const theirs = await otherDb.transaction((tx) => take(tx, 10));
    other.resolve();
    await committed;

    expect(mine).toEqual([older.key]);
    expect(theirs).toEqual([newer.key]);
    expect(theirs).not.toContainEqual(open.key);
  });

  test('an expired order with a capture that does not match its price is not given to a worker for closing', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first), captured(first, { amountMinor: 498n })]);
    await letExpire(db, key);

    const handed = await db.transaction((tx) => take(tx, 100));
    expect(handed).not.toContainEqual(key);
  });
});
