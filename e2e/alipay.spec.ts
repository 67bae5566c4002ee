import { expectPaidOnce } from './buying.ts';
import { arriveInYuan, packInYuan, payInYuan } from './in-yuan.ts';
import { test } from './shop.ts';
import { desktop, mobileChrome } from './windows.ts';

for (const { device, use } of [
  { device: 'a phone', use: mobileChrome.use },
  { device: 'a desktop', use: desktop.use },
]) {
  test.describe(`a player pays with Alipay on ${device}`, () => {
    test.use({ ...use, locale: 'en-US' });

    test('[S1.01] a player pays with Alipay after a declined attempt, returns, and receives the pack once', async ({
      page,
      shop,
    }) => {
      await arriveInYuan(page, shop);
      await payInYuan(page, 'Alipay');
      await page.waitForURL(`${shop.addresses.sandbox.alipay}/**`);
      await page.getByRole('button', { name: 'Decline this payment' }).click();
      await page.getByRole('button', { name: 'Pay ¥30.00' }).click();
      await expectPaidOnce(page, shop, packInYuan);
    });
  });
}
