import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Buyer, detailOf, givenBuyer, grantsOf } from '../../test/buying.ts';
import {
  askProvider,
  askRefund,
  casesOf,
  deliveryOf,
  givenDispute,
  givenPaidOrder,
  planRefunds,
  refundRowsOf,
  refundsAt,
  revocationOf,
  runJob,
  sendRefunds,
  startJob,
  untilState,
  withWorkerFor,
} from '../../test/money-back.ts';
import { booksOf, brokenLinks, type OrderKey, recordsOf } from '../../test/orders.ts';
import { balanceOf, givenPaidInPoints, givenPoints } from '../../test/point-buying.ts';
import { openTestShop, resetWorld, type TestShop } from '../../test/shop.ts';
import { resumeDelivery } from './delivery.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

const decline = (times = 1) =>
  shop.game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'decline',
    reason: 'limit_reached',
    times,
  });

const deliver = (order: OrderKey) => runJob(shop, 'deliver_order', order);

test('an order whose delivery the game declines is refunded to the card automatically and not delivered again', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await decline();
  await withWorkerFor(shop, ['deliver_order', 'refund_payment', 'revoke_order'], () =>
    untilState(shop.db, order, 'refunded'),
  );

  expect(await refundsAt(shop, order)).toMatchObject([{ amount: 499, status: 'succeeded' }]);
  const detail = await detailOf(shop, buyer, order);
  expect(detail).toMatchObject({
    shown: 'Refunded',
    refundedMinor: 499n,
    refunds: [{ reason: 'declined_by_game', state: 'done' }],
  });
  expect(detail.timeline.map(({ step }) => step)).toEqual([
    'created',
    'payment_opened',
    'paid',
    'accepted',
    'refunding',
    'refunded',
  ]);
  expect(await grantsOf(shop, order)).toEqual([]);
  expect(await casesOf(shop.db, order)).toEqual([]); // no case is opened
  expect(await booksOf(shop.db, order)).toEqual({
    'house:psp USD': 0n,
    'player:deposit USD': 0n,
  });
  const records = await recordsOf(shop.db, order);
  expect(brokenLinks(records)).toEqual([]);
  expect(records.events.find(({ fact }) => fact.type === 'delivery_stuck')?.fact).toEqual({
    type: 'delivery_stuck',
    round: 1,
    reason: 'declined',
  });
});

test("an order paid in E Points whose delivery the game declines is refunded to the player's E Point wallet by the delivery job", async () => {
  const player = await givenBuyer(shop);
  await givenPoints(shop, player, { basic: 450n, present: 60n });
  const order = await givenPaidInPoints(shop, player);
  await decline();
  await deliver(order);

  expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 450, presentNum: 60 });
  expect(await detailOf(shop, player, order)).toMatchObject({
    shown: 'Refunded',
    refunds: [{ reason: 'declined_by_game', state: 'done', currency: 'EPOINT' }],
  });
  expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'cancelled', tries: 1 });
  // An earlier call whose answer was lost may still have granted, so the game is asked to revoke.
  await runJob(shop, 'revoke_order', order);
  expect(await revocationOf(shop.db, order)).toMatchObject({ result: 'not_found' });
});

test('an order whose delivery the game declines for two workers at once is refunded once', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await decline(2);
  const writes = await Promise.all([1, 2].map(() => startJob(shop, 'deliver_order', order)));
  await Promise.all(writes.map((write) => shop.db.transaction(write)));
  await deliver(order);
  expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
  expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'declined', tries: 1 });
  await sendRefunds(shop, order);
  expect(await refundsAt(shop, order)).toHaveLength(1);
});

test('an order whose delivery the game declines for one worker and grants for another is delivered, not refunded', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await shop.game.tell('/__sandbox/dedupe', { enabled: false });
  await decline();
  const declined = await startJob(shop, 'deliver_order', order);
  await deliver(order);
  await shop.db.transaction(declined);
  const { events } = await recordsOf(shop.db, order);
  expect(events.at(-1)).toMatchObject({ fact: { type: 'delivered' }, state_after: 'arrived' });
  expect(await refundRowsOf(shop.db, order)).toEqual([]);
});

test('a partially refunded order whose delivery the game then declines is refunded the rest', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await askRefund(shop, order, { amountMinor: 100n });
  await decline();
  await deliver(order);
  await sendRefunds(shop, order);
  expect((await refundsAt(shop, order)).map(({ amount }) => amount).toSorted()).toEqual([100, 399]);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
});

test('an order whose delivery the game declines during a full refund is not refunded a second time', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await decline();
  const write = await startJob(shop, 'deliver_order', order);
  await askRefund(shop, order);
  await shop.db.transaction(write);
  expect(await refundRowsOf(shop.db, order)).toMatchObject([{ reason: 'operator' }]);
  await sendRefunds(shop, order);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
});

test('an order whose delivery the game declines during a dispute is not refunded before the dispute is decided', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await decline();
  const write = await startJob(shop, 'deliver_order', order);
  await givenDispute(shop, order);
  await askProvider(shop, order);

  await shop.db.transaction(write);

  expect(await refundRowsOf(shop.db, order)).toEqual([]);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Paid',
    isDisputed: true,
    isDeliveryDelayed: true,
  });
  const { state, promise_at: promiseAt } = await deliveryOf(shop.db, order);
  expect(state).toBe('declined');
  expect(promiseAt).not.toBeNull(); // the promise sweep refunds the order by then
});

test('an order whose delivery the game declines and whose refund fails opens an operator case, and an operator can resume its delivery', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await decline();
  await planRefunds(shop, 'failed');
  await deliver(order);
  await sendRefunds(shop, order);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Paid',
    isDeliveryDelayed: true,
  });
  expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'refund_failed' }]);

  // Once the game accepts the order, an operator can still have it delivered.
  await shop.game.tell('/__sandbox/dedupe', { enabled: false });
  expect(
    await shop.db.transaction((tx) => resumeDelivery(tx, shop.effects, order, 'operator')),
  ).toBe(true);
  await deliver(order);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
});
