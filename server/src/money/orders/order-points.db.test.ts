import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  asked,
  captured,
  closed,
  disputed,
  elsewhere,
  expired,
  first,
  opened,
  recordableOrder,
  second,
  settled,
} from '../../../test/facts.ts';
import {
  booksOf,
  brokenLinks,
  casesOf,
  givenPointsOrder,
  nothingFollows,
  type OrderKey,
  recordsOf,
} from '../../../test/orders.ts';
import { type Db, sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { log } from '../../platform/log.ts';
import { spendPoints, walletOf } from '../points/points.ts';
import type { Fact } from './order-fact.ts';
import { recordFacts } from './orders.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  log.level = 'silent';
  database = await cloneDatabase();
  db = database.open(8);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const paid = [opened(first), captured(first)];
const whole = asked(1);
const part = asked(2, { amountMinor: 200n });

const record = (key: OrderKey, facts: readonly Fact[]) =>
  db.transaction((tx) => recordFacts(tx, nothingFollows, key, facts));

const pointsOf = async ({ accountId }: OrderKey) => {
  const { basic, present, frozenBasic, frozenPresent } = await walletOf(db, accountId);
  return { basic, present, frozenBasic, frozenPresent };
};
const none = { basic: 0n, present: 0n, frozenBasic: 0n, frozenPresent: 0n };
const all = { ...none, basic: 300n, present: 30n };
const frozen = { basic: 300n, present: 30n, frozenBasic: 300n, frozenPresent: 30n };

async function givenOrder(...told: Fact[][]): Promise<OrderKey> {
  const { key } = await givenPointsOrder(db);
  for (const facts of told) await record(key, facts);
  return key;
}

describe('point purchases', () => {
  test('an order that buys E Points is paid, credited to the wallet and marked as delivered in one transaction', async () => {
    const key = await givenOrder([opened(first)]);
    expect(await pointsOf(key)).toEqual(none);
    const order = await record(key, [captured(first)]);
    expect(order.state).toBe('arrived');
    expect(await pointsOf(key)).toEqual(all);

    const records = await recordsOf(db, key);
    expect(records.events.map((event) => [event.fact.type, event.state_after])).toEqual([
      ['attempt_opened', 'paying'],
      ['captured', 'paid'],
      ['delivered', 'arrived'],
    ]);
    expect(records.order.paid_at).toEqual(records.order.arrived_at);
    expect(brokenLinks(records)).toEqual([]);
    expect(await booksOf(db, key)).toEqual({
      'house:psp USD': -499n,
      'player:deposit USD': 0n,
      'house:sales USD': 499n,
      'house:points EPOINT': -330n,
      'player:basic EPOINT': 300n,
      'player:present EPOINT': 30n,
    });
  });

  test('an order that buys E Points credits no points when the transaction that records its payment is rolled back', async () => {
    const key = await givenOrder([opened(first)]);
    const before = await recordsOf(db, key);
    const undone = db.transaction(async (tx) => {
      await recordFacts(tx, nothingFollows, key, [captured(first)]);
      throw new Error('changed our mind');
    });
    await expect(undone).rejects.toThrow('changed our mind');
    expect(await recordsOf(db, key)).toEqual(before);
    expect(await pointsOf(key)).toEqual(none);
  });

  test('an order that buys E Points credits its points even if its payment is recorded together with an event that is already recorded', async () => {
    const key = await givenOrder([opened(first)]);
    expect(await record(key, [captured(first), opened(first)])).toMatchObject({ state: 'arrived' });
    expect(await pointsOf(key)).toEqual(all);
  });

  test('an order that buys E Points whose payment is recorded twenty times concurrently credits its points once', async () => {
    const key = await givenOrder([opened(first)]);
    await Promise.all(Array.from({ length: 20 }, () => record(key, [captured(first)])));
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 300n, present: 30n, seq: 1 });
  });

  test('an order that buys E Points credits none if the captured amount differs from the price', async () => {
    const key = await givenOrder([opened(first), captured(first, { amountMinor: 498n })]);
    expect(await pointsOf(key)).toEqual(none);
    expect((await recordsOf(db, key)).order.state).toBe('paying');
  });

  test('an order that buys several E Point packs credits the points of all of them', async () => {
    const { key } = await givenPointsOrder(db, { packCount: 3 });
    await record(key, paid);
    expect(await pointsOf(key)).toMatchObject({ basic: 900n, present: 90n });
  });

  const LotRow = z.object({ bucket: z.string(), days: z.number().nullable() });
  test.each([14, null])(
    'gift points of an order that buys E Points expire after %s days (null: never), and bought points never expire',
    async (giftDays) => {
      const { key } = await givenPointsOrder(db, { snapshot: { giftDays } });
      await record(key, paid);
      const lots = await db.many(
        LotRow,
        sql`
        select bucket, round(extract(epoch from expires_at - now()) / 86400, 2)::float8 as days
        from point_lots where account_id = ${key.accountId} order by bucket`,
      );
      expect(lots).toEqual([
        { bucket: 'basic', days: null },
        { bucket: 'present', days: giftDays },
      ]);
    },
  );

  test('an order that buys E Points without a gift credits only bought points', async () => {
    const { key } = await givenPointsOrder(db, { snapshot: { giftQuantity: '0' } });
    await record(key, paid);
    expect(await pointsOf(key)).toEqual({ ...none, basic: 300n });
  });
});

