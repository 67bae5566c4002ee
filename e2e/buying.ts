import { expect, type Page } from '@playwright/test';
import { checkBooks } from '../tools/books/check-books.ts';
import { characterOpener, choosePack, type Shop } from './shop.ts';

// Steps shared by several tests.

/** Signs in the first player, opens the top-up page and chooses a role. */
export async function signInAndChooseRole(page: Page, shop: Shop): Promise<void> {
  await page.goto(shop.portal('/main/recharge'));
  await shop.signIn(page);
  await page.waitForURL(shop.portal('/main/recharge'));
  await shop.chooseCharacter(page);
}

/** The same by an arrival link of the game, which takes half as long. */
export async function openWithTicket(page: Page, shop: Shop): Promise<void> {
  const ticket = await shop.ticketOf('ga_aveline');
  await page.goto(shop.portal(`/main/recharge?ticket=${ticket}`));
  await page.waitForURL(shop.portal('/main/recharge'));
  const isChosen = (await characterOpener(page).textContent())?.includes('Aveline');
  if (!isChosen) await shop.chooseCharacter(page);
}

/** Pays a pack with E Points and confirms the dialog. Answers the payment id. */
export async function payWithPoints(page: Page, pack: RegExp): Promise<string> {
  await choosePack(page, pack);
  await page
    .locator('label')
    .filter({ has: page.getByRole('radio', { name: 'E Points' }) })
    .click();
  await page.getByRole('button', { name: /^Pay 500/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL(/\/main\/recharge\/detail\//);
  return new URL(page.url()).pathname.split('/').pop() ?? '';
}

/** Chooses a payment method: a tile in the wide layout, a row of a sheet in the narrow one. */
export async function chooseMethod(page: Page, method: string): Promise<void> {
  const tile = page.getByRole('radio', { name: method, exact: true });
  const opener = page.getByRole('button', { name: /, Payment method$/ });
  await expect(tile.or(opener).first()).toBeAttached();
  if ((await tile.count()) > 0) {
    await page.locator('label').filter({ has: tile }).click();
    await expect(tile).toBeChecked();
    return;
  }
  await opener.click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: method, exact: true }).click();
  await expect(sheet).toBeHidden();
}

/** Checks that the order is shown as fulfilled, charged once, granted once and booked correctly. */
export async function expectPaidOnce(
  page: Page,
  shop: Shop,
  expected: { charge: { amount: number; currency: string }; sku: string },
): Promise<void> {
  await page.waitForURL(/\/main\/recharge\/detail\//);
  await expectStatus(page, 'Fulfilled');
  const paymentId = new URL(page.url()).pathname.split('/').pop() ?? '';
  expect(await shop.charges(paymentId)).toEqual([expected.charge]);
  expect(await shop.grants(paymentId)).toEqual([{ sku: expected.sku, quantity: 330 }]);
  const broken = (await checkBooks(shop.addresses)).flatMap(({ violations }) => violations);
  expect(broken).toEqual([]);
}

/** Waits until the order page shows this status. */
export async function expectStatus(page: Page, status: string): Promise<void> {
  await expect(page.getByRole('status').first()).toContainText(status);
}
