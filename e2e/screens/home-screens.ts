import { expect } from '@playwright/test';
import { open, type Stage, says, screensOf } from './screen.ts';

const home = '/main/home';

async function redeem(stage: Stage, code: string): Promise<void> {
  await open(stage, home);
  await stage.page.getByRole('textbox', { name: 'Code', exact: true }).fill(code);
  await stage.page.getByRole('button', { name: 'Redeem', exact: true }).click();
}

export const homeScreens = [
  ...screensOf('Home', 'aveline', {
    full: (stage) => open(stage, home),
    'no role chosen': { viewer: 'kaito', arrange: (stage) => open(stage, home) },
    'a code was redeemed': async (stage) => {
      await redeem(stage, 'GATE-DAWN-GAME-2026');
      await says(stage, /^You got/);
    },
    'a code that is none': async (stage) => {
      await redeem(stage, 'GATE-DAWN-NONE-2026');
      await says(stage, 'There is no such code');
    },
    loading: async (stage) => {
      await stage.hold(/\/api\/(recharge|character|bulletin|game)\//);
      await open(stage, home);
    },
    'parts did not come': async (stage) => {
      await stage.cut(/\/api\/(recharge|bulletin)\//);
      await open(stage, home);
      await says(stage, 'Failed to get the announcement list');
    },
  }),
  ...screensOf('Pages of the publisher', 'guest', {
    'about us': async (stage) => {
      await open(stage, '/page/about-us');
      await expect(stage.page.getByRole('heading', { level: 1, name: 'About us' })).toBeVisible();
    },
    contact: (stage) => open(stage, '/page/contact'),
    'no such page': async (stage) => {
      await open(stage, '/page/nothing');
      await says(stage, 'This page does not exist');
    },
  }),
];
