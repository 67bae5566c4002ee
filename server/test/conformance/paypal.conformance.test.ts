import { expect, vi } from 'vitest';
import { startPaypalWorld, webhookId } from '../../src/money/psp/test/paypal-world.ts';
import { addressOf, atProvider } from './rig.ts';
import { mustConform } from './suite.ts';

mustConform('paypal', async () => {
  const { outsider, route } = await startPaypalWorld();
  return {
    method: 'paypal',
    currency: 'EUR',
    settings: {
      PAYPAL: JSON.stringify({
        clientId: 'client',
        clientSecret: 'secret',
        environment: 'sandbox',
        webhookIds: [webhookId],
        route,
      }),
    },
    open: () =>
      atProvider({
        name: 'paypal',
        program: outsider,
        closeBooks: () => {
          const inTwoDays = Math.floor(Date.now() / 1000) + 2 * 24 * 60 * 60;
          return outsider.tell('/__sandbox/reports', { availableUntil: inTwoDays });
        },
        agree: async (page, action) => {
          await page.goto(addressOf(action));
          await page.getByRole('button', { name: /^Agree and pay/ }).click();
          await page.waitForURL(/\/main\/recharge\/detail\//);
        },
        decline: async (page, action) => {
          await page.goto(addressOf(action));
          await page.getByRole('button', { name: 'Agree with a card that is declined' }).click();
          await page.waitForURL(/\/main\/recharge\/detail\//);
          // PayPal declines the card at the capture; then the page asks for another card.
          await vi.waitFor(async () => {
            await page.goto(addressOf(action));
            expect(await page.getByRole('button', { name: /^Agree and pay/ }).count()).toBe(1);
          }, 60_000);
        },
      }),
    stop: () => outsider.stop(),
  };
});
