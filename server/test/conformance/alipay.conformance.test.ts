import { givenOptions, startAlipayWorld } from '../../src/money/psp/test/alipay-world.ts';
import { addressOf, atProvider } from './rig.ts';
import { mustConform } from './suite.ts';

mustConform('alipay', async () => {
  const { outsider, gateway } = await startAlipayWorld();
  return {
    method: 'alipay',
    currency: 'CNY',
    settings: { ALIPAY: JSON.stringify(givenOptions({ gateway, desktop: 'page' })) },
    open: () =>
      atProvider({
        name: 'alipay',
        program: outsider,
        closeBooks: () => outsider.tell('/__sandbox/bills', { outcome: 'every_day' }),
        agree: async (page, action) => {
          await page.goto(addressOf(action));
          await page.getByRole('button', { name: /^Pay \D?\d/ }).click();
          await page.waitForURL(/\/main\/recharge\/detail\//);
        },
        decline: async (page, action) => {
          await page.goto(addressOf(action));
          await page.getByRole('button', { name: 'Decline this payment' }).click();
          await page.getByRole('alert').waitFor();
        },
      }),
    stop: () => outsider.stop(),
  };
});
