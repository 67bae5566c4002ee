import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './barriers.ts';
import { type Shop, test } from './shop.ts';

async function openHome(page: Page, shop: Shop): Promise<void> {
  await page.goto(shop.portal('/main/home'));
  await shop.signIn(page);
  await page.waitForURL(shop.portal('/main/home'));
  await expect(page.getByRole('region', { name: 'Hot news' }).getByRole('article')).toHaveCount(3);
}

test('[S2.08] [S2.15] [S2.16] a player follows links from the home page to an announcement, to all news and its tabs, and back', async ({
  page,
  shop,
}) => {
  await openHome(page, shop);
  const hot = page.getByRole('region', { name: 'Hot news' });
  const title = page.getByRole('heading', { level: 1 });
  await hot.getByRole('link', { name: 'Tidefall Festival begins' }).click();
  await expect(page).toHaveURL(/\/main\/event\/detail\/tidefall-festival$/);
  await expect(title).toHaveText('Tidefall Festival begins');
  await expect(page.getByRole('row')).toHaveCount(4);
  // A page opens scrolled to the top, wherever its link was.
  await expect.poll(() => page.evaluate<number>('window.scrollY')).toBe(0);

  await page.getByRole('link', { name: 'All news' }).click();
  await expect(title).toHaveText('News');
  const cards = page.getByRole('main').getByRole('article');
  await expect(cards).toHaveCount(8);
  await expect(cards.first()).toContainText('Tidefall Festival begins');
  await expect(cards.first()).toContainText('Pinned');
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(cards).toHaveCount(10);

  const tabs = page.getByRole('navigation', { name: 'Filter news' });
  await tabs.getByRole('link', { name: 'Strategy' }).click();
  await expect(page).toHaveURL(/\/main\/event\?tab=strategy$/);
  await expect(cards.first()).toContainText('Your first ten levels');
  await expect(page.getByText('Tidefall Festival begins')).toHaveCount(0);
  await page.reload();
  await expect(tabs.getByRole('link', { name: 'Strategy' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(cards.first()).toContainText('Your first ten levels');

  await page.goBack();
  await expect(page).toHaveURL(/\/main\/event$/);
  await expect(cards.first()).toContainText('Tidefall Festival begins');
  await page.goBack();
  await expect(title).toHaveText('Tidefall Festival begins');
  await page.goBack();
  await expect(hot.getByRole('article')).toHaveCount(3);
});

test('a pack that the player clicks on the home page is selected on the top-up page', async ({
  page,
  shop,
}) => {
  await openHome(page, shop);
  const center = page.getByRole('region', { name: 'Top-up center' });
  await center.getByRole('link', { name: /^980/ }).click();
  await expect(page.getByRole('radio', { name: /^980/ })).toBeChecked();
});

test('a change of the language in the portal also translates news and other texts of the publisher', async ({
  page,
  shop,
}) => {
  await openHome(page, shop);
  await expect(page.getByText('A sea without a map, drawn by those who sail it')).toBeVisible();
  await page.getByRole('combobox', { name: 'Language' }).first().selectOption('de-DE');
  await expect(page.getByText('Ein Meer ohne Karte, gezeichnet von denen')).toBeVisible();
  await page.getByRole('link', { name: 'Das Ebbefest beginnt' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Belohnungen' })).toBeVisible();
  await page.goto(shop.portal('/main/event?lng=ja-JP'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('お知らせ');
  await expect(page.getByRole('link', { name: '落潮祭が開幕' })).toBeVisible();
});

test('a visitor who is not signed in can read the policies from the login page', async ({
  page,
  shop,
}) => {
  await page.goto(shop.portal('/login'));
  await page.getByRole('link', { name: 'Privacy policy' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy policy');
  await expect(page.getByText('card numbers stay with the payment provider')).toBeVisible();
  for (const id of ['about-us', 'contact', 'user-agreement']) {
    await page.goto(shop.portal(`/page/${id}`));
    await expect(page.getByRole('main').getByRole('article')).toBeVisible();
  }
});

for (const width of [390, 1440]) {
  test(`home, news and policy pages are accessible, fit the window and have little layout shift at ${width} px`, async ({
    page,
    shop,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await measureShifts(page);
    await openHome(page, shop);
    for (const path of [
      '/main/home',
      '/main/event',
      '/main/event/detail/tidefall-festival',
      '/main/event/detail/none',
      '/page/privacy-policy',
    ]) {
      await page.goto(shop.portal(path));
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expect(page.locator('.skeleton')).toHaveCount(0);
      expect(await shiftOf(page), path).toBeLessThanOrEqual(0.02);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), path).toBe(width);
      await expectAccessible(page);
    }
  });
}

/** Sums up the layout shifts of each page from its first frame. */
async function measureShifts(page: Page): Promise<void> {
  const content = `
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });`;
  await page.addInitScript({ content });
}

async function shiftOf(page: Page): Promise<number> {
  return await page.evaluate<number>('window.shifted');
}
