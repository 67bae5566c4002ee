import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
} from '../../../test/buying.ts';
import {
  askProvider,
  askRefund,
  attemptOf,
  casesOf,
  givenArrivedOrder,
  planRefunds,
  refundElsewhere,
  refundRowsOf,
  refundsAt,
  revocationOf,
  runJob,
  settleAtBank,
  withWorkerFor,
} from '../../../test/money-back.ts';
import { operate } from '../../../test/operate.ts';
import { booksOf, type OrderKey, recordsOf } from '../../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { newId } from '../../platform/ids.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => shop.stripe.tell('/__sandbox/reset', {}));
afterAll(() => shop.closeAll());

const send = (order: OrderKey, { refundId }: { refundId: string }) =>
  runJob(shop, 'refund_payment', { ...order, refundId });

describe('refunds made at the provider', () => {
  const told = (shown: 'Refunded' | 'Fulfilled', order: OrderKey, refundedMinor: bigint) =>
    withWorkerFor(shop, ['process_webhook'], () =>
      eventually(async () => {
        const detail = await detailOf(shop, buyer, order);
        return detail.shown === shown && detail.refundedMinor === refundedMinor && detail;
      }),
    );

  test('a full refund made at the provider refunds the order and asks the game to revoke the goods', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await refundElsewhere(shop, order);
    const detail = await told('Refunded', order, 499n);
    expect(detail.refunds).toMatchObject([{ reason: 'elsewhere', state: 'done' }]);
    expect(await refundRowsOf(shop.db, order)).toEqual([]);
    expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'queued' });
    expect(await booksOf(shop.db, order)).toMatchObject({ 'house:psp USD': 0n });
    await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });
  });

  test('a partial refund made at the provider is recorded, and the rest can still be refunded', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await refundElsewhere(shop, order, 200);
    await told('Fulfilled', order, 200n);
    await expect(askRefund(shop, order, { amountMinor: 300n })).rejects.toMatchObject({
      code: 'RefundTooLarge',
    });
    await send(order, await askRefund(shop, order, { amountMinor: 299n }));
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Refunded',
      refundedMinor: 499n,
    });
  });

  test('an order refunded at the provider before its payment was known is refunded and not delivered', async () => {
    await shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
    const order = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, order));
    await refundElsewhere(shop, order);
    await runJob(shop, 'check_attempt', await attemptOf(shop, order));
    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Refunded' });
    expect(await recordsOf(shop.db, order)).toMatchObject({ delivery: undefined });
    expect(await revocationOf(shop.db, order)).toBeUndefined();
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
    });
  });

  test('a failed refund that was made at the payment provider outside the shop changes nothing in the shop', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await planRefunds(shop, 'failed');
    await refundElsewhere(shop, order);
    await askProvider(shop, order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ refunds: [], refundedMinor: 0n });
    expect(await casesOf(shop.db, order)).toEqual([]);
  });

  test('a refund made at the provider and returned by the bank restores the order and opens an operator case', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await refundElsewhere(shop, order);
    await told('Refunded', order, 499n);
    await settleAtBank(shop, order, 'failed');
    await withWorkerFor(shop, ['process_webhook'], () =>
      eventually(async () => (await casesOf(shop.db, order)).length > 0),
    );
    expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'refund_returned' }]);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Fulfilled',
      refunds: [{ reason: 'elsewhere', state: 'failed' }],
    });
    expect(await booksOf(shop.db, order)).toMatchObject({ 'house:psp USD': -499n });
  });

  test('a pending refund that was made at the payment provider outside the shop counts only once it is done', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await planRefunds(shop, 'pending');
    await refundElsewhere(shop, order);
    await askProvider(shop, order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ refunds: [], shown: 'Fulfilled' });
    await settleAtBank(shop, order, 'succeeded');
    await told('Refunded', order, 499n);
  });
});

describe('refund commands of operators', () => {
  const recordRefund = (order: OrderKey, reference: string) => {
    const said = ['--reference', reference, '--by', 'finance'];
    return operate(shop, ['record-refund', order.paymentId, ...said]);
  };

  /** An order partly refunded in the provider's dashboard, with the webhook about it lost. */
  async function givenUntoldRefund(): Promise<{ order: OrderKey; reference: string }> {
    const order = await givenArrivedOrder(shop, buyer);
    await shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
    await refundElsewhere(shop, order, 200);
    const [refund] = await refundsAt(shop, order);
    return { order, reference: refund?.id ?? '' };
  }

  test('an operator can record a refund by its provider reference, and a repeat records it once', async () => {
    const { order, reference } = await givenUntoldRefund();
    for (const _ of ['once', 'twice']) {
      const { status, out } = await recordRefund(order, reference);
      expect(status).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ refundId: reference, amountMinor: '200' });
    }
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      refundedMinor: 200n,
      refunds: [{ reason: 'elsewhere', state: 'done', amountMinor: 200n }],
    });
    expect(await booksOf(shop.db, order)).toMatchObject({ 'house:psp USD': -299n });
  });

  test('an operator cannot record a refund that the provider does not know for that order', async () => {
    const { reference } = await givenUntoldRefund();
    const other = await givenArrivedOrder(shop, buyer);
    for (const told of [reference, 're_nobody']) {
      const { status, complaint } = await recordRefund(other, told);
      expect({ status, complaint }).toEqual({
        status: 1,
        complaint: `neither the provider nor its daily files know of a refund ${told} of this order\n`,
      });
    }
    expect(await detailOf(shop, buyer, other)).toMatchObject({ refundedMinor: 0n });
  });

  test('an operator can refund a part of an order only under a refund id, so that a repeat refunds once', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const part = ['refund', order.paymentId, '--by', 'finance', '--reason', 'goodwill'];
    const amount = ['--amount', '100'];
    const { status, complaint } = await operate(shop, [...part, ...amount]);
    expect({ status, complaint }).toMatchObject({
      status: 1,
      complaint: expect.stringMatching(/--refund-id [0-9a-f-]{36}\n$/),
    });
    const id = ['--refund-id', newId()];
    for (const _ of ['once', 'twice']) {
      expect(await operate(shop, [...part, ...amount, ...id])).toMatchObject({ status: 0 });
    }
    expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
  });
});
