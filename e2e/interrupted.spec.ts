import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { checkBooks } from '../tools/books/check-books.ts';
import { expectAccessible } from './barriers.ts';
import { arrive, shown } from './buying.ts';
import { choosePack, type Shop, test } from './shop.ts';
import { desktop, iosGame, mobileSafari } from './windows.ts';

const pack = /^300 Shards/;

for (const { name, use } of [desktop, iosGame]) {
  test.describe(name, () => {
    test.use({ ...use, locale: 'en-US' });

    test(`a tab that is killed on the provider's page ${name}: the order waits, and is paid once`, async ({
      page,
      context,
      shop,
    }) => {
      await arrive(page, shop);
      await shop.payFor(page, pack);
      await page.close();

      const again = await context.newPage();
      const paymentId = await openUnpaid(again, shop);
      await again.getByRole('button', { name: /^(Pay|Continue payment)/ }).click();
      await again.waitForURL(`${shop.addresses.sandbox.stripe}/**`);
      expect(await shop.approve(again)).toBe(paymentId);
      await boughtOnce(again, shop, paymentId);
    });

    test(`a tab that is killed after paying ${name}: the pack arrives all the same, and the list says so`, async ({
      page,
      context,
      shop,
    }) => {
      await arrive(page, shop);
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

test.describe('on a desktop', () => {
  test.use({ ...desktop.use, locale: 'en-US' });

  test('a tab that is killed while the order is placed: paying again is charged once', async ({
    page,
    context,
    shop,
  }) => {
    await arrive(page, shop);
    await choosePack(page, pack);
    // A tab that is closed while it changes to the provider's page may stay open for ever.
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

  test('a return in another browser, where nobody is signed in, says what to do; the pack arrives, and only its owner sees the order', async ({
    page,
    shop,
    browser,
  }) => {
    await arrive(page, shop);
    await shop.payFor(page, pack);
    const wayBack = await payAndStay(page);
    const paymentId = paymentIdOf(wayBack);

    const elsewhere = await browser.newContext({ ...mobileSafari.use, locale: 'en-US' });
    const other = await elsewhere.newPage();
    await other.goto(wayBack);
    await other.waitForURL(/\/login\?redirect=/);
    await expect(other.getByText('Sign in to see your order.')).toBeVisible();
    await expectAccessible(other);
    // Nobody has signed in, and nobody has to.
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

/** Pays, and answers the address that the provider would have sent the player back to. */
async function payAndStay(page: Page): Promise<string> {
  await page.getByText('More outcomes').click();
  await page.getByRole('button', { name: 'Pay but never return' }).click();
  const wayBack = page.getByRole('link', { name: 'Return to the shop' });
  return (await wayBack.getAttribute('href')) ?? '';
}

function paymentIdOf(address: string): string {
  return z.uuid().parse(new URL(address).pathname.split('/').pop());
}

/** From the list of orders, as somebody goes who has lost the page. */
async function openUnpaid(page: Page, shop: Shop): Promise<string> {
  await page.goto(shop.portal('/main/account/recharge'));
  await page.locator('a[href*="/main/recharge/detail/"]').first().click();
  await page.waitForURL(/\/main\/recharge\/detail\//);
  await expect(page.getByRole('status').first()).toContainText(/Unpaid|Processing/);
  return paymentIdOf(page.url());
}

/** Fulfilled in front of the player, once at the provider, once in the game, and in the books. */
async function boughtOnce(page: Page, shop: Shop, paymentId: string): Promise<void> {
  await shown(page, 'Fulfilled');
  expect(await shop.charges(paymentId)).toEqual([{ amount: 499, currency: 'usd' }]);
  expect(await shop.grants(paymentId)).toEqual([{ sku: 'lumen_shard', quantity: 330 }]);
  const broken = (await checkBooks(shop.addresses)).flatMap(({ violations }) => violations);
  expect(broken).toEqual([]);
}
