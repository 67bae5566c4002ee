import { givenOptions, startWechatpayWorld } from '../../src/money/psp/test/wechatpay-world.ts';
import { atProvider } from './rig.ts';
import { mustConform } from './suite.ts';

mustConform('wechatpay', async () => {
  const { outsider } = await startWechatpayWorld();
  return {
    method: 'wechatpay',
    currency: 'CNY',
    settings: { WECHATPAY: JSON.stringify(givenOptions({ apiBase: outsider.url })) },
    open: () =>
      atProvider({
        name: 'wechatpay',
        program: outsider,
        isSilentAboutRefunds: true,
        closeBooks: () => outsider.tell('/__sandbox/bills', { outcome: 'every_day' }),
        agree: async (page, action) => {
          if (action.kind !== 'qr') throw new Error('a payer at a desktop scans a code');
          await page.goto(`${outsider.url}/scan?code=${encodeURIComponent(action.content)}`);
          await page.getByRole('button', { name: /^Pay \D?\d/ }).click();
          await page.getByRole('heading', { name: 'Paid' }).waitFor();
        },
        decline: async (page, action) => {
          if (action.kind !== 'qr') throw new Error('a payer at a desktop scans a code');
          await page.goto(`${outsider.url}/scan?code=${encodeURIComponent(action.content)}`);
          await page.getByRole('button', { name: 'Decline this payment' }).click();
          await page.getByRole('alert').waitFor();
        },
      }),
    stop: () => outsider.stop(),
  };
});
