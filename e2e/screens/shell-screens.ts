import { expect } from '@playwright/test';
import { locales } from '../../contract/src/locales.ts';
import { speak } from './inspection.ts';
import { open, screensOf, waitForText } from './screen.ts';

export const shellScreens = [
  ...screensOf('Messages', 'aveline', {
    'no permission': (testPage) => open(testPage, '/403'),
    'no such page': (testPage) => open(testPage, '/nowhere'),
    'a page whose code did not come': async (testPage) => {
      await testPage.cut(/\/assets\/recharge-route/);
      await testPage.page.goto(testPage.address('/main/recharge'));
      await waitForText(testPage, 'load error, please refresh');
    },
    'signed in elsewhere': {
      isAlone: true,
      arrange: async (testPage) => {
        const { page } = testPage;
        await open(testPage, '/main/account/user');
        await page.context().clearCookies({ name: 'sid' });
        // The page may already have redirected because of its own requests, so the link is
        // optional.
        await page.evaluate('document.querySelector("a[href$=\'/account/recharge\']")?.click()');
        await waitForText(testPage, 'Please sign in again');
      },
    },
    'a link that was used before': {
      viewer: 'guest',
      isAlone: true,
      arrange: async (testPage) => {
        await open(testPage, '/main/home?ticket=used-before');
        await waitForText(testPage, 'This link has expired or was already used');
      },
    },
    'the line was cut': {
      isAlone: true,
      arrange: async (testPage) => {
        const { page } = testPage;
        await open(testPage, '/403');
        // Offline, the texts of another language cannot be loaded.
        for (const locale of [...locales, 'en-US']) await speak(page, locale);
        await testPage.untilIdle();
        await page.context().setOffline(true);
        await waitForText(testPage, 'You are offline');
      },
    },
  }),
  ...screensOf('Menus', 'aveline', {
    account: async (testPage) => {
      await open(testPage, '/main/account/user');
      await testPage.page.getByRole('button', { name: 'Account', exact: true }).click();
      await expect(testPage.page.getByText('Logout').first()).toBeVisible();
    },
    pages: {
      only: 'narrow',
      arrange: async (testPage) => {
        await open(testPage, '/main/account/user');
        await testPage.page.getByRole('button', { name: 'Menu' }).click();
        await expect(testPage.page.getByRole('dialog')).toBeVisible();
      },
    },
  }),
];
