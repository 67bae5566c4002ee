import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './barriers.ts';
import { expectStatus, openWithTicket, payWithPoints } from './buying.ts';
import { test } from './shop.ts';

const run = promisify(execFile);
const points = /^1,000 E Points/;
const pack = /^300 Shards/;

test('[S2.13] [S2.14] purchases appear in the recharge and E Point records, and the downloaded ledger passes the ledger checker', async ({
  page,
  shop,
}) => {
  await openWithTicket(page, shop);
  await page.getByRole('tab', { name: 'E Points' }).click();
  await shop.payFor(page, points);
  const topUp = await shop.approve(page);
  await expectStatus(page, 'Fulfilled');
  await page.goto(shop.portal('/main/recharge'));
  const bought = await payWithPoints(page, pack);
  await expectStatus(page, 'Fulfilled');

  await page.goto(shop.portal('/main/account/recharge'));
  const cards = page.getByRole('list', { name: 'Orders' }).getByRole('listitem');
  const [packCard, pointsCard] = [cards.nth(0), cards.nth(1)];
  for (const words of [bought, '300 Shards', 'Fulfilled', '500 E Points', 'Aveline']) {
    await expect(packCard).toContainText(words);
  }
  for (const words of [topUp, '1,000 E Points', 'Fulfilled', '$9.99', 'Visa card']) {
    await expect(pointsCard).toContainText(words);
  }

  await page.getByRole('combobox', { name: 'Kind' }).selectOption('E Points');
  await expect(page).toHaveURL(/kind=points/);
  await expect(cards.first()).toContainText(topUp);
  await page.getByRole('combobox', { name: 'Time' }).selectOption('Last 7 days');
  await page.getByRole('button', { name: 'Fulfilled' }).click();
  await expect(page).toHaveURL(/kind=points&time=7d&status=Fulfilled$/);
  await expect(cards.first()).toContainText(topUp);
  await page.getByRole('button', { name: 'Payment failed' }).click();
  await expect(page.getByText('No orders match these filters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(cards.first()).toContainText(bought);
  await cards.first().getByRole('link').first().click();
  await expect(page).toHaveURL(shop.portal(`/main/recharge/detail/${bought}`));

  await page.goto(shop.portal('/main/account/epoint'));
  const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  const spend = changes.filter({ hasText: 'Purchase' }).first();
  await expect(spend).toContainText('300 Lumen Shards');
  await expect(spend).toContainText('-500');
  const income = changes.filter({ hasText: 'Top-up' }).first();
  await expect(income).toContainText('+1,080');
  await expect(income).toContainText('+1,000 bought');
  await expect(income).toContainText('+80 bonus');
  await expect(spend.getByRole('link')).toHaveAttribute('href', new RegExp(`${bought}$`));
  await page.getByRole('button', { name: 'Income' }).click();
  await expect(changes.filter({ hasText: 'Purchase' })).toHaveCount(0);
  await expect(changes.filter({ hasText: 'Top-up' }).first()).toContainText('+1,080');
  // Bonus points are spent first, so the remaining ones were bought.
  await expect(page.getByText(/bought E Points never expire/)).toBeVisible();
  await checkLedger(page);
});

for (const { name, viewport } of [
  { name: 'a phone', viewport: { width: 390, height: 844 } },
  { name: 'a desktop', viewport: { width: 1440, height: 900 } },
]) {
  test.describe(`a player reads the recharge and E Point records on ${name}`, () => {
    test.use({ viewport });

    test('the recharge and E Point records are accessible, fit the window and link to each other', async ({
      page,
      shop,
    }) => {
      await page.goto(shop.portal('/main/account/recharge'));
      await shop.signIn(page);
      const pages = page.getByRole('navigation', { name: 'Your account' });
      for (const title of ['Recharge record', 'E Point record']) {
        await pages.getByRole('link', { name: title }).click();
        await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
        await page.waitForLoadState('networkidle');
        await expect(page.locator('.skeleton')).toHaveCount(0);
        await expectAccessible(page);
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - window.innerWidth',
        );
        expect(overflow).toBeLessThanOrEqual(0);
      }
    });
  });
}

/** Downloads the ledger and its checker; the checker accepts it and rejects a forged copy. */
async function checkLedger(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  const download = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name }).click(),
    ]);
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
  };
  const ledger = await download('Download ledger');
  const checker = await download('Download checker');
  expect([ledger, checker]).toEqual([
    join(folder, 'epoint-ledger.txt'),
    join(folder, 'verify-ledger.mjs'),
  ]);
  const { stdout } = await run(process.execPath, [checker, ledger]);
  expect(stdout).toContain('entries');

  const text = await readFile(ledger, 'utf8');
  const forged = join(folder, 'forged.txt');
  await writeFile(forged, text.replace('|top_up|', '|gift|'));
  await expect(run(process.execPath, [checker, forged])).rejects.toThrow('Entry');
  await rm(folder, { recursive: true });
}
