import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Shop } from './shop.ts';
import { type Texts, test } from './sign-in.ts';
import { androidGame, desktop, iosGame } from './windows.ts';

const byTicket = { by: 'ticket', give: (shop: Shop) => shop.ticketOf('ga_aveline') } as const;
const byToken = { by: 'token', give: (shop: Shop) => shop.tokenOf('ga_aveline') } as const;

for (const { name: where, use } of [desktop, androidGame, iosGame]) {
  test.describe(where, () => {
    test.use(use);

    for (const { by, give } of [byTicket, byToken]) {
      test(`[S8.06] arrival by ${by} ${where}: it signs the player in once and leaves the address, then ArrivalRefused is told, as for one that is too old or none`, async ({
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

// Whoever is asked is asked alike, however they came.
for (const {
  window: { name: where, use },
  arrival: { by, give },
} of [
  { window: desktop, arrival: byTicket },
  { window: androidGame, arrival: byToken },
]) {
  test.describe(where, () => {
    test.use(use);

    test(`a link with a ${by} of another account ${where} asks, and changes who is signed in only if the player wants it`, async ({
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
  test.describe(where, () => {
    test.use(use);

    test(`[S1.06] FACEBOOK_AUTH and GOOGLE_PLAY_GAMES_AUTH ${where}: not offered, because they refuse to work there`, async ({
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

/** The page of E Points says whom they are for. */
async function isAveline(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toContainText('Aveline');
}

/** The player is told, and goes on as a visitor. */
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
