import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  asked,
  captured,
  closed,
  delivered,
  disputed,
  expired,
  first,
  opened,
  second,
  settled,
  stranger,
} from '../../../test/facts.ts';
import {
  givenAccount,
  givenPlacedOrder,
  givenPointsOrder,
  nothingFollows,
  type OrderKey,
  recordsOf,
  watchedEffects,
} from '../../../test/orders.ts';
import type { Db } from '../../platform/db.ts';
import { derivedId, newId } from '../../platform/ids.ts';
import { log } from '../../platform/log.ts';
import { grantTopUp, spendPoints, walletOf } from '../points/points.ts';
import { type Fact, type FactOf, factsOf } from './order-fact.ts';
import { orderEvents, type RefundAsked, recordFacts, requestRefund } from './orders.ts';

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
const paidTwice = [...paid, opened(second), captured(second)];

const record = (key: OrderKey, facts: readonly Fact[], effects = nothingFollows) =>
  db.transaction((tx) => recordFacts(tx, effects, key, facts));

const ask = (
  key: OrderKey,
  changes: Partial<RefundAsked> = {},
  { through = db, effects = nothingFollows } = {},
) =>
  through.transaction((tx) =>
    requestRefund(tx, effects, key, {
      refundId: randomUUID(),
      amountMinor: null,
      reason: 'operator',
      by: 'an operator',
      captureId: null,
      ...changes,
    }),
  );

async function givenOrder(...facts: Fact[]): Promise<OrderKey> {
  const { key } = await givenPlacedOrder(db);
  await record(key, facts);
  return key;
}

const requestsOf = async (key: OrderKey) =>
  factsOf(
    (await orderEvents(db, key)).map(({ fact }) => fact),
    'refund_requested',
  );
const amountsOf = async (key: OrderKey) =>
  (await requestsOf(key)).map(({ captureId, amountMinor }) => `${amountMinor} of ${captureId}`);

