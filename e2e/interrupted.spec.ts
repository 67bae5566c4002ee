import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { checkBooks } from '../tools/books/check-books.ts';
import { expectAccessible } from './barriers.ts';
import { expectStatus, openWithTicket } from './buying.ts';
import { choosePack, type Shop, test } from './shop.ts';
import { desktop, iosGame, mobileSafari } from './windows.ts';

const pack = /^300 Shards/;

for (const { name, use } of [desktop, iosGame]) {
  test.describe(`a player interrupts a purchase ${name}`, () => {
    test.use({ ...use, locale: 'en-US' });

    test(`an order whose tab is closed on the provider's page ${name} stays unpaid and is then paid once`, async ({
      page,
      context,
      shop,
    }) => {
      await openWithTicket(page, shop);
      await shop.payFor(page, pack);
      await page.close();

      const again = await context.newPage();
      const paymentId = await openUnpaid(again, shop);
      await again.getByRole('button', { name: /^(Pay|Continue payment)/ }).click();
      await again.waitForURL(`${shop.addresses.sandbox.stripe}/**`);
      expect(await shop.approve(again)).toBe(paymentId);
      await boughtOnce(again, shop, paymentId);
    });

    test(`an order whose tab is closed after payment ${name} is delivered once and listed as fulfilled`, async ({
      page,
      context,
      shop,
    }) => {
      await openWithTicket(page, shop);
      await shop.payFor(page, pack);
      const paymentId = paymentIdOf(await payAndStay(page));
      await page.close();
      await expect.poll(() => shop.grants(paymentId)).toHaveLength(1);

      const again = await context.newPage();
      await again.goto(shop.portal('/main/account/recharge'));
      await again.locator(`a[href$="${paymentId}"]`).first().click();
      await boughtOnce(again, shop, paymentId);
    });
  });
}

test.describe('a player interrupts a purchase on a desktop', () => {
  test.use({ ...desktop.use, locale: 'en-US' });

  test('a purchase that is repeated after its tab was closed while the order was created is charged once', async ({
    page,
    context,
    shop,
  }) => {
    await openWithTicket(page, shop);
    await choosePack(page, pack);
    // The navigation to the provider is blocked, because a tab closed during it may stay open
    // forever.
    await page.route(`${shop.addresses.sandbox.stripe}/**`, () => {});
    const placed = page.waitForResponse('**/api/payment/order/create');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await placed;
    await page.close();

    const again = await context.newPage();
    await again.goto(shop.portal('/main/recharge'));
    await shop.payFor(again, pack);
    await boughtOnce(again, shop, await shop.approve(again));
  });

  test('a paid order opened in another browser asks for sign-in and is shown only to its owner', async ({
    page,
    shop,
    browser,
  }) => {
    await openWithTicket(page, shop);
    await shop.payFor(page, pack);
    const wayBack = await payAndStay(page);
    const paymentId = paymentIdOf(wayBack);

    const elsewhere = await browser.newContext({ ...mobileSafari.use, locale: 'en-US' });
    const other = await elsewhere.newPage();
    await other.goto(wayBack);
    await other.waitForURL(/\/login\?redirect=/);
    await expect(other.getByText('Sign in to see your order.')).toBeVisible();
    await expectAccessible(other);
    // The pack is delivered without a sign-in.
    await expect.poll(() => shop.grants(paymentId)).toHaveLength(1);

    await shop.signIn(other, 'kaito');
    await expect(other.getByRole('alert')).toContainText('Payment order number is wrong');
    await other.getByRole('link', { name: 'See your orders' }).click();
    await other.waitForURL(shop.portal('/main/account/recharge'));
    await elsewhere.close();

    await page.getByRole('link', { name: 'Return to the shop' }).click();
    await boughtOnce(page, shop, paymentId);
  });
});

/** Pays and answers the return URL, which the player does not follow. */
async function payAndStay(page: Page): Promise<string> {
  await page.getByText('More outcomes').click();
  await page.getByRole('button', { name: 'Pay but never return' }).click();
  const wayBack = page.getByRole('link', { name: 'Return to the shop' });
  return (await wayBack.getAttribute('href')) ?? '';
}

function paymentIdOf(address: string): string {
  return z.uuid().parse(new URL(address).pathname.split('/').pop());
}

/** Opens the newest order from the list of orders and checks that it is unpaid. */
async function openUnpaid(page: Page, shop: Shop): Promise<string> {
  await page.goto(shop.portal('/main/account/recharge'));
  await page.locator('a[href*="/main/recharge/detail/"]').first().click();
  await page.waitForURL(/\/main\/recharge\/detail\//);
  await expect(page.getByRole('status').first()).toContainText(/Unpaid|Processing/);
  return paymentIdOf(page.url());
}

/** Checks that the order is shown as fulfilled, charged once, granted once and booked correctly. */
async function boughtOnce(page: Page, shop: Shop, paymentId: string): Promise<void> {
  await expectStatus(page, 'Fulfilled');
  expect(await shop.charges(paymentId)).toEqual([{ amount: 499, currency: 'usd' }]);
  expect(await shop.grants(paymentId)).toEqual([{ sku: 'lumen_shard', quantity: 330 }]);
  const broken = (await checkBooks(shop.addresses)).flatMap(({ violations }) => violations);
  expect(broken).toEqual([]);
}
