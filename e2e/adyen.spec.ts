import { chooseMethod, expectPaidOnce, openWithTicket } from './buying.ts';
import { choosePack, test } from './shop.ts';
import { desktop, mobileChrome } from './windows.ts';

for (const { device, use } of [
  { device: 'a phone', use: mobileChrome.use },
  { device: 'a desktop', use: desktop.use },
]) {
  test.describe(`a player pays through Adyen on ${device}`, () => {
    test.use({ ...use, locale: 'en-US' });

    test('[S1.01] a player pays with 3D Secure through Adyen, returns, and receives the pack once', async ({
      page,
      shop,
    }) => {
      await openWithTicket(page, shop);
      await choosePack(page, /^300 Shards/);
      await chooseMethod(page, 'Other cards');
      await page.getByRole('button', { name: /^Pay( now| \$4\.99)$/ }).click();
      await page.waitForURL(`${shop.addresses.sandbox.adyen}/**`);
      await page.getByRole('button', { name: 'Pay with 3D Secure' }).click();
      await page.getByRole('button', { name: 'Yes, pay $4.99' }).click();
      await expectPaidOnce(page, shop, {
        charge: { amount: 499, currency: 'usd' },
        sku: 'lumen_shard',
      });
    });
  });
}
