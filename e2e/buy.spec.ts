import { expect, type Page } from '@playwright/test';
import { checkBooks } from '../tools/books/check-books.ts';
import { arrive, signInAndArrive } from './buying.ts';
import { choosePack, type Shop, test } from './shop.ts';

const pack = /^300 Shards/;
const oneCharge = [{ amount: 499, currency: 'usd' }];
const oneGrant = [{ sku: 'lumen_shard', quantity: 330 }];

for (const { device, viewport } of [
  { device: 'a phone', viewport: { width: 390, height: 844 } },
  { device: 'a desktop', viewport: { width: 1440, height: 900 } },
]) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport });

    test('[S1.01] a player signs in, chooses a role, pays, and the pack arrives in the game', async ({
      page,
      shop,
    }) => {
      await signInAndArrive(page, shop);
      await shop.payFor(page, pack);
      const paymentId = await shop.approve(page);
      await fulfilled(page);
      expect(await shop.charges(paymentId)).toEqual(oneCharge);
      expect(await shop.grants(paymentId)).toEqual(oneGrant);

      // The same again is another purchase.
      await page.getByRole('link', { name: 'Continue topping up' }).click();
      await shop.payFor(page, pack);
      const second = await shop.approve(page);
      expect(second).not.toBe(paymentId);
      await onceOnly(page, shop, second);
    });
  });
}

test('a webhook that comes twice is one charge and one grant', async ({ page, shop }) => {
  await shop.provider.tell('/__sandbox/webhooks', { plan: { duplicate: 1 } });
  await arrive(page, shop);
  await shop.payFor(page, pack);
  await onceOnly(page, shop, await shop.approve(page));
});

test('a webhook that never comes is made up for by asking', async ({ page, shop }) => {
  await shop.provider.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
  await arrive(page, shop);
  await shop.payFor(page, pack);
  await onceOnly(page, shop, await shop.approve(page));
});

test('a double click on Pay is one order', async ({ page, shop }) => {
  await arrive(page, shop);
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

test('a game that fails twice gives the pack once', async ({ page, shop }) => {
  await shop.game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'http500_before',
    times: 2,
  });
  await arrive(page, shop);
  await shop.payFor(page, pack);
  const paymentId = await shop.approve(page);
  await expect(page.getByRole('status').first()).toContainText('Paid');
  await onceOnly(page, shop, paymentId);
  await expect(page.getByText('Delivery is being tried again').first()).toBeVisible();
});

test('a worker that is killed between payment and delivery is replaced by another', async ({
  page,
  shop,
}) => {
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'hang' });
  await arrive(page, shop);
  await shop.payFor(page, pack);
  const paymentId = await shop.approve(page);
  await gameHangs(shop);
  await shop.killWorker();
  await expect(page.getByRole('status').first()).toContainText('Paid');
  // It gives the pack although nobody waits for the answer any more.
  await shop.game.tell('/__sandbox/release', {});
  await shop.startWorker();
  await onceOnly(page, shop, paymentId);
});

/** The game has been asked, and keeps whoever asked it waiting. */
async function gameHangs({ game }: Shop): Promise<void> {
  await expect.poll(() => game.ask('/__sandbox/faults')).toEqual({ faults: [] });
}

/** Long enough for another worker to take over what a dead one held. */
async function fulfilled(page: Page): Promise<void> {
  await expect(page.getByRole('status').first()).toContainText('Fulfilled');
}

/** Fulfilled in front of the player, once at the provider, once in the game, and in the books. */
async function onceOnly(page: Page, shop: Shop, paymentId: string): Promise<void> {
  await fulfilled(page);
  expect(await shop.charges(paymentId)).toEqual(oneCharge);
  expect(await shop.grants(paymentId)).toEqual(oneGrant);
  const broken = (await checkBooks(shop.addresses)).flatMap(({ violations }) => violations);
  expect(broken).toEqual([]);
}
