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

describe('a refund that is asked for', () => {
  test('is all that is left where no amount is named', async () => {
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

  test('is in parts until nothing is left', async () => {
    const key = await givenOrder(...paid);
    expect((await ask(key, { amountMinor: 200n })).state).toBe('paid');
    await ask(key, { amountMinor: 298n });
    await expect(ask(key, { amountMinor: 2n })).rejects.toMatchObject({ code: 'RefundTooLarge' });
    expect((await ask(key)).state).toBe('refunding');
    await expect(ask(key)).rejects.toMatchObject({ code: 'RefundTooLarge' });
    expect(await amountsOf(key)).toEqual(['200 of pi_1', '298 of pi_1', '1 of pi_1']);
  });

  test('can be asked for again when it failed', async () => {
    const key = await givenOrder(...paid);
    const failed = asked(1, { refundId: randomUUID() });
    await ask(key, { refundId: failed.refundId });
    await record(key, [settled(failed, 'failed')]);
    expect((await ask(key)).state).toBe('refunding');
  });

  test.each<[string, Fact[], Partial<RefundAsked>]>([
    ['a cent more than was paid', paid, { amountMinor: 500n }],
    ['nothing', paid, { amountMinor: 0n }],
    ['less than nothing', paid, { amountMinor: -1n }],
    ['of an order that nobody paid', [opened(first)], {}],
    ['of money that does not fit, unless it is named', [captured(stranger)], {}],
    ['of a payment that is not there', paid, { captureId: 'pi_unheard' }],
    ['of money that is in dispute', [...paid, disputed('open')], {}],
    ['of money that a bank took', [...paid, disputed('lost')], {}],
  ])('%s is refused and leaves no trace', async (_what, facts, changes) => {
    const key = await givenOrder(...facts);
    const before = await recordsOf(db, key);
    await expect(ask(key, changes)).rejects.toMatchObject({ code: 'RefundTooLarge' });
    expect(await recordsOf(db, key)).toEqual(before);
  });

  test('of an order that is not there, or is not theirs, is refused alike', async () => {
    const key = await givenOrder(...paid);
    const foreign = { ...key, accountId: await givenAccount(db) };
    const nowhere = { accountId: key.accountId, paymentId: randomUUID() };
    for (const wrong of [foreign, nowhere]) {
      await expect(ask(wrong)).rejects.toMatchObject({ code: 'PaymentIdWrong' });
    }
  });

  test('is of the payment that is named, also of one that never fitted', async () => {
    const key = await givenOrder(...paid, captured(stranger, { amountMinor: 70n }));
    await ask(key, { captureId: 'pi_f', reason: 'misfit' });
    expect(await amountsOf(key)).toEqual(['70 of pi_f']);
  });

  test('is of the payment that most is left of where none is named', async () => {
    const key = await givenOrder(...paidTwice);
    // The second payment is on its way back by itself.
    expect((await ask(key)).state).toBe('refunding');
    expect(await amountsOf(key)).toEqual(['499 of pi_2', '499 of pi_1']);
  });

  test('twice under the same id is asked for once, whatever the second one says', async () => {
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

  test('by twenty requests at once under the same id is asked for once', async () => {
    const key = await givenOrder(...paid);
    const refundId = randomUUID();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask(key, { refundId, amountMinor: 100n }, { through: index % 2 === 0 ? db : otherDb }),
      ),
    );
    expect(await amountsOf(key)).toEqual(['100 of pi_1']);
  });

  test('by fifty at once, in whole and in parts, is never more than was paid', async () => {
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

describe('a second payment', () => {
  const back = (key: OrderKey, captureId: string): FactOf<'refund_requested'> => ({
    type: 'refund_requested',
    refundId: derivedId('duplicate', key.paymentId, captureId),
    captureId,
    amountMinor: 499n,
    currency: 'USD',
    reason: 'duplicate',
    by: 'shop',
  });

  test('is asked back whole, in the commit that it became known by', async () => {
    const key = await givenOrder(...paid, delivered);
    const { effects, heard } = watchedEffects();
    const order = await record(key, [opened(second), captured(second)], effects);
    expect(order).toMatchObject({ state: 'arrived', refunded_minor: 0n, review_reason: null });
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
    expect(heard).toEqual(['send back 499 of pi_2, duplicate, 2', 'look again']);
  });

  test('is the one that came later, whatever it is called', async () => {
    const key = await givenOrder(opened(first), opened(second), captured(second));
    await record(key, [captured(first)]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_1')]);
  });

  test('that became known with the first one is the one that was told last', async () => {
    const key = await givenOrder(...paidTwice);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
  });

  test('is asked back although something is told after it that was known before', async () => {
    const key = await givenOrder(...paid, opened(second));
    await record(key, [captured(second), captured(first), opened(first)]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
  });

  test('told again and again is asked back once', async () => {
    const key = await givenOrder(...paidTwice);
    await record(key, [captured(second)]);
    await record(key, [captured(second), expired]);
    expect(await requestsOf(key)).toHaveLength(1);
  });

  test('and a third one are both asked back', async () => {
    const third = captured(first, { captureId: 'pi_3' });
    const key = await givenOrder(...paid);
    await record(key, [opened(second), captured(second), third]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_3'), back(key, 'pi_2')]);
  });

  test('is not asked back again when that failed', async () => {
    const key = await givenOrder(...paidTwice);
    const [request] = await requestsOf(key);
    if (request === undefined) throw new Error('nothing was asked for');
    await record(key, [settled(request, 'failed')]);
    expect(await record(key, [expired])).toMatchObject({ state: 'paid' });
    expect(await requestsOf(key)).toHaveLength(1);
  });

  test('is asked back although the first one is in dispute', async () => {
    const key = await givenOrder(...paid, disputed('open'));
    await record(key, [opened(second), captured(second)]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
  });

  test('that is in dispute itself is waited for, and asked back when the dispute is won', async () => {
    const both = [disputed('open'), disputed('open', { disputeId: 'dp_2', captureId: 'pi_2' })];
    const key = await givenOrder(opened(first), ...both, captured(first));
    await record(key, [closed(first), opened(second), captured(second)]);
    expect(await requestsOf(key)).toEqual([]);
    await record(key, [disputed('won', { disputeId: 'dp_2', captureId: 'pi_2' })]);
    expect(await requestsOf(key)).toEqual([back(key, 'pi_2')]);
  });

  test('is kept for the order when a bank took the first one', async () => {
    const key = await givenOrder(...paid, disputed('lost'));
    const order = await record(key, [opened(second), captured(second)]);
    expect(order).toMatchObject({ state: 'paid', refunded_minor: 0n });
    expect(await requestsOf(key)).toEqual([]);
  });

  test('of points is asked back too, and the points are granted once', async () => {
    const { key } = await givenPointsOrder(db);
    await record(key, paidTwice);
    expect(await requestsOf(key)).toHaveLength(1);
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 300n, present: 30n, seq: 1 });
  });
});

describe('an order that was paid in points', () => {
  const inPoints = captured(first, { currency: 'EPOINT' });

  /** Paid with 400 given and 99 bought points. */
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

  test('gets them back at once and in the buckets they came from, by no provider', async () => {
    const key = await givenOrderPaidInPoints();
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 901n, present: 0n });
    const { effects, heard } = watchedEffects();
    const order = await ask(key, {}, { effects });

    expect(order).toMatchObject({ state: 'refunded', refunded_minor: 499n });
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 1000n, present: 400n });
    expect(heard).toEqual(['refund of pi_1 is done', 'take back, it is refunded', 'look again']);
  });

  test('gets a part back, and the rest later, and no more', async () => {
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

  test('gets them back although something is told after it that was known before', async () => {
    const key = await givenOrderPaidInPoints();
    const request = asked(1, { currency: 'EPOINT' });
    expect(await record(key, [request, inPoints])).toMatchObject({ state: 'refunded' });
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 1000n, present: 400n });
  });

  test('gets them back once, however many ask at once', async () => {
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
