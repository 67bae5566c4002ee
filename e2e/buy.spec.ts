import { expect, type Page } from '@playwright/test';
import { checkBooks } from '../tools/books/check-books.ts';
import { openWithTicket, signInAndChooseRole } from './buying.ts';
import { choosePack, type Shop, test } from './shop.ts';

const pack = /^300 Shards/;
const oneCharge = [{ amount: 499, currency: 'usd' }];
const oneGrant = [{ sku: 'lumen_shard', quantity: 330 }];

for (const { device, viewport } of [
  { device: 'a phone', viewport: { width: 390, height: 844 } },
  { device: 'a desktop', viewport: { width: 1440, height: 900 } },
]) {
  test.describe(`a player buys a pack on ${device}`, () => {
    test.use({ viewport });

    test('[S1.01] a player signs in, chooses a game character, pays, and the pack arrives in the game', async ({
      page,
      shop,
    }) => {
      await signInAndChooseRole(page, shop);
      await shop.payFor(page, pack);
      const paymentId = await shop.approve(page);
      await fulfilled(page);
      expect(await shop.charges(paymentId)).toEqual(oneCharge);
      expect(await shop.grants(paymentId)).toEqual(oneGrant);

      // Buying the same pack again is another order.
      await page.getByRole('link', { name: 'Continue topping up' }).click();
      await shop.payFor(page, pack);
      const second = await shop.approve(page);
      expect(second).not.toBe(paymentId);
      await onceOnly(page, shop, second);
    });
  });
}

test('a payment webhook delivered twice leads to one charge and one grant of the pack in the game', async ({
  page,
  shop,
}) => {
  await shop.provider.tell('/__sandbox/webhooks', { plan: { duplicate: 1 } });
  await openWithTicket(page, shop);
  await shop.payFor(page, pack);
  await onceOnly(page, shop, await shop.approve(page));
});

test('an order whose payment webhook never arrives is fulfilled by querying the payment provider', async ({
  page,
  shop,
}) => {
  await shop.provider.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
  await openWithTicket(page, shop);
  await shop.payFor(page, pack);
  await onceOnly(page, shop, await shop.approve(page));
});

test('a double click on the Pay button of the top-up page creates one order', async ({
  page,
  shop,
}) => {
  await openWithTicket(page, shop);
  const created: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/payment/order/create')) {
      created.push(request.postDataJSON().clientOrderId);
    }
  });
  await choosePack(page, pack);
  await page.getByRole('button', { name: /^Pay/ }).dblclick();
  await page.waitForURL(`${shop.addresses.sandbox.stripe}/**`);
  await onceOnly(page, shop, await shop.approve(page));
  expect(new Set(created).size).toBe(1);
});

test('an order whose delivery fails twice in the game is delivered once', async ({
  page,
  shop,
}) => {
  await shop.game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'http500_before',
    times: 2,
  });
  await openWithTicket(page, shop);
  await shop.payFor(page, pack);
  const paymentId = await shop.approve(page);
  await expect(page.getByRole('status').first()).toContainText('Paid');
  await onceOnly(page, shop, paymentId);
  await expect(page.getByText('Delivery is being tried again').first()).toBeVisible();
});

test('an order whose worker is killed during delivery is delivered once by another worker', async ({
  page,
  shop,
}) => {
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'hang' });
  await openWithTicket(page, shop);
  await shop.payFor(page, pack);
  const paymentId = await shop.approve(page);
  await gameHangs(shop);
  await shop.killWorker();
  await expect(page.getByRole('status').first()).toContainText('Paid');
  // The game delivers the pack although the killed worker no longer waits for the answer.
  await shop.game.tell('/__sandbox/release', {});
  await shop.startWorker();
  await onceOnly(page, shop, paymentId);
});

/** Waits until the planned hang was used, which means that the delivery call is waiting. */
async function gameHangs({ game }: Shop): Promise<void> {
  await expect.poll(() => game.ask('/__sandbox/faults')).toEqual({ faults: [] });
}

/** The default timeout is long enough for another worker to take over the job of a killed one. */
async function fulfilled(page: Page): Promise<void> {
  await expect(page.getByRole('status').first()).toContainText('Fulfilled');
}

/** Checks that the order is shown as fulfilled, charged once, granted once and booked correctly. */
async function onceOnly(page: Page, shop: Shop, paymentId: string): Promise<void> {
  await fulfilled(page);
  expect(await shop.charges(paymentId)).toEqual(oneCharge);
  expect(await shop.grants(paymentId)).toEqual(oneGrant);
  const broken = (await checkBooks(shop.addresses)).flatMap(({ violations }) => violations);
  expect(broken).toEqual([]);
}
