import { expect, type Page } from '@playwright/test';
import { chooseMethod, expectPaidOnce, openWithTicket } from './buying.ts';
import { choosePack, type Shop, test } from './shop.ts';
import { desktop, mobileChrome } from './windows.ts';

const once = { charge: { amount: 499, currency: 'usd' }, sku: 'lumen_shard' };

for (const { device, use } of [
  { device: 'a phone', use: mobileChrome.use },
  { device: 'a desktop', use: desktop.use },
]) {
  test.describe(`a player pays with PayPal on ${device}`, () => {
    test.use({ ...use, locale: 'en-US' });

    test('[S1.01] a player approves at PayPal, the shop captures the payment, and the pack is delivered once', async ({
      page,
      shop,
    }) => {
      await goToPaypal(page, shop);
      await page.getByRole('button', { name: 'Agree and pay $4.99' }).click();
      await expectPaidOnce(page, shop, once);
    });
  });
}

test('a PayPal payment approved by a payer who never returns is captured and delivered once', async ({
  page,
  shop,
}) => {
  await goToPaypal(page, shop);
  await page.getByText('More outcomes').click();
  await page.getByRole('button', { name: 'Agree but never return' }).click();
  const wayBack = page.getByRole('link', { name: 'Return to the shop' });
  const order = new URL((await wayBack.getAttribute('href')) ?? '');
  const paymentId = order.pathname.split('/').pop() ?? '';
  await expect.poll(() => shop.grants(paymentId)).toHaveLength(1);
  await page.goto(order.href);
  await expectPaidOnce(page, shop, once);
});

test('a declined card at PayPal is not charged, and the next attempt pays the same order', async ({
  page,
  shop,
}) => {
  await goToPaypal(page, shop);
  await page.getByRole('button', { name: 'Agree with a card that is declined' }).click();
  await page.waitForURL(/\/main\/recharge\/detail\//);
  const paymentId = new URL(page.url()).pathname.split('/').pop() ?? '';
  await page.getByRole('button', { name: /^(Continue payment|Pay)/ }).click();
  await page.waitForURL(`${shop.addresses.sandbox.paypal}/**`);
  expect(await shop.charges(paymentId)).toEqual([]);
  await page.getByRole('button', { name: 'Agree and pay $4.99' }).click();
  await expectPaidOnce(page, shop, once);
});

async function goToPaypal(page: Page, shop: Shop): Promise<void> {
  await openWithTicket(page, shop);
  await choosePack(page, /^300 Shards/);
  await chooseMethod(page, 'PayPal card');
  await page.getByRole('button', { name: /^Pay( now| \$4\.99)$/ }).click();
  await page.waitForURL(`${shop.addresses.sandbox.paypal}/checkoutnow?**`);
}