describe('refund requests', () => {
  test('a refund requested without an amount refunds everything of the order that is not refunded yet', async () => {
    const key = await givenOrder(...paid, delivered);
    const refundId = randomUUID();
    const { effects, heard } = watchedEffects();
    const order = await ask(key, { refundId, reason: 'goodwill', by: 'Mina' }, { effects });

    expect(order.state).toBe('refunding');
    expect(await requestsOf(key)).toEqual([
      {
        type: 'refund_requested',
        refundId,
        captureId: 'pi_1',
        amountMinor: 499n,
        currency: 'USD',
        reason: 'goodwill',
        by: 'Mina',
      },
    ]);
    expect(heard).toEqual(['send back 499 of pi_1, goodwill, 1', 'look again']);
  });

  test('partial refunds of an order are accepted until its whole price is refunded', async () => {
    const key = await givenOrder(...paid);
    expect((await ask(key, { amountMinor: 200n })).state).toBe('paid');
    await ask(key, { amountMinor: 298n });
    await expect(ask(key, { amountMinor: 2n })).rejects.toMatchObject({ code: 'RefundTooLarge' });
    expect((await ask(key)).state).toBe('refunding');
    await expect(ask(key)).rejects.toMatchObject({ code: 'RefundTooLarge' });
    expect(await amountsOf(key)).toEqual(['200 of pi_1', '298 of pi_1', '1 of pi_1']);
  });

  test('a refund of an order can be requested again after the last refund failed', async () => {
    const key = await givenOrder(...paid);
    const failed = asked(1, { refundId: randomUUID() });
    await ask(key, { refundId: failed.refundId });
    await record(key, [settled(failed, 'failed')]);
    expect((await ask(key)).state).toBe('refunding');
  });

  test.each<[string, Fact[], Partial<RefundAsked>]>([
    ['for one cent more than was paid', paid, { amountMinor: 500n }],
    ['for zero', paid, { amountMinor: 0n }],
    ['for a negative amount', paid, { amountMinor: -1n }],
    ['for an unpaid order', [opened(first)], {}],
    ['for a mismatched capture that is not named', [captured(stranger)], {}],
    ['for an unknown capture', paid, { captureId: 'pi_unheard' }],
    ['for money in dispute', [...paid, disputed('open')], {}],
    ['for money lost to a dispute', [...paid, disputed('lost')], {}],
  ])(
    'a refund request %s is refused with RefundTooLarge and changes nothing in the database',
    async (_what, facts, changes) => {
      const key = await givenOrder(...facts);
      const before = await recordsOf(db, key);
      await expect(ask(key, changes)).rejects.toMatchObject({ code: 'RefundTooLarge' });
      expect(await recordsOf(db, key)).toEqual(before);
    },
  );

  test('a refund request for an unknown or foreign order is refused with PaymentIdWrong', async () => {
    const key = await givenOrder(...paid);
    const foreign = { ...key, accountId: await givenAccount(db) };
    const nowhere = { accountId: key.accountId, paymentId: randomUUID() };
    for (const wrong of [foreign, nowhere]) {
      await expect(ask(wrong)).rejects.toMatchObject({ code: 'PaymentIdWrong' });
    }
  });

  test('a refund request can name which capture of the order to refund, even one whose amount does not match the order', async () => {
    const key = await givenOrder(...paid, captured(stranger, { amountMinor: 70n }));
    await ask(key, { captureId: 'pi_f', reason: 'misfit' });
    expect(await amountsOf(key)).toEqual(['70 of pi_f']);
  });

  test('a refund request that names no capture refunds the capture of the order with the largest unrefunded amount', async () => {
    const key = await givenOrder(...paidTwice);
    // The shop has already requested the refund of the second payment itself.
    expect((await ask(key)).state).toBe('refunding');
    expect(await amountsOf(key)).toEqual(['499 of pi_2', '499 of pi_1']);
  });

  test('a refund request repeated with the same refund id and another amount changes nothing: the first amount is refunded once', async () => {
    const key = await givenOrder(...paid);
    const refundId = randomUUID();
    const { effects, heard } = watchedEffects();
    await ask(key, { refundId, amountMinor: 100n }, { effects });
    const before = await recordsOf(db, key);
    await ask(key, { refundId, amountMinor: 100n }, { effects });
    await ask(key, { refundId, amountMinor: 1000n }, { effects });
    expect(await recordsOf(db, key)).toEqual(before);
    expect(heard).toEqual(['send back 100 of pi_1, operator, 1', 'look again']);
  });

  test('twenty concurrent refund requests with the same refund id are recorded once', async () => {
    const key = await givenOrder(...paid);
    const refundId = randomUUID();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(key, { refundId, amountMinor: 100n }, { through: index % 2 === 0 ? db : otherDb }),
      ),
    );
    expect(await amountsOf(key)).toEqual(['100 of pi_1']);
  });

  test('fifty concurrent refund requests for one order never refund more than was paid', async () => {
    for (const amounts of [[null], [100n], [null, 100n], [499n, 250n, 7n]]) {
      const key = await givenOrder(...paid);
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) =>
          ask(
            key,
            { amountMinor: amounts[index % amounts.length] ?? null },
            { through: index % 2 === 0 ? db : otherDb },
          ),
        ),
      );
      const losers = results.filter((result) => result.status === 'rejected');
      const given = await requestsOf(key);
      const sum = given.reduce((total, { amountMinor }) => total + amountMinor, 0n);
      expect(sum).toBeLessThanOrEqual(499n);
      if (amounts.includes(null)) expect(sum).toBe(499n);
      expect(given.length + losers.length).toBe(50);
      expect(losers.length).toBeGreaterThan(0);
      expect(new Set(losers.map(({ reason }) => reason.code))).toEqual(new Set(['RefundTooLarge']));
    }
  });
});

