import { givenOptions, startAdyenWorld } from '../../src/money/psp/test/adyen-world.ts';
import { addressOf, atProvider } from './rig.ts';
import { mustConform } from './suite.ts';

mustConform('adyen', async () => {
  const { outsider } = await startAdyenWorld();
  return {
    method: 'adyen',
    currency: 'USD',
    settings: { ADYEN: JSON.stringify(givenOptions({ apiBase: outsider.url })) },
    open: () =>
      atProvider({
        name: 'adyen',
        program: outsider,
        isSilent: true,
        closeBooks: () => outsider.tell('/__sandbox/settlement', { isReady: true }),
        agree: async (page, action) => {
          await page.goto(addressOf(action));
          await page.getByRole('button', { name: 'Pay with 3D Secure' }).click();
          await page.getByRole('button', { name: /^Yes, pay/ }).click();
          await page.waitForURL(/\/main\/recharge\/detail\//);
        },
        decline: async (page, action) => {
          await page.goto(addressOf(action));
          await page.getByRole('button', { name: 'Decline this card' }).click();
          await page.getByRole('alert').waitFor();
        },
      }),
    stop: () => outsider.stop(),
  };
});
