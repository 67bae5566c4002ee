import { expect } from '@playwright/test';
import { locales } from '../../contract/src/locales.ts';
import { speak } from './inspection.ts';
import { open, says, screensOf } from './screen.ts';

export const shellScreens = [
  ...screensOf('Messages', 'aveline', {
    'no permission': (stage) => open(stage, '/403'),
    'no such page': (stage) => open(stage, '/nowhere'),
    'a page whose code did not come': async (stage) => {
      await stage.cut(/\/assets\/recharge-route/);
      await stage.page.goto(stage.address('/main/recharge'));
      await says(stage, 'load error, please refresh');
    },
    'signed in elsewhere': {
      isAlone: true,
      arrange: async (stage) => {
        const { page } = stage;
        await open(stage, '/main/account/user');
        await page.context().clearCookies({ name: 'sid' });
        // The page may already have redirected because of its own requests, so the link is
        // optional.
        await page.evaluate('document.querySelector("a[href$=\'/account/recharge\']")?.click()');
        await says(stage, 'Please sign in again');
      },
    },
    'a link that was used before': {
      viewer: 'guest',
      isAlone: true,
      arrange: async (stage) => {
        await open(stage, '/main/home?ticket=used-before');
        await says(stage, 'This link has expired or was already used');
      },
    },
    'the line was cut': {
      isAlone: true,
      arrange: async (stage) => {
        const { page } = stage;
        await open(stage, '/403');
        // Offline, the texts of another language cannot be loaded.
        for (const locale of [...locales, 'en-US']) await speak(page, locale);
        await stage.quiet();
        await page.context().setOffline(true);
        await says(stage, 'You are offline');
      },
    },
  }),
  ...screensOf('Menus', 'aveline', {
    account: async (stage) => {
      await open(stage, '/main/account/user');
      await stage.page.getByRole('button', { name: 'Account', exact: true }).click();
      await expect(stage.page.getByText('Logout').first()).toBeVisible();
    },
    pages: {
      only: 'narrow',
      arrange: async (stage) => {
        await open(stage, '/main/account/user');
        await stage.page.getByRole('button', { name: 'Menu' }).click();
        await expect(stage.page.getByRole('dialog')).toBeVisible();
      },
    },
  }),
];
