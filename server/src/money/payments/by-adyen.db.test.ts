import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Buyer, givenBuyer, givenOrder, pay, untilShown } from '../../../test/buying.ts';
import { askRefund, casesOf } from '../../../test/money-back.ts';
import type { OrderKey } from '../../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { type AdyenWorld, givenOptions, startAdyenWorld } from '../psp/test/adyen-world.ts';

// End-to-end tests of a provider that has no query API and reports everything by webhook.

let world: AdyenWorld;
let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  world = await startAdyenWorld();
  const ADYEN = JSON.stringify(givenOptions({ apiBase: world.outsider.url }));
  shop = await openTestShop({ LOG_LEVEL: 'silent', ADYEN });
  await shop.db.transaction((tx) => tx.run(sql`update sites set methods = array['adyen']`));
  shop.startWorker();
  buyer = await givenBuyer(shop);
});
beforeEach(async () => {
  await world.outsider.tell('/__sandbox/reset', {});
  await world.outsider.tell('/__sandbox/webhooks', { url: `${shop.url}/webhooks/adyen` });
});
afterAll(async () => {
  await shop?.closeAll();
  await world?.outsider.stop();
});

/** A paid and delivered order, and the id of its capture at Adyen. */
async function givenArrived(): Promise<{ order: OrderKey; captureId: string }> {
  const order = await givenOrder(shop, buyer, { method: 'adyen' });
  await pay(shop, buyer, order);
  const session = (await world.records()).sessions.find(
    (one) => one.payment_id === order.paymentId,
  );
  await world.pay(session?.id ?? '');
  await untilShown(shop, buyer, order, 'Fulfilled');
  const charge = (await world.records()).charges.find((one) => one.session === session?.id);
  return { order, captureId: charge?.id ?? '' };
}

const untilTold = (order: OrderKey) =>
  eventually(async () => {
    const cases = await casesOf(shop.db, order);
    return cases.length > 0 && cases;
  });

test('the shop opens an operator case as soon as Adyen reports that the bank returned a completed refund', async () => {
  const { order } = await givenArrived();
  const { refundId } = await askRefund(shop, order);
  await untilShown(shop, buyer, order, 'Refunded');
  await world.outsider.tell(`/__sandbox/refunds/${refundId}/settle`, { status: 'failed' });

  expect(await untilTold(order)).toMatchObject([{ kind: 'refund_returned', subject: refundId }]);
  // The game revokes the goods, so the shop owes the player the money.
  await untilShown(shop, buyer, order, 'Processing');
});

test('the shop opens an operator case when the bank returns a refund that was made at Adyen without the shop', async () => {
  const { order, captureId } = await givenArrived();
  await world.outsider.tell(`/__sandbox/charges/${captureId}/refund`, { amount: 499 });
  await untilShown(shop, buyer, order, 'Refunded');
  const { refunds } = await world.records();
  const made = refunds.find((one) => one.charge === captureId);
  await world.outsider.tell(`/__sandbox/refunds/${made?.id}/settle`, { status: 'failed' });

  expect(await untilTold(order)).toMatchObject([{ kind: 'refund_returned', subject: made?.id }]);
});
