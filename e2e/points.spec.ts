import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { checkBooks } from '../tools/books/check-books.ts';
import { expectStatus, openWithTicket, payWithPoints } from './buying.ts';
import { type Shop, test } from './shop.ts';

const points = /^1,000 E Points/;
const pack = /^300 Shards/;

test('[S1.02] [S1.03] a player buys E Points by card, pays for a pack with them, and gets them back when the game declines the pack', async ({
  page,
  shop,
}) => {
  await openWithTicket(page, shop);
  // The balance before, because earlier purchases may have earned a rebate.
  const before = await balanceOf(page);
  const entriesBefore = await entriesOf(page, shop);
  await page.getByRole('tab', { name: 'E Points' }).click();
  await shop.payFor(page, points);
  const topUp = await shop.approve(page);
  await expectStatus(page, 'Fulfilled');
  expect(await shop.charges(topUp)).toEqual([{ amount: 999, currency: 'usd' }]);
  await hasBalance(page, before + 1_080);

  await page.goto(shop.portal('/main/recharge'));
  const bought = await payWithPoints(page, pack);
  await expectStatus(page, 'Fulfilled');
  expect(await shop.grants(bought)).toEqual([{ sku: 'lumen_shard', quantity: 330 }]);
  expect(await shop.charges(bought)).toEqual([]);
  await hasBalance(page, before + 580);

  await shop.game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'decline',
    times: 1,
    reason: 'limit_reached',
  });
  await page.goto(shop.portal('/main/recharge'));
  const declined = await payWithPoints(page, pack);
  await expectStatus(page, 'Refunded');
  expect(await shop.grants(declined)).toEqual([]);
  await hasBalance(page, before + 580);

  const [ledger] = await Promise.all([
    page.waitForEvent('download'),
    page.goto(shop.portal('/api/epoint/ledger.txt')).catch(() => undefined), // it is a download
  ]);
  expect(await readFile(await ledger.path(), 'utf8')).toContain(`entries ${entriesBefore + 4}`);
  const broken = (await checkBooks(shop.addresses)).flatMap(({ violations }) => violations);
  expect(broken).toEqual([]);
});

test('a paid order has a printable receipt', async ({ page, shop }) => {
  await openWithTicket(page, shop);
  await shop.payFor(page, pack);
  const paymentId = await shop.approve(page);
  await expectStatus(page, 'Fulfilled');
  await page.getByRole('link', { name: 'Receipt' }).click();
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(paymentId);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('main')).toContainText('$4.99');
});

const balance = /^E Point balance: ([\d,]+)$/;

async function balanceOf(page: Page): Promise<number> {
  const name = await page.getByRole('link', { name: balance }).getAttribute('aria-label');
  return Number(balance.exec(name ?? '')?.[1]?.replaceAll(',', ''));
}

async function hasBalance(page: Page, points: number): Promise<void> {
  const name = `E Point balance: ${points.toLocaleString('en-US')}`;
  await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
}

/** The number of entries in the player's ledger. */
async function entriesOf(page: Page, shop: Shop): Promise<number> {
  const ledger = await page.request.get(shop.portal('/api/epoint/ledger.txt'));
  return Number(/^entries (\d+)$/m.exec(await ledger.text())?.[1]);
}