describe('points of refunded and disputed purchases', () => {
  test.each<[string, Fact[][], typeof none, string]>([
    ['a refund takes the points back as soon as it is requested', [[whole]], none, 'refunding'],
    [
      'a completed refund leaves the points taken back',
      [[whole], [settled(whole, 'done')]],
      none,
      'refunded',
    ],
    ['a failed refund returns the points', [[whole], [settled(whole, 'failed')]], all, 'arrived'],
    [
      'a partial refund takes points back in proportion and rounds the rest down',
      [[part]],
      { ...none, basic: 179n, present: 17n },
      'arrived',
    ],
    [
      'a completed partial refund takes back no further points',
      [[part], [settled(part, 'done')]],
      { ...none, basic: 179n, present: 17n },
      'arrived',
    ],
    [
      'a failed partial refund returns every point',
      [[part], [settled(part, 'failed')]],
      all,
      'arrived',
    ],
    [
      'a refund of all but one cent made at the provider takes back all points',
      [[elsewhere({ amountMinor: 498n })]],
      { ...none },
      'arrived',
    ],
    ['a dispute warning leaves the points unchanged', [[disputed('warning')]], all, 'arrived'],
    ['an open dispute freezes the points', [[disputed('open')]], frozen, 'arrived'],
    ['a won dispute unfreezes the points', [[disputed('open')], [disputed('won')]], all, 'arrived'],
    [
      'a lost dispute takes the points back',
      [[disputed('open')], [disputed('lost')]],
      none,
      'refunded',
    ],
    [
      'a partly lost dispute takes back its share of the points',
      [[disputed('open')], [disputed('lost', { amountMinor: 200n })]],
      { ...none, basic: 179n, present: 17n },
      'arrived',
    ],
    [
      'a second open dispute keeps the points frozen when the first is won',
      [[disputed('open')], [disputed('open', { disputeId: 'dp_2' })], [disputed('won')]],
      frozen,
      'arrived',
    ],
    [
      'a lost dispute about one of two payments leaves the points unchanged',
      [[opened(second), captured(second)], [disputed('lost')]],
      all,
      'arrived',
    ],
  ])(
    'refunds and disputes of an order that buys E Points take its points back, freeze them or restore them: %s',
    async (_what, told, points, state) => {
      const key = await givenOrder(paid, ...told);
      expect(await pointsOf(key)).toEqual(points);
      expect((await recordsOf(db, key)).order.state).toBe(state);
      // Recording all later facts in one call gives the same result.
      const other = await givenOrder(paid, told.flat());
      expect(await pointsOf(other)).toEqual(points);
    },
  );

  test('a refund of an order that bought E Points makes the balance negative if they are spent, and a failed refund undoes that', async () => {
    const key = await givenOrder(paid);
    await db.transaction((tx) =>
      spendPoints(tx, {
        accountId: key.accountId,
        originId: newId(),
        points: 330n,
        spendOrder: 'present_first',
      }),
    );
    await record(key, [whole]);
    expect(await pointsOf(key)).toEqual({ ...none, basic: -330n });
    await record(key, [settled(whole, 'failed')]);
    expect(await pointsOf(key)).toEqual(none);
  });

  test('an E Point order credits its points once the dispute is won, if the dispute was reported before the payment', async () => {
    const key = await givenOrder([...paid, disputed('open')]);
    expect((await recordsOf(db, key)).order.state).toBe('paid');
    expect(await pointsOf(key)).toEqual(none);
    await record(key, [disputed('won')]);
    expect((await recordsOf(db, key)).order.state).toBe('arrived');
    expect(await pointsOf(key)).toEqual(all);
  });

  test('an E Point order credits nothing once the dispute is lost, if the dispute was reported before the payment', async () => {
    const key = await givenOrder([...paid, disputed('open')], [disputed('lost')]);
    expect(await pointsOf(key)).toEqual(none);
    expect((await recordsOf(db, key)).order).toMatchObject({ state: 'refunded', arrived_at: null });
  });

  test('an order that buys E Points and is partly refunded before they are credited never credits the refunded part', async () => {
    const key = await givenOrder([
      opened(first),
      disputed('open', { amountMinor: 7n }),
      captured(first),
    ]);
    await record(key, [elsewhere({ amountMinor: 200n }), disputed('won', { amountMinor: 7n })]);
    expect(await pointsOf(key)).toEqual({ ...none, basic: 179n, present: 17n });
  });

  test('an order that buys E Points gets them back and opens an operator case when the bank reverses a lost dispute (reinstated)', async () => {
    const key = await givenOrder(paid, [disputed('lost')], [disputed('reinstated')]);
    expect(await pointsOf(key)).toEqual(all);
    expect((await casesOf(db, key)).map(({ kind }) => kind)).toEqual(['reinstated']);
  });
});