describe('refunds of second payments', () => {
  const back = (key: OrderKey, captureId: string): FactOf<'refund_requested'> => ({
    type: 'refund_requested',
    refundId: derivedId('duplicate', key.paymentId, captureId),
    captureId,
    amountMinor: 499n,
    currency: 'USD',
    reason: 'duplicate',
    by: 'shop',
  });

  test('a second payment of an order is recorded and its full refund requested in one database transaction', async () => {
    const key = await givenOrder(...paid, delivered);
    const { effects, heard } = watchedEffects();
    const order = await record(key, [opened(second), captured(second)], effects);
    expect(order).toMatchObject({ state: 'arrived', refunded_minor: 0n, review_reason: null });
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
    expect(heard).toEqual(['send back 499 of pi_2, duplicate, 2', 'look again']);
  });

  test('an order that is paid twice has the payment refunded that the shop records later, whatever its capture id', async () => {
    const key = await givenOrder(opened(first), opened(second), captured(second));
    await record(key, [captured(first)]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_1')]);
  });

  test('an order whose two payments are recorded in the same call has the later payment in that call refunded', async () => {
    const key = await givenOrder(...paidTwice);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
  });

  test('a second payment of an order is refunded even if the call that records it also repeats events that are already recorded', async () => {
    const key = await givenOrder(...paid, opened(second));
    await record(key, [captured(second), captured(first), opened(first)]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
  });

  test('a second payment of an order that is recorded repeatedly is refunded once', async () => {
    const key = await givenOrder(...paidTwice);
    await record(key, [captured(second)]);
    await record(key, [captured(second), expired]);
    expect(await requestsOf(key)).toHaveLength(1);
  });

  test('an order that is paid three times has its second and third payment refunded', async () => {
    const third = captured(first, { captureId: 'pi_3' });
    const key = await givenOrder(...paid);
    await record(key, [opened(second), captured(second), third]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_3'), back(key, 'pi_2')]);
  });

  test('a second payment of an order is not refunded again automatically when its refund failed', async () => {
    const key = await givenOrder(...paidTwice);
    const [request] = await requestsOf(key);
    if (request === undefined) throw new Error('no refund was requested');
    await record(key, [settled(request, 'failed')]);
    expect(await record(key, [expired])).toMatchObject({ state: 'paid' });
    expect(await requestsOf(key)).toHaveLength(1);
  });

  test('a second payment of an order is refunded although the first payment is in dispute', async () => {
    const key = await givenOrder(...paid, disputed('open'));
    await record(key, [opened(second), captured(second)]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
  });

  test('a second payment of an order that is itself in dispute is refunded only after that dispute is won', async () => {
    const both = [disputed('open'), disputed('open', { disputeId: 'dp_2', captureId: 'pi_2' })];
    const key = await givenOrder(opened(first), ...both, captured(first));
    await record(key, [closed(first), opened(second), captured(second)]);
    expect(await requestsOf(key)).toEqual([]);
    await record(key, [disputed('won', { disputeId: 'dp_2', captureId: 'pi_2' })]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
  });

  test('a second payment of an order is kept when the first payment was lost to a dispute', async () => {
    const key = await givenOrder(...paid, disputed('lost'));
    const order = await record(key, [opened(second), captured(second)]);
    expect(order).toMatchObject({ state: 'paid', refunded_minor: 0n });
    expect(await requestsOf(key)).toEqual([]);
  });

  test('an order that buys E Points and is paid twice has its second payment refunded and credits the points once', async () => {
    const { key } = await givenPointsOrder(db);
    await record(key, paidTwice);
    expect(await requestsOf(key)).toHaveLength(1);
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 300n, present: 30n, seq: 1 });
  });
});

describe('refunds of orders paid with points', () => {
  const inPoints = captured(first, { currency: 'EPOINT' });

  /** An order paid with 400 gift points and 99 bought points. */
  async function givenOrderPaidInPoints(): Promise<OrderKey> {
    const { key } = await givenPlacedOrder(db, { method: 'epoint', currency: 'EPOINT' });
    const { accountId, paymentId } = key;
    await db.transaction(async (tx) => {
      const topUp = { accountId, originId: newId(), presentExpiresAt: null };
      await grantTopUp(tx, { ...topUp, basic: 1000n, present: 400n });
      const spendOrder = 'present_first';
      await spendPoints(tx, { accountId, originId: paymentId, points: 499n, spendOrder });
      await recordFacts(tx, nothingFollows, key, [opened(first), inPoints]);
    });
    return key;
  }

  test('an order paid with points is refunded at once to the same bought and gift points, without a payment provider', async () => {
    const key = await givenOrderPaidInPoints();
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 901n, present: 0n });
    const { effects, heard } = watchedEffects();
    const order = await ask(key, {}, { effects });

    expect(order).toMatchObject({ state: 'refunded', refunded_minor: 499n });
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 1000n, present: 400n });
    expect(heard).toEqual(['refund of pi_1 is done', 'take back, it is refunded', 'look again']);
  });

  test('an order paid with points can be refunded in parts, but never above its price', async () => {
    const key = await givenOrderPaidInPoints();
    await record(key, [delivered]);
    const refundId = randomUUID();
    for (let times = 0; times < 2; times += 1) await ask(key, { refundId, amountMinor: 100n });
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 1000n, present: 1n });
    expect((await recordsOf(db, key)).order).toMatchObject({
      state: 'arrived',
      refunded_minor: 100n,
    });
    await ask(key);
    await expect(ask(key)).rejects.toMatchObject({ code: 'RefundTooLarge' });
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 1000n, present: 400n });
  });

  test('an order paid with points is refunded even if the call that records the refund repeats an event that is already recorded', async () => {
    const key = await givenOrderPaidInPoints();
    const request = asked(1, { currency: 'EPOINT' });
    expect(await record(key, [request, inPoints])).toMatchObject({ state: 'refunded' });
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 1000n, present: 400n });
  });

  test('twenty concurrent refunds of an order paid with points never return more points than were paid', async () => {
    const key = await givenOrderPaidInPoints();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        ask(key, { amountMinor: 300n }, { through: index % 2 === 0 ? db : otherDb }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const wallet = await walletOf(db, key.accountId);
    expect(wallet.basic + wallet.present).toBe(1201n);
  });
});
