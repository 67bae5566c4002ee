import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { choosePack, type Shop } from './shop.ts';

// What players of several journeys do.

/** The first player, with a role, on the top-up page. */
export async function arrive(page: Page, shop: Shop): Promise<void> {
  await page.goto(shop.portal('/main/recharge'));
  await shop.signIn(page);
  await page.waitForURL(shop.portal('/main/recharge'));
  await shop.chooseCharacter(page);
}

/** Chooses the points as the way to pay, and says yes to the last question. */
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

/** The order's page comes to say this. */
export async function shown(page: Page, status: string): Promise<void> {
  await expect(page.getByRole('status').first()).toContainText(status, { timeout: 45_000 });
}

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
