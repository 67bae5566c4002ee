import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  createOrder,
  detailOf,
  givenBuyer,
  givenOrder,
  grantsOf,
  pay,
  untilShown,
} from '../../../test/buying.ts';
import { askRefund, attemptOf, runJob } from '../../../test/money-back.ts';
import { brokenLinks, letExpire, type OrderKey, recordsOf } from '../../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { type PaypalWorld, startPaypalWorld, webhookId } from '../psp/test/paypal-world.ts';

// End-to-end tests of a provider whose approved payments the shop has to capture itself.

let world: PaypalWorld;
let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  world = await startPaypalWorld();
  const PAYPAL = JSON.stringify({
    clientId: 'client',
    clientSecret: 'secret',
    environment: 'sandbox',
    webhookIds: [webhookId],
    route: world.route,
  });
  shop = await openTestShop({ LOG_LEVEL: 'silent', PAYPAL });
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update sites set methods = array['card', 'paypal', 'epoint'], other_currencies = array['KRW']`),
  );
  shop.startWorker();
  buyer = await givenBuyer(shop);
});
beforeEach(async () => {
  await world.outsider.tell('/__sandbox/reset', {});
  await world.outsider.tell('/__sandbox/webhooks', { url: `${shop.url}/webhooks/paypal` });
});
afterAll(async () => {
  await shop?.closeAll();
  await world?.outsider.stop();
});

const loseWebhooks = () => world.outsider.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });

const Opened = z.object({ action: z.object({ kind: z.literal('redirect'), url: z.url() }) });

/** An order with an open PayPal page, and its PayPal order id. */
async function givenPage(): Promise<{ order: OrderKey; pspRef: string }> {
  const order = await givenOrder(shop, buyer, { method: 'paypal' });
  const { action } = Opened.parse((await pay(shop, buyer, order)).data);
  const pspRef = new URL(action.url).searchParams.get('token') ?? '';
  return { order, pspRef };
}

async function chargesOf({ paymentId }: OrderKey) {
  const { charges } = await world.records();
  return charges.filter((charge) => charge.paymentId === paymentId);
}

test('an approved PayPal order is captured once and its goods are delivered', async () => {
  const { order, pspRef } = await givenPage();
  expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Processing' });
  await world.approve(pspRef);
  await untilShown(shop, buyer, order, 'Fulfilled');
  expect(await chargesOf(order)).toHaveLength(1);
  expect(await grantsOf(shop, order)).toHaveLength(1);
  expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
});

test('the shop finds by polling an approved PayPal order whose payer does not return and whose webhooks are lost', async () => {
  await loseWebhooks();
  const { order, pspRef } = await givenPage();
  await world.approve(pspRef);
  await runJob(shop, 'check_attempt', await attemptOf(shop, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  expect(await chargesOf(order)).toHaveLength(1);
});

test('an approved PayPal order that several workers check concurrently is captured once', async () => {
  await loseWebhooks();
  const { order, pspRef } = await givenPage();
  await world.approve(pspRef);
  const attempt = await attemptOf(shop, order);
  await Promise.all(Array.from({ length: 5 }, () => runJob(shop, 'check_attempt', attempt)));
  await untilShown(shop, buyer, order, 'Fulfilled');
  expect(await chargesOf(order)).toHaveLength(1);
  expect(await grantsOf(shop, order)).toHaveLength(1);
});

test("the shop does not capture an approved PayPal order when the shop's own order has expired before the approval", async () => {
  await loseWebhooks();
  const { order, pspRef } = await givenPage();
  const attempt = await attemptOf(shop, order);
  await letExpire(shop.db, order);
  await runJob(shop, 'expire_order', order);
  await world.approve(pspRef);
  await runJob(shop, 'ask_provider', attempt);
  expect(await chargesOf(order)).toEqual([]);
  expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'PaymentFailed' });
});

test('a PayPal capture can be refunded in part and then in full, but no further', async () => {
  const { order, pspRef } = await givenPage();
  await world.approve(pspRef);
  await untilShown(shop, buyer, order, 'Fulfilled');
  await askRefund(shop, order, { amountMinor: 100n });
  await untilRefunded(order, 100n);
  await askRefund(shop, order);
  await untilShown(shop, buyer, order, 'Refunded');
  await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });
  const { refunds } = await world.records();
  const [charge] = await chargesOf(order);
  expect(refunds.filter(({ payment_intent }) => payment_intent === charge?.id)).toHaveLength(2);
});

test('a PayPal payment in a currency that PayPal does not support is refused by the shop without calling PayPal', async () => {
  // Counts only POST requests, because a late webhook may still make the shop read from PayPal.
  const asked = async () =>
    (await world.records()).requests.filter(({ method }) => method === 'POST').length;
  const before = await asked();
  const reply = await createOrder(shop, buyer, { method: 'paypal', currency: 'KRW' });
  expect(reply).toMatchObject({ isSuccess: false, code: 'MethodUnavailable' });
  expect(await asked()).toBe(before);
});

// Price lists with such a price are refused, but a coupon or an operator's SQL can produce one.
test('an order amount that PayPal cannot express is refused for PayPal and accepted by card', async () => {
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into item_prices (item_id, currency, amount_minor) values ('shards_300', 'TWD', 14950)`);
    await tx.run(sql`update sites set currency = 'TWD'`);
  });
  await eventually(async () => (await shop.sites.byId('solmere'))?.currency === 'TWD');
  const card = await eventually(async () => {
    const reply = await createOrder(shop, buyer);
    return reply.code !== 'ItemNotForSale' && reply;
  });
  expect(card).toMatchObject({ isSuccess: true, data: { amountMinor: '14950' } });
  const reply = await createOrder(shop, buyer, { method: 'paypal' });
  expect(reply).toMatchObject({ isSuccess: false, code: 'MethodUnavailable' });
});

async function untilRefunded(order: OrderKey, amountMinor: bigint): Promise<void> {
  await expect
    .poll(async () => (await detailOf(shop, buyer, order)).refundedMinor)
    .toBe(amountMinor);
}
