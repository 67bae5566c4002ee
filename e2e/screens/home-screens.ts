import { expect } from '@playwright/test';
import { open, says, screensOf } from './screen.ts';

const home = '/main/home';

export const homeScreens = [
  ...screensOf('Home', 'aveline', {
    full: (stage) => open(stage, home),
    'no role chosen': { viewer: 'kaito', arrange: (stage) => open(stage, home) },
    loading: async (stage) => {
      await stage.hold(/\/api\/(recharge|character|bulletin|game)\//);
      await open(stage, home);
    },
    'parts did not come': async (stage) => {
      await stage.cut(/\/api\/(recharge|bulletin)\//);
      await open(stage, home);
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
