import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './barriers.ts';
import { ladyAveline } from './in-yuan.ts';
import { chooseCharacter, type Shop, test } from './shop.ts';
import { desktop, mobileChrome } from './windows.ts';

for (const { device, use } of [
  { device: 'a desktop', use: desktop.use },
  { device: 'a phone', use: { ...mobileChrome.use, locale: 'en-US' } },
]) {
  test.describe(`a player buys a pack at the game hub on ${device}`, () => {
    test.use(use);

    test('[S2.17][S2.18][S2.20][S2.21] a player on a game hub chooses a game and iOS, pays, and finds the order in the order list', async ({
      page,
      shop,
    }) => {
      const complaints = listen(page);
      await page.goto(hub(shop, '/'));
      await page.waitForURL(hub(shop, '/login'));
      await shop.signIn(page);
      await page.waitForURL(hub(shop, '/dream/home'));

      await expect(page.getByRole('link', { name: /^Galewrack/ })).toBeVisible();
      await expectAccessible(page);
      const ios = page.getByRole('radio', { name: 'iOS' });
      await ios.click();
      await expect(ios).toBeChecked();
      await expect(page).toHaveURL(hub(shop, '/dream/home?system=ios'));
      await page.getByRole('link', { name: /^Lantern Court/ }).click();
      await page.waitForURL(hub(shop, '/dream/recharge/lantern-court?system=ios'));
      await chooseCharacter(page, ladyAveline);
      await expectAccessible(page);

      await shop.payFor(page, /^300 Seals/);
      await page.getByRole('button', { name: /^Pay \$/ }).click();
      await page.waitForURL(/\/dream\/order\/detail\?paymentId=/);
      const address = new URL(page.url());
      expect(address.hostname).toBe('omni.localhost');
      const paymentId = z.uuid().parse(address.searchParams.get('paymentId'));
      const status = page.getByRole('status').first();
      await expect(status).toContainText('Fulfilled');
      expect(await shop.charges(paymentId)).toEqual([{ amount: 499, currency: 'usd' }]);
      expect(await shop.grants(paymentId)).toEqual([{ sku: 'jade_seal', quantity: 330 }]);
      await expectAccessible(page);

      await page.goto(hub(shop, '/dream/order?game=lantern-court'));
      const order = page.locator(`a[href="/dream/order/detail?paymentId=${paymentId}"]`).first();
      await expect(order).toBeVisible();
      await expectAccessible(page);

      // The hub remembers the chosen game.
      await page.goto(hub(shop, '/dream/home'));
      await page.getByRole('link', { name: 'Top-up Lantern Court' }).click();
      await page.waitForURL(hub(shop, '/dream/recharge/lantern-court?system=ios'));
      expect(complaints).toEqual([]);
    });
  });
}

test('a game hub shows 403 for a page that only single-game sites have, and 404 for an unknown game', async ({
  page,
  shop,
}) => {
  await page.goto(hub(shop, '/main/recharge?from=mail'));
  await shop.signIn(page);
  await page.waitForURL(hub(shop, '/403?from=mail'));
  await expect(page.getByRole('heading', { name: '403' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to home' }).click();
  await page.waitForURL(hub(shop, '/dream/home'));
  await page.goto(hub(shop, '/dream/recharge/nowhere'));
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
  await expectAccessible(page);
});

/** The host name of the game hub in the demo. */
function hub(shop: Shop, path: string): string {
  const url = new URL(shop.portal(path));
  url.hostname = 'omni.localhost';
  return url.href;
}

/** Errors, refused resources and broken content security policies all end up in the console. */
function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
