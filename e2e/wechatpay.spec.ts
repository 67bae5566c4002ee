import { expect } from '@playwright/test';
import { expectPaidOnce } from './buying.ts';
import { arriveInYuan, packInYuan, payInYuan } from './in-yuan.ts';
import { test } from './shop.ts';
import { desktop, mobileChrome } from './windows.ts';

const pay = { name: 'Pay ¥30.00' };

test.describe('a player pays with WeChat Pay on a desktop', () => {
  test.use(desktop.use);

  test('[S1.01] a player pays by scanning a WeChat Pay code, and the open page shows the order fulfilled', async ({
    page,
    shop,
  }) => {
    await arriveInYuan(page, shop);
    await payInYuan(page, 'WeChat Pay');
    await expect(page.getByRole('img', { name: 'QR code for WeChat Pay' })).toBeVisible();
    // Instead of scanning the QR code, follows the link of the newest order in the provider's
    // overview.
    const phone = await page.context().newPage();
    await phone.goto(`${shop.addresses.sandbox.wechatpay}/__sandbox`);
    await phone.getByRole('link', { name: 'Scan' }).first().click();
    await phone.getByRole('button', pay).click();
    await expect(phone.getByRole('heading', { name: 'Paid' })).toBeVisible();
    await expectPaidOnce(page, shop, packInYuan);
  });
});

test.describe('a player pays with WeChat Pay on a phone', () => {
  test.use({ ...mobileChrome.use, locale: 'en-US' });

  test('[S1.01] a player pays with WeChat Pay on a phone, returns, and receives the pack once', async ({
    page,
    shop,
  }) => {
    await arriveInYuan(page, shop);
    await payInYuan(page, 'WeChat Pay');
    await page.waitForURL(`${shop.addresses.sandbox.wechatpay}/**`);
    await page.getByRole('button', pay).click();
    await expectPaidOnce(page, shop, packInYuan);
  });
});
