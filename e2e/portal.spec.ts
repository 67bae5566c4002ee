import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './barriers.ts';
import { characterOpener, choosePack, test } from './shop.ts';

test('a signed-out visitor is redirected to sign in and then back to the requested portal page', async ({
  page,
  shop,
}) => {
  for (const path of [
    '/main/home',
    '/main/recharge?item=shards_980&lng=en-US',
    '/main/recharge/detail/x',
  ]) {
    await page.goto(shop.portal(path));
    await page.waitForURL(/\/login\?/);
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(path);
  }
  await page.goto(shop.portal('/main/recharge?item=shards_980&lng=en-US'));
  await shop.signIn(page);
  await page.waitForURL(shop.portal('/main/recharge?item=shards_980&lng=en-US'));
  await expect(page.getByRole('radio', { name: /^980/ })).toBeChecked();
});

test('a player who signs in on a second device is told once on the first device that its session has ended', async ({
  browser,
  page,
  shop,
}) => {
  await page.goto(shop.portal('/main/recharge'));
  await shop.signIn(page);
  await page.waitForURL(shop.portal('/main/recharge'));

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto(shop.portal('/main/recharge'));
  await shop.signIn(other);
  await other.waitForURL(shop.portal('/main/recharge'));

  await page.reload();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Information expired or account accessed on another device');
  await expect(dialog).toHaveCount(1);
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(dialog).toBeHidden();
  await elsewhere.close();
});

test('[S2.06] a portal page whose script fails to load shows an error, and its Refresh button loads the page', async ({
  page,
  shop,
}) => {
  await page.route(/recharge-route/, (route) => route.abort());
  await page.goto(shop.portal('/main/recharge'));
  await shop.signIn(page);
  await expect(page.getByText('load error, please refresh')).toBeVisible();
  await page.unroute(/recharge-route/);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('radio').first()).toBeAttached();
});

test('[S1.08] the phone layout of the portal applies up to 750 px and changes live with the window width', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 751, height: 900 });
  await page.goto(shop.portal('/main/recharge'));
  await shop.signIn(page);
  await page.waitForURL(shop.portal('/main/recharge'));
  const links = page.getByRole('link', { name: 'Home', exact: true });
  const menu = page.getByRole('button', { name: 'Menu' });
  await expect(links).toBeVisible();
  await expect(menu).toBeHidden();
  await page.setViewportSize({ width: 750, height: 900 });
  await expect(menu).toBeVisible();
  await expect(links).toBeHidden();
  await page.setViewportSize({ width: 751, height: 900 });
  await expect(menu).toBeHidden();
});

test('[S9.04] the portal loads its translations from the server and not as part of its script bundle', async ({
  page,
  shop,
}) => {
  const loaded: string[] = [];
  page.on('response', (response) => {
    if (response.ok()) loaded.push(new URL(response.url()).pathname);
  });
  await page.goto(shop.portal('/login?lng=de-DE'));
  await expect(page.getByRole('button', { name: 'Anmelden', exact: true })).toBeVisible();
  expect(loaded).toContain('/locales/de-DE/shell.json');
  await page.route('**/locales/**', (route) => route.abort());
  await page.goto(shop.portal('/login?lng=ja-JP'));
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
});

test('the top-up page preloads the font of the game title and requests that font only once', async ({
  page,
  shop,
}) => {
  await page.goto(shop.portal('/main/recharge'));
  await shop.signIn(page);
  await page.waitForURL(shop.portal('/main/recharge'));
  await page.goto('about:blank');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') asked.push(new URL(request.url()).pathname);
  });
  await page.goto(shop.portal('/main/recharge'));
  await expect(page.getByRole('radio').first()).toBeAttached();
  await page.evaluate('document.fonts.ready.then(() => true)');
  expect(asked.filter((path) => path.includes('marcellus'))).toHaveLength(1);
});

test('the login page of the portal starts a web worker that prepares number formatting and ends by itself', async ({
  page,
  shop,
}) => {
  const worker = page.waitForEvent('worker');
  await page.goto(shop.portal('/login'));
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  expect((await worker).url()).toContain('/assets/warm-intl-worker-');
  await expect.poll(() => page.workers()).toEqual([]);
});

for (const width of [390, 1440]) {
  test(`every page of a purchase is accessible and logs no console errors at ${width} px`, async ({
    page,
    shop,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const complaints = listen(page);
    await page.goto(shop.portal('/main/recharge'));
    await page.getByLabel('Account').waitFor();
    await expectAccessible(page);
    await shop.signIn(page);
    await page.waitForURL(shop.portal('/main/recharge'));
    await openRoles(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await shop.chooseCharacter(page);
    await choosePack(page, /^980/);
    await expectAccessible(page);
    await noCardFields(page);
    await shop.payFor(page, /^300/);
    await shop.approve(page);
    await expect(page.getByRole('status').first()).toContainText('Fulfilled');
    await expectAccessible(page);
    await page.goto(shop.portal('/main/home'));
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expectAccessible(page);
    await page.goto(shop.portal('/nowhere'));
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
}

async function openRoles(page: Page): Promise<void> {
  await characterOpener(page).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: /Dawnreach/ })).toBeVisible();
}

/** Card data is entered on the provider's page only, so the shop has no fields for it. */
async function noCardFields(page: Page): Promise<void> {
  await expect(page.locator('input:not([type=radio])')).toHaveCount(0);
  await expect(page.locator('iframe')).toHaveCount(0);
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
