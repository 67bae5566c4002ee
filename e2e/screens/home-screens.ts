import { expect } from '@playwright/test';
import { open, screensOf, type TestPage, waitForText } from './screen.ts';

const home = '/main/home';

async function redeem(testPage: TestPage, code: string): Promise<void> {
  await open(testPage, home);
  await testPage.page.getByRole('textbox', { name: 'Code', exact: true }).fill(code);
  await testPage.page.getByRole('button', { name: 'Redeem', exact: true }).click();
}

export const homeScreens = [
  ...screensOf('Home', 'aveline', {
    full: (testPage) => open(testPage, home),
    'no role chosen': { viewer: 'kaito', arrange: (testPage) => open(testPage, home) },
    'a code was redeemed': async (testPage) => {
      await redeem(testPage, 'GATE-DAWN-GAME-2026');
      await waitForText(testPage, /^You got/);
    },
    'a code that is none': async (testPage) => {
      await redeem(testPage, 'GATE-DAWN-NONE-2026');
      await waitForText(testPage, 'There is no such code');
    },
    loading: async (testPage) => {
      await testPage.hold(/\/api\/(recharge|character|bulletin|game)\//);
      await open(testPage, home);
    },
    'parts did not come': async (testPage) => {
      await testPage.cut(/\/api\/(recharge|bulletin)\//);
      await open(testPage, home);
      await waitForText(testPage, 'Failed to get the announcement list');
    },
  }),
  ...screensOf('Pages of the publisher', 'guest', {
    'about us': async (testPage) => {
      await open(testPage, '/page/about-us');
      await expect(
        testPage.page.getByRole('heading', { level: 1, name: 'About us' }),
      ).toBeVisible();
    },
    contact: (testPage) => open(testPage, '/page/contact'),
    'no such page': async (testPage) => {
      await open(testPage, '/page/nothing');
      await waitForText(testPage, 'This page does not exist');
    },
  }),
];
