import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Shop } from './shop.ts';
import { type Texts, test } from './sign-in.ts';
import { androidGame, desktop, iosGame } from './windows.ts';

const byTicket = { by: 'ticket', give: (shop: Shop) => shop.ticketOf('ga_aveline') } as const;
const byToken = { by: 'token', give: (shop: Shop) => shop.tokenOf('ga_aveline') } as const;

for (const { name: where, use } of [desktop, androidGame, iosGame]) {
  test.describe(`a player opens the shop ${where}`, () => {
    test.use(use);

    for (const { by, give } of [byTicket, byToken]) {
      test(`[S8.06] a game link with a sign-in ${by} ${where} signs in once, and shows ArrivalRefused if used, expired or unknown`, async ({
        page,
        shop,
        texts,
      }) => {
        const used = await give(shop);
        await page.goto(shop.portal(`/main/recharge?to=epoint&${by}=${used}&from=game`));
        await isAveline(page);
        await expect(page).toHaveURL(shop.portal('/main/recharge?to=epoint&from=game'));
        await page.context().clearCookies();
        await isRefused(page, shop, { texts, by, given: used });

        const old = by === 'ticket' ? await give(shop) : await shop.tokenOf('ga_aveline', -60);
        await shop.passDay();
        await isRefused(page, shop, { texts, by, given: old });
        await isRefused(page, shop, { texts, by, given: randomUUID() });
      });
    }
  });
}

// Two combinations are enough, because the question is the same for each kind of arrival and
// window.
for (const {
  window: { name: where, use },
  arrival: { by, give },
} of [
  { window: desktop, arrival: byTicket },
  { window: androidGame, arrival: byToken },
]) {
  test.describe(`a player opens the shop ${where}`, () => {
    test.use(use);

    test(`a game link with a sign-in ${by} for another account ${where} switches the session only if the player agrees`, async ({
      page,
      shop,
      texts,
    }) => {
      const goTo = (link: string) => page.goto(shop.portal(`/main/recharge?to=epoint&${link}`));
      await goTo(`ticket=${await shop.ticketOf('ga_kaito')}`);
      await expect(page.getByRole('main')).toContainText('Kaito');

      const dialog = page.getByRole('dialog', { name: texts('session.otherAccount') });
      await goTo(`${by}=${await give(shop)}`);
      await dialog
        .getByRole('button', { name: texts('session.stayAs', { name: 'kaito' }) })
        .click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('main')).toContainText('Kaito');

      await goTo(`${by}=${await give(shop)}`);
      await dialog
        .getByRole('button', { name: texts('session.switchTo', { name: 'aveline' }) })
        .click();
      await isAveline(page);
      await expect(dialog).toBeHidden();
      await page.reload();
      await isAveline(page);
    });
  });
}

for (const { name: where, use } of [androidGame, iosGame]) {
  test.describe(`a player opens the shop ${where}`, () => {
    test.use(use);

    test(`[S1.06] the sign-in methods FACEBOOK_AUTH and GOOGLE_PLAY_GAMES_AUTH are not offered ${where}`, async ({
      page,
      shop,
      texts,
    }) => {
      await page.goto(shop.portal('/login'));
      await expect(
        page.getByRole('button', { name: texts('login.scanWechat'), exact: true }),
      ).toBeVisible();
      for (const provider of ['Google', 'Facebook']) {
        const name = texts('login.continueWith', { provider });
        await expect(page.getByRole('button', { name })).toHaveCount(0);
      }
    });
  });
}

/** Checks that the E Point page shows the role Aveline. */
async function isAveline(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toContainText('Aveline');
}

/** Checks that ArrivalRefused is shown and the player remains signed out. */
async function isRefused(
  page: Page,
  shop: Shop,
  { texts, by, given }: { texts: Texts; by: string; given: string },
): Promise<void> {
  await page.goto(shop.portal(`/main/recharge?${by}=${given}`));
  const dialog = page.getByRole('dialog', { name: texts('login.failed') });
  await expect(dialog).toContainText(texts('errors.ArrivalRefused'));
  await dialog.getByRole('button', { name: texts('global.confirm'), exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/login\?redirect=/);
  expect(page.url()).not.toContain(given);
}
