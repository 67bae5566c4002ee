import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { expectStatus } from './buying.ts';
import { operate } from './operate.ts';
import { characterOpener, chooseCharacter, test } from './shop.ts';

// Players without an account, whom their game brings.

const setArrival = ['game-arrival', 'solmere'];
const why = ['--by', 'ines', '--reason', 'the game opens its shop'];

test.beforeAll(async ({ stack }) => {
  expect((await operate(stack, [...setArrival, 'create', ...why])).status).toBe(0);
});
test.afterAll(async ({ stack }) => {
  expect((await operate(stack, [...setArrival, 'known_only', ...why])).status).toBe(0);
});

for (const { device, viewport } of [
  { device: 'a phone', viewport: { width: 390, height: 844 } },
  { device: 'a desktop', viewport: { width: 1440, height: 900 } },
]) {
  test.describe(`a player without an account arrives on ${device}`, () => {
    test.use({ viewport });

    test(`a player without an account opens the shop from the game on ${device}, buys a pack, and finds the order again on the next visit`, async ({
      page,
      shop,
    }) => {
      const gameAccountId = `p-${randomUUID()}`;
      // Two, because the only character of a server is chosen by itself.
      const roles = ['Mirren', 'Sable'].map((name) => ({ roleId: `r_${name}`, name, level: 3 }));
      await shop.game.tell('/__sandbox/roles', { gameAccountId, serverId: 's12', roles });

      await page.goto(
        shop.portal(`/main/recharge?ticket=${await shop.ticketOf(gameAccountId)}&from=game`),
      );
      await page.waitForURL(shop.portal('/main/recharge?from=game'));
      await chooseCharacter(page, { server: /Dawnreach/, role: /Mirren/ });
      await shop.payFor(page, /^300 Shards/);
      const paymentId = await shop.approve(page);
      await expectStatus(page, 'Fulfilled');
      expect(await shop.grants(paymentId)).toEqual([{ sku: 'lumen_shard', quantity: 330 }]);

      await page.context().clearCookies();
      await page.goto(
        shop.portal(`/main/recharge?ticket=${await shop.ticketOf(gameAccountId)}&from=game`),
      );
      await expect(characterOpener(page)).toContainText('Mirren');
      await page.goto(shop.portal(`/main/recharge/detail/${paymentId}`));
      await expectStatus(page, 'Fulfilled');
    });
  });
}
