import { expect } from '@playwright/test';
import { open, says, screensOf } from './screen.ts';

export const shellScreens = [
  ...screensOf('Messages', 'aveline', {
    'no permission': (stage) => open(stage, '/403'),
    'no such page': (stage) => open(stage, '/nowhere'),
    'a page whose code did not come': async (stage) => {
      await stage.learnAll();
      await stage.cut(/\/assets\/recharge-route/);
      await open(stage, '/main/recharge');
      await says(stage, 'load error, please refresh');
    },
    'signed in elsewhere': {
      viewer: 'guest',
      arrange: async (stage) => {
        const { page, shop } = stage;
        await open(stage, '/main/home');
        await shop.signIn(page, 'kaito');
        await page.waitForURL(/\/main\/home/);
        await page.context().clearCookies({ name: 'sid' });
        await page.reload();
        await says(stage, 'Please sign in again');
      },
    },
  }),
  ...screensOf('Offline', 'aveline', {
    'the line was cut': async (stage) => {
      await stage.learnAll();
      await open(stage, '/main/home');
      await stage.page.context().setOffline(true);
      await says(stage, 'You are offline');
    },
  }),
  ...screensOf('Menus', 'aveline', {
    account: async (stage) => {
      await open(stage, '/main/account/user');
      await stage.page.locator('.nav-end button').last().click();
      await expect(stage.page.getByText('Logout').first()).toBeVisible();
    },
    pages: {
      only: 'narrow',
      arrange: async (stage) => {
        await stage.page.setViewportSize({ width: 390, height: 844 });
        await open(stage, '/main/account/user');
        await stage.page.getByRole('button', { name: 'Menu' }).click();
      },
    },
  }),
];
