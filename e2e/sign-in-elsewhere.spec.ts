import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Shop } from './shop.ts';
import { expectErrorOnPage, expectErrorToast, type Texts, test } from './sign-in.ts';
import { desktop, mobileChrome, mobileSafari, oneWindowOf, wechatApp } from './windows.ts';

const mira = 'Mira Holm';
const stranger = 'A stranger to every shop';
const openWeixin = 'https://open.weixin.qq.com';

// These providers return to a separate page, which shows a failure until the player goes back.
const withReturnPage = [
  {
    method: 'GOOGLE_PLAY_GAMES_AUTH',
    provider: 'Google',
    notFound: 'GooglePGAccountNotFound',
    lie: { provider: 'google', kind: 'wrong_nonce' },
    phone: mobileChrome,
  },
  {
    method: 'FACEBOOK_AUTH',
    provider: 'Facebook',
    notFound: 'FacebookAccountNotFound',
    lie: { provider: 'facebook', kind: 'other_app' },
    phone: mobileSafari,
  },
] as const;

for (const { method, provider, notFound, lie, phone } of withReturnPage) {
  for (const { name: where, use } of [desktop, phone]) {
    test.describe(`a player signs in ${where}`, () => {
      test.use(use);

      test(`[S3.11] ${method} ${where} signs the player in and opens the requested page`, async ({
        page,
        shop,
        texts,
      }) => {
        await leaveFor(page, shop, { texts, provider, wanted: '/main/recharge' });
        await beSomebody(page, shop, mira);
        await isIn(page, shop, { texts, at: '/main/recharge' });
      });
    });
  }

  for (const { name: where, use } of oneWindowOf([desktop, phone], method)) {
    test.describe(`a player signs in ${where}`, () => {
      test.use(use);

      test(`[S8.06] ${method} ${where} shows the player the errors ${notFound}, AuthFail and SystemBusy`, async ({
        page,
        shop,
        texts,
      }) => {
        const failsWith = async (code: string, person: string) => {
          await leaveFor(page, shop, { texts, provider });
          await beSomebody(page, shop, person);
          await expectErrorOnPage(page, texts, { code });
          await expect(page).not.toHaveURL(/code=|state=|error/);
        };
        await failsWith(notFound, stranger);
        await failsWith('AuthFail', 'Cancel');
        await shop.identity.tell('/__sandbox/faults', lie);
        await failsWith('AuthFail', mira);
        await shop.identity.tell('/__sandbox/faults', { ...lie, kind: 'error' });
        await failsWith('SystemBusy', mira);
        await page.getByRole('link', { name: texts('login.back') }).click();
        await expect(page).toHaveURL(shop.portal('/login'));
      });
    });
  }
}

for (const { name: where, use } of [desktop, mobileSafari]) {
  test.describe(`a player signs in ${where}`, () => {
    test.use(use);
    const provider = 'Apple';

    test(`[S3.11] [S4.14] Apple sign-in ${where} shows AppleSignInAccountNotFound for an unknown account, no error when cancelled, and signs in`, async ({
      page,
      shop,
      texts,
    }) => {
      const notFound = texts('errors.AppleSignInAccountNotFound');
      await leaveFor(page, shop, { texts, provider });
      await beSomebody(page, shop, stranger);
      await expectErrorToast(page, notFound);
      await expect(page).not.toHaveURL(/appleId/);

      // Other failures show the same message, because the return flag is only true or false.
      await shop.identity.tell('/__sandbox/faults', { provider: 'apple', kind: 'wrong_nonce' });
      await leaveFor(page, shop, { texts, provider });
      await beSomebody(page, shop, mira);
      await expectErrorToast(page, notFound);

      await leaveFor(page, shop, { texts, provider });
      await beSomebody(page, shop, 'Cancel');
      await expect(providerButton(page, texts, provider)).toBeVisible();
      await expect(page.locator('.toast')).toBeHidden();

      await leaveFor(page, shop, { texts, provider });
      await beSomebody(page, shop, mira);
      await isIn(page, shop, { texts });
    });
  });
}

for (const { name: where, use } of oneWindowOf([desktop, wechatApp], 'WECHAT_AUTH')) {
  test.describe(`a player signs in ${where}`, () => {
    test.use(use);

    test(`[S8.06] [S4.15] [S4.18] WeChat sign-in ${where} shows WechatAccountNotFound, AuthFail, SystemBusy and the error of a wrong OAuth state`, async ({
      page,
      shop,
      texts,
    }) => {
      const failed = (code: string) => `${texts('login.failed')}: ${texts(`errors.${code}`)}`;
      await leaveForWechat(page, shop, texts);
      await beSomebody(page, shop, stranger);
      await expectErrorToast(page, failed('WechatAccountNotFound'));
      await expect(page).not.toHaveURL(/code=|state=/);

      await shop.identity.tell('/__sandbox/faults', { provider: 'wechat', kind: 'error' });
      await leaveForWechat(page, shop, texts);
      await beSomebody(page, shop, mira);
      await expectErrorToast(page, failed('SystemBusy'));

      // A return with a code that WeChat never issued.
      const state = await leaveForWechat(page, shop, texts);
      await page.goto(shop.portal(`/main?code=${randomUUID()}&state=${state}`));
      await expectErrorToast(page, failed('AuthFail'));

      // A return with the state of another browser, as in login CSRF.
      await page.goto(shop.portal(`/main?code=${randomUUID()}&state=${randomUUID()}`));
      await expectErrorToast(page, texts('login.wechatAbnormal'));
      await expect(page).not.toHaveURL(/code=|state=/);

      // A cancelled sign-in returns without a message.
      await leaveForWechat(page, shop, texts);
      await beSomebody(page, shop, 'Cancel');
      await expect(wechatButton(page, texts)).toBeVisible();
      await expect(page.locator('.toast')).toBeHidden();
    });
  });
}

