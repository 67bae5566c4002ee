import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
} from '../../test/buying.ts';
import {
  askProvider,
  askRefund,
  attemptOf,
  casesOf,
  givenArrivedOrder,
  planRefunds,
  refundElsewhere,
  refundRowsOf,
  revocationOf,
  runJob,
  settleAtBank,
  withWorkerFor,
} from '../../test/money-back.ts';
import { booksOf, type OrderKey, recordsOf } from '../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';

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

describe('money that was sent back at the provider, without the shop', () => {
  const told = (shown: 'Refunded' | 'Fulfilled', order: OrderKey, refundedMinor: bigint) =>
    withWorkerFor(shop, ['process_webhook'], () =>
      eventually(async () => {
        const detail = await detailOf(shop, buyer, order);
        return detail.shown === shown && detail.refundedMinor === refundedMinor && detail;
      }),
    );

  test('all of it refunds the order, and the game is asked to take back', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await refundElsewhere(shop, order);
    const detail = await told('Refunded', order, 499n);
    expect(detail.refunds).toMatchObject([{ reason: 'elsewhere', state: 'done' }]);
    expect(await refundRowsOf(shop.db, order)).toEqual([]);
    expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'queued' });
    expect(await booksOf(shop.db, order)).toMatchObject({ 'house:psp USD': 0n });
    await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });
  });

  test('a part of it is known, and the rest can still be refunded', async () => {
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

  test('before the shop heard that it was paid is paid and refunded at once, and nothing is given', async () => {
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

  test('and did not get there never was', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await planRefunds(shop, 'failed');
    await refundElsewhere(shop, order);
    await askProvider(shop, order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ refunds: [], refundedMinor: 0n });
    expect(await casesOf(shop.db, order)).toEqual([]);
  });

  test('and came back from the bank after it was there is here again, and an operator is told', async () => {
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

  test('and is on its way counts when it is there', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await planRefunds(shop, 'pending');
    await refundElsewhere(shop, order);
    await askProvider(shop, order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ refunds: [], shown: 'Fulfilled' });
    await settleAtBank(shop, order, 'succeeded');
    await told('Refunded', order, 499n);
  });
});
