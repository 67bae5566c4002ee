import { expect, type Locator, type Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './barriers.ts';
import { expectStatus, openWithTicket } from './buying.ts';
import { characterOpener, choosePack, test } from './shop.ts';
import { desktop, mobileChrome } from './windows.ts';

const pack = /^300 Shards/;
const kaito = { loginName: 'kaito', password: 'Tide-41-hollow' };

test.describe('a player checks out on a phone', () => {
  test.use({ ...mobileChrome.use, locale: 'en-US' });

  test('a player who arrives with a sign-in ticket pays in four taps and, signed in on another device, sees the paid order there', async ({
    page,
    shop,
    browser,
  }) => {
    const ticket = await shop.ticketOf('ga_kaito');
    await page.goto(shop.portal(`/main/recharge?ticket=${ticket}`));
    let taps = 0;
    const tap = async (what: Locator) => {
      await what.tap();
      taps += 1;
    };
    const whom = page.getByRole('button', { name: /Choose server and role|Deliver to|Change/ });
    await expect(whom).toBeVisible();
    if ((await whom.textContent())?.includes('Choose')) {
      await tap(whom);
      // With the server its only role is chosen, too.
      await tap(page.getByRole('dialog').getByRole('button', { name: /Dawnreach/ }));
      await expect(page.getByRole('dialog')).toBeHidden();
    }
    await expect(whom).toContainText('Kaito');
    await expectAccessible(page);
    await tap(page.locator('label').filter({ has: page.getByRole('radio', { name: pack }) }));
    await tap(page.getByRole('button', { name: 'Pay now' }));
    await page.waitForURL(`${shop.addresses.sandbox.stripe}/**`);
    expect(taps).toBeLessThanOrEqual(4);

    await page.getByText('More outcomes').tap();
    await page.getByRole('button', { name: 'Pay but never return' }).tap();
    const wayBack = page.getByRole('link', { name: 'Return to the shop' });
    const address = new URL((await wayBack.getAttribute('href')) ?? '');
    await page.close();

    const elsewhere = await browser.newContext({ ...desktop.use, baseURL: address.origin });
    const other = await elsewhere.newPage();
    await other.goto(address.href);
    await other.waitForURL(/\/login\?redirect=/);
    await other.getByRole('textbox', { name: 'Account', exact: true }).fill(kaito.loginName);
    await other.getByLabel('Password', { exact: true }).fill(kaito.password);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await fulfilled(other);
    await expect(other.getByRole('main')).toContainText('Kaito');
    expect(await shop.charges(paymentIdOf(other))).toEqual([{ amount: 499, currency: 'usd' }]);
    await elsewhere.close();
  });
});

test.describe('a player checks out on a desktop', () => {
  test.use(desktop.use);

  test('[S1.04] a checkout survives a lost connection, a double click creates one order, and customer service receives its order id', async ({
    page,
    shop,
  }) => {
    await openWithTicket(page, shop);
    await choosePack(page, pack);
    const pay = page.getByRole('button', { name: 'Pay $4.99' });
    await page.context().setOffline(true);
    await expect(page.getByText('You are offline.')).toBeVisible();
    await pay.click();
    await expect(page.getByRole('alert')).toContainText('You have not been charged.');
    await expectAccessible(page);
    // The notice is shown for a moment only, so waiting for it starts before it appears.
    const isBack = page.getByText('Back online').waitFor();
    await page.context().setOffline(false);
    await isBack;

    const created = new Set<string>();
    await page.route('**/api/payment/order/create', async (route) => {
      created.add(route.request().postDataJSON().clientOrderId);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    // No further click, because the provider's own button has the same name.
    await pay.dblclick();
    await page.waitForURL(`${shop.addresses.sandbox.stripe}/**`);
    expect(created.size).toBe(1);
    const paymentId = await shop.approve(page);
    await fulfilled(page);
    await expectAccessible(page);
    expect(await shop.charges(paymentId)).toEqual([{ amount: 499, currency: 'usd' }]);

    const [desk] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Report a problem' }).click(),
    ]);
    await expect(desk.getByRole('heading', { name: 'Customer service' })).toBeVisible();
    await expect(desk.getByText(paymentId)).toBeVisible();
    expect(await desk.evaluate('window.opener')).toBeNull();
  });

  test('a player with only a keyboard signs in, uses a coupon once, pays and sees the order fulfilled', async ({
    page,
    shop,
  }) => {
    await page.goto(shop.portal('/main/recharge'));
    await tabTo(page, page.getByRole('textbox', { name: 'Account', exact: true }));
    await page.keyboard.type('aveline');
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type('Dawn-58-reach');
    await page.keyboard.press('Enter');

    await press(page, characterOpener(page));
    const dialog = page.getByRole('dialog');
    const back = dialog.getByRole('button', { name: /Change server/ });
    const server = dialog.getByRole('button', { name: /Dawnreach/ });
    await expect(back.or(server).first()).toBeVisible();
    if (!(await back.isVisible())) await press(page, server);
    await press(page, dialog.getByRole('button', { name: /Aveline/ }));
    await expect(dialog).toBeHidden();

    await tabTo(page, page.getByRole('radio', { name: /Shards/, checked: true }));
    const wanted = page.getByRole('radio', { name: pack });
    await expect
      .poll(async () => {
        if (!(await wanted.isChecked())) await page.keyboard.press('ArrowRight');
        return wanted.isChecked();
      })
      .toBe(true);
    await press(page, page.getByRole('button', { name: /^Coupon, \d to use/ }));
    await expectAccessible(page);
    await press(page, dialog.getByRole('button', { name: /Welcome gift/ }));
    await press(page, page.getByRole('button', { name: 'Pay $4.25' }));
    await page.waitForURL(`${shop.addresses.sandbox.stripe}/**`);
    await press(page, page.getByRole('button', { name: /^Pay \$/ }));
    await fulfilled(page);
    await expect(page.getByRole('main')).toContainText('Welcome gift');
    await expectAccessible(page);
    const paymentId = paymentIdOf(page);
    expect(await shop.charges(paymentId)).toEqual([{ amount: 425, currency: 'usd' }]);

    await press(page, page.getByRole('link', { name: 'Continue topping up' }));
    await press(page, page.getByRole('button', { name: /^Coupon/ }));
    await expect(dialog.getByText('Thank you for playing')).toBeVisible();
    await expect(dialog.getByText('Welcome gift')).toHaveCount(0);
  });
});

async function fulfilled(page: Page): Promise<void> {
  await page.waitForURL(/\/main\/recharge\/detail\//);
  await expectStatus(page, 'Fulfilled');
}

function paymentIdOf(page: Page): string {
  return z.uuid().parse(new URL(page.url()).pathname.split('/').pop());
}

const tabsMax = 80;

/** Presses Tab until the target has the focus; fails if it cannot be reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const focused = target.and(page.locator(':focus'));
  for (let tabs = 0; tabs < tabsMax; tabs += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} cannot be reached by Tab`);
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
