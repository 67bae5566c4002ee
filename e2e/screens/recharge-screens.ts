import { expect } from '@playwright/test';
import { characterOpener, choosePack } from '../shop.ts';
import { mobileSafari } from '../windows.ts';
import { onEach, open, type Stage, says, screensOf } from './screen.ts';

const recharge = '/main/recharge';

async function openShop(stage: Stage, path = recharge): Promise<void> {
  await open(stage, path);
  await expect(stage.page.getByRole('radio').first()).toBeAttached();
  await stage.quiet();
}

async function openRoles(stage: Stage): Promise<void> {
  await openShop(stage);
  const { page } = stage;
  await characterOpener(page).click();
  await expect(page.getByRole('dialog').getByRole('button').nth(1)).toBeVisible();
  await stage.quiet();
}

async function openServers(stage: Stage): Promise<void> {
  await openRoles(stage);
  const back = stage.page.getByRole('dialog').getByRole('button', { name: /Change server/ });
  if (await back.isVisible()) await back.click();
  await stage.quiet();
}

/**
 * The methods are in the panel beside the packs in the wide layout, in a sheet in the narrow one.
 */
async function chooseMethod({ page }: Stage, name: string): Promise<void> {
  const chosen = page.getByRole('button', { name: /Payment method$/ });
  if (await chosen.isVisible()) {
    await chosen.click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
    return;
  }
  const radio = page.getByRole('radio', { name });
  await page.locator('label').filter({ has: radio }).click();
}

async function pressPay({ page }: Stage): Promise<void> {
  await page.getByRole('button', { name: /^Pay (now|\$|\d)/ }).click();
}

/** Chooses a pack whose order the shop then refuses. */
async function payInVain(stage: Stage, code: Parameters<Stage['refuse']>[1], data?: object) {
  await stage.refuse(/\/api\/payment\/order\/create$/, code, data);
  await openShop(stage);
  await choosePack(stage.page, /^300 Shards/);
  await pressPay(stage);
}

const otherOffer = {
  quoteId: '019a0000-0000-7000-8000-000000000000',
  itemId: 'shards_300',
  quantity: '300',
  giftQuantity: '0',
  price: { amountMinor: '549', currency: 'USD' },
  pricePoints: '550',
};

export const rechargeScreens = [
  ...screensOf('Top-up', 'aveline', {
    'limit reached': async (stage) => {
      await stage.orders();
      await openShop(stage);
      await expect(stage.page.getByText('Already bought').first()).toBeVisible();
    },
    'no role chosen': {
      viewer: 'kaito',
      arrange: async (stage) => {
        await openShop(stage);
        await says(stage, 'Please select server and role information first');
      },
    },
    'a server but no role': {
      viewer: 'kaito',
      arrange: async (stage) => {
        await openServers(stage);
        await stage.page.getByRole('button', { name: /Emberwick/ }).click();
        await says(stage, 'The server has no role information');
        await stage.page.keyboard.press('Escape');
        await says(stage, 'Please select role information');
      },
    },
    'a pack is chosen': async (stage) => {
      await openShop(stage);
      await choosePack(stage.page, /^980/);
    },
    'E Points': (stage) => openShop(stage, `${recharge}?to=epoint`),
    'too few E Points': {
      viewer: 'kaito',
      arrange: async (stage) => {
        await openShop(stage);
        await choosePack(stage.page, /^300 Shards/);
        await chooseMethod(stage, 'E Points');
        await says(stage, 'The E-point balance is insufficient');
      },
    },
    'the server is under maintenance': async (stage) => {
      await stage.retell(/\/api\/character\/game\/info/, closeServer);
      await openShop(stage);
      await says(stage, 'The server is under maintenance');
    },
    'the price has changed': async (stage) => {
      await payInVain(stage, 'PriceChanged', otherOffer);
      await expect(stage.page.getByRole('dialog')).toBeVisible();
    },
    'the limit was reached elsewhere': async (stage) => {
      const resetAt = new Date(Date.now() + 5 * 3_600_000).toISOString();
      await payInVain(stage, 'PurchaseLimitReached', { resetAt });
      await says(stage, 'This item cannot be bought more often for now');
    },
    'a way to pay is down': async (stage) => {
      await payInVain(stage, 'MethodUnavailable');
      await says(stage, 'This payment method is not available right now');
    },
    'paying could not begin': async (stage) => {
      await payInVain(stage, 'PaymentInitiationFailed');
      await says(stage, 'Payment initiation failed');
    },
    'nothing for iOS': {
      userAgent: mobileSafari.use.userAgent,
      arrange: async (stage) => {
        await stage.retell(/\/api\/recharge\/v2\/items/, (data) => ({ ...data, groups: [] }));
        await open(stage, recharge);
        await says(stage, 'Not Available in iOS');
      },
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
  // The panel and the bar each have their own dialog, which closes when the layout changes.
  ...onEach(
    screensOf('Checkout', 'aveline', {
      coupons: async (stage) => {
        await openShop(stage);
        await choosePack(stage.page, /^980/);
        await stage.page.getByRole('button', { name: /^Coupon/ }).click();
        await expect(stage.page.getByRole('dialog')).toBeVisible();
      },
      'paying with E Points': async (stage) => {
        await stage.orders();
        await openShop(stage);
        await choosePack(stage.page, /^300 Shards/);
        await chooseMethod(stage, 'E Points');
        await pressPay(stage);
        await expect(stage.page.getByRole('dialog')).toBeVisible();
      },
    }),
  ),
  ...screensOf('Checkout', 'aveline', {
    'ways to pay': {
      only: 'narrow',
      arrange: async (stage) => {
        await openShop(stage);
        await stage.page.getByRole('button', { name: /Payment method$/ }).click();
        await expect(stage.page.getByRole('dialog')).toBeVisible();
      },
    },
  }),
  ...screensOf('Server and role', 'aveline', {
    roles: openRoles,
    servers: openServers,
    'a server without roles': async (stage) => {
      await openServers(stage);
      await stage.page.getByRole('button', { name: /Emberwick/ }).click();
      await says(stage, 'The server has no role information');
    },
    'servers did not come': async (stage) => {
      await stage.cut(/\/api\/character\/server\/list/);
      await openServers(stage);
      await says(stage, 'Failed to get the server list');
    },
  }),
];

function closeServer(data: object): object {
  const { character } = data as { character: { server: object } };
  return { ...data, character: { ...character, server: { ...character.server, status: 1 } } };
}
