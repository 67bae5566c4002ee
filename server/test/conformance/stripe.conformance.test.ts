import { addressOf, atProvider } from './rig.ts';
import { mustConform } from './suite.ts';

mustConform('stripe', async () => ({
  method: 'card',
  currency: 'USD',
  settings: {},
  open: ({ stripe }) =>
    atProvider({
      name: 'stripe',
      program: stripe,
      agree: async (page, action) => {
        await page.goto(addressOf(action));
        await page.getByRole('button', { name: /^Pay \D?\d/ }).click();
        await page.waitForURL(/\/main\/recharge\/detail\//);
      },
      decline: async (page, action) => {
        await page.goto(addressOf(action));
        await page.getByRole('button', { name: 'Decline this card' }).click();
        await page.getByRole('alert').waitFor();
      },
    }),
  stop: async () => {},
}));