describe('point purchases with facts in random order', () => {
  const stories: [string, Fact[], string, typeof none, bigint][] = [
    ['a payment after expiry', [...paid, closed(first), expired], 'arrived', all, 499n],
    ['a refund', [...paid, whole, settled(whole, 'done'), expired], 'refunded', none, 0n],
    ['a failed refund', [...paid, whole, settled(whole, 'failed'), expired], 'arrived', all, 499n],
    [
      'partial refunds',
      [...paid, part, settled(part, 'done'), elsewhere({ amountMinor: 99n })],
      'arrived',
      { ...none, basic: 120n, present: 12n },
      200n,
    ],
    [
      'a won dispute',
      [...paid, disputed('warning'), disputed('open'), disputed('won'), expired],
      'arrived',
      all,
      499n,
    ],
    [
      'a lost dispute',
      [...paid, disputed('open'), disputed('lost'), expired],
      'refunded',
      none,
      0n,
    ],
    [
      'a reinstated dispute',
      [...paid, disputed('open'), disputed('lost'), disputed('reinstated')],
      'arrived',
      all,
      499n,
    ],
    [
      'a partial refund and a lost dispute',
      [
        ...paid,
        part,
        settled(part, 'done'),
        disputed('open', { amountMinor: 99n }),
        disputed('lost', { amountMinor: 99n }),
      ],
      'arrived',
      { ...none, basic: 120n, present: 12n },
      200n,
    ],
  ];

  test.each(stories)(
    'the points and ledger balances of an order that buys E Points do not depend on the sequence of its payment events: %s',
    async (_what, facts, state, points, sales) => {
      await Promise.all(
        Array.from({ length: 15 }, async () => {
          const { key } = await givenPointsOrder(db);
          const told = recordableOrder(facts, Math.random);
          for (const fact of told) await record(key, [fact]);
          const records = await recordsOf(db, key);
          const books = await booksOf(db, key);
          expect({
            told,
            state: records.order.state,
            points: await pointsOf(key),
            deposit: books['player:deposit USD'],
            sales: books['house:sales USD'] ?? 0n,
            psp: books['house:psp USD'],
            basic: books['player:basic EPOINT'] ?? 0n,
            links: brokenLinks(records),
          }).toEqual({
            told,
            state,
            points,
            deposit: 0n,
            sales,
            psp: -sales,
            basic: points.basic,
            links: [],
          });
        }),
      );
    },
  );
});
