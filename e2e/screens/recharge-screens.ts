import { expect } from '@playwright/test';
import { choosePack } from '../shop.ts';
import { buy } from './orders.ts';
import { open, type Stage, says, screensOf } from './screen.ts';

const recharge = '/main/recharge';

async function openShop(stage: Stage, path = recharge): Promise<void> {
  await open(stage, path);
  await expect(stage.page.getByRole('radio').first()).toBeAttached();
  await stage.quiet();
}

async function openRoles(stage: Stage): Promise<void> {
  await openShop(stage);
  const { page } = stage;
  await page.getByRole('button', { name: /Deliver to|Choose server and role/ }).click();
  await expect(page.getByRole('dialog').getByRole('button').nth(1)).toBeVisible();
  await stage.quiet();
}

async function chooseMethod({ page }: Stage, name: string): Promise<void> {
  const radio = page.getByRole('radio', { name });
  await page.locator('label').filter({ has: radio }).click();
}

export const rechargeScreens = [
  ...screensOf('Top-up', 'aveline', {
    'game packs': (stage) => openShop(stage),
    'a pack is chosen': async (stage) => {
      await openShop(stage);
      await choosePack(stage.page, /^980/);
      await stage.quiet();
    },
    'E Points': (stage) => openShop(stage, `${recharge}?to=epoint`),
    'no role chosen': {
      viewer: 'kaito',
      arrange: (stage) => openShop(stage),
    },
    'no role chosen, and Pay was pressed': {
      viewer: 'kaito',
      arrange: async (stage) => {
        await openShop(stage);
        await choosePack(stage.page, /^300 Shards/);
        await stage.quiet();
      },
    },
    'too few E Points': {
      viewer: 'kaito',
      arrange: async (stage) => {
        await openShop(stage);
        await choosePack(stage.page, /^300 Shards/);
        await chooseMethod(stage, 'E Points');
        await stage.quiet();
      },
    },
    'limit reached': async (stage) => {
      await stage.once('limited pack', () => buy(stage, /Starter/));
      await openShop(stage);
    },
    loading: async (stage) => {
      await stage.hold(/\/api\/(recharge|character)\//);
      await open(stage, recharge);
    },
    'packs did not come': async (stage) => {
      await stage.cut(/\/api\/recharge\//);
      await open(stage, recharge);
      await says(stage, 'Failed to get the item list');
    },
  }),
  ...screensOf('Server and role', 'aveline', {
    roles: openRoles,
    servers: async (stage) => {
      await openRoles(stage);
      const back = stage.page.getByRole('dialog').getByRole('button', { name: /Change server/ });
      if (await back.isVisible()) await back.click();
      await stage.quiet();
    },
  }),
];