test.describe(`a player signs in with a desktop browser`, () => {
  test.use(desktop.use);

  test(`[S3.11] [S4.15] WeChat sign-in ${desktop.name} signs the player in by a scanned QR code`, async ({
    page,
    shop,
    texts,
  }) => {
    await leaveForWechat(page, shop, texts);
    expect(new URL(page.url()).pathname).toBe('/wechat/connect/qrconnect');
    await beSomebody(page, shop, mira);
    await isIn(page, shop, { texts });
  });
});

test.describe(`a player signs in ${wechatApp.name}`, () => {
  test.use(wechatApp.use);

  test(`[S3.11] [S4.16] [S4.17] WeChat sign-in ${wechatApp.name} signs the player in and stores the open id for payments`, async ({
    page,
    shop,
    texts,
  }) => {
    const { promise: seen, resolve: letGo } = Promise.withResolvers<void>();
    // The sandbox stands in for WeChat's host, to which the portal redirects by itself.
    await page.route(`${openWeixin}/**`, async (route) => {
      await seen;
      const location = route
        .request()
        .url()
        .replace(openWeixin, `${identityOf(shop)}/wechat`);
      await route.fulfill({ status: 302, headers: { location } });
    });
    const told = await watchToasts(page);
    await page.goto(shop.portal('/login'));
    await expect(wechatButton(page, texts)).toBeVisible();
    for (const provider of ['Google', 'Facebook']) {
      await expect(providerButton(page, texts, provider)).toHaveCount(0);
    }
    await leaveForWechat(page, shop, texts);
    const asked = new URL(page.url());
    expect(asked.pathname).toBe('/wechat/connect/oauth2/authorize');
    expect(asked.hash).toBe('#wechat_redirect');
    await beSomebody(page, shop, mira);
    await expect.poll(() => told).toContain(texts('login.successful'));

    letGo();
    await page.waitForURL(`${identityOf(shop)}/**`);
    expect(new URL(page.url()).searchParams.get('scope')).toBe('snsapi_base');
    await page.getByRole('button', { name: mira }).click();
    await page.waitForURL(shop.portal('/main/home'));
    const openId = () => page.evaluate(() => localStorage.getItem('pointgate.wechat-open-id'));
    await expect.poll(openId).toBe(await shop.identity.openIdOf('mira'));
  });
});

/**
 * Records toasts from inside the page, because a page about to navigate can no longer be queried.
 */
async function watchToasts(page: Page): Promise<string[]> {
  const told: string[] = [];
  await page.exposeFunction('noteToast', (text: string) => told.push(text));
  await page.addInitScript(`
    new MutationObserver(() => {
      const toast = document.querySelector('.toast');
      if (toast !== null) noteToast(toast.textContent);
    }).observe(document, { subtree: true, childList: true });
  `);
  return told;
}

function providerButton(page: Page, texts: Texts, provider: string) {
  const name = texts('login.continueWith', { provider });
  return page.getByRole('button', { name, exact: true });
}

/** The WeChat button, whose label outside the app offers to scan a code. */
function wechatButton(page: Page, texts: Texts) {
  const scan = page.getByRole('button', { name: texts('login.scanWechat'), exact: true });
  return scan.or(providerButton(page, texts, texts('login.wechat')));
}

async function leaveFor(
  page: Page,
  shop: Shop,
  { texts, provider, wanted }: { texts: Texts; provider: string; wanted?: string },
): Promise<void> {
  // Clears the provider's cookies, because it remembers the person of this browser.
  await page.context().clearCookies({ domain: new URL(identityOf(shop)).hostname });
  await page.goto(shop.portal(wanted ?? '/login'));
  await providerButton(page, texts, provider).click();
  await page.waitForURL(`${identityOf(shop)}/**`);
}

/** Goes to WeChat and answers the state that it has to return. */
async function leaveForWechat(page: Page, shop: Shop, texts: Texts): Promise<string> {
  await page.goto(shop.portal('/login'));
  await wechatButton(page, texts).click();
  await page.waitForURL(`${identityOf(shop)}/**`);
  return new URL(page.url()).searchParams.get('state') ?? '';
}

/** Chooses a person on the provider's page and waits for the redirect back. */
async function beSomebody(page: Page, shop: Shop, person: string): Promise<void> {
  await page.getByRole('button', { name: person }).click();
  await page.waitForURL((url) => url.origin !== identityOf(shop));
}

async function isIn(
  page: Page,
  shop: Shop,
  { texts, at = '/main/home' }: { texts: Texts; at?: string },
): Promise<void> {
  await expect(page.getByText(texts('login.successful'))).toBeVisible();
  await expect(page).toHaveURL(shop.portal(at));
}

function identityOf(shop: Shop): string {
  return shop.addresses.sandbox.identity;
}
