import { expect } from '@playwright/test';
import { characterOpener, choosePack } from '../shop.ts';
import { mobileSafari } from '../windows.ts';
import { onEach, open, screensOf, type TestPage, waitForText } from './screen.ts';

const recharge = '/main/recharge';

async function openShop(testPage: TestPage, path = recharge): Promise<void> {
  await open(testPage, path);
  await expect(testPage.page.getByRole('radio').first()).toBeAttached();
  await testPage.untilIdle();
}

async function openRoles(testPage: TestPage): Promise<void> {
  await openShop(testPage);
  const { page } = testPage;
  await characterOpener(page).click();
  await expect(page.getByRole('dialog').getByRole('button').nth(1)).toBeVisible();
  await testPage.untilIdle();
}

async function openServers(testPage: TestPage): Promise<void> {
  await openRoles(testPage);
  const back = testPage.page.getByRole('dialog').getByRole('button', { name: /Change server/ });
  if (await back.isVisible()) await back.click();
  await testPage.untilIdle();
}

/**
 * The methods are in the panel beside the packs in the wide layout, in a sheet in the narrow one.
 */
async function chooseMethod({ page }: TestPage, name: string): Promise<void> {
  const chosen = page.getByRole('button', { name: /Payment method$/ });
  if (await chosen.isVisible()) {
    await chosen.click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
    return;
  }
  const radio = page.getByRole('radio', { name });
  await page.locator('label').filter({ has: radio }).click();
}

async function pressPay({ page }: TestPage): Promise<void> {
  await page.getByRole('button', { name: /^Pay (now|\$|\d)/ }).click();
}

/** Chooses a pack whose order the shop then refuses. */
async function payInVain(
  testPage: TestPage,
  code: Parameters<TestPage['refuse']>[1],
  data?: object,
) {
  await testPage.refuse(/\/api\/payment\/order\/create$/, code, data);
  await openShop(testPage);
  await choosePack(testPage.page, /^300 Shards/);
  await pressPay(testPage);
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
    'limit reached': async (testPage) => {
      await testPage.orders();
      await openShop(testPage);
      await expect(testPage.page.getByText('Already bought').first()).toBeVisible();
    },
    'no role chosen': {
      viewer: 'kaito',
      arrange: async (testPage) => {
        await openShop(testPage);
        await waitForText(testPage, 'Please select server and role information first');
      },
    },
    'a server but no role': {
      viewer: 'kaito',
      arrange: async (testPage) => {
        await openServers(testPage);
        await testPage.page.getByRole('button', { name: /Emberwick/ }).click();
        await waitForText(testPage, 'The server has no role information');
        await testPage.page.keyboard.press('Escape');
        await waitForText(testPage, 'Please select role information');
      },
    },
    'a pack is chosen': async (testPage) => {
      await openShop(testPage);
      await choosePack(testPage.page, /^980/);
    },
    'E Points': (testPage) => openShop(testPage, `${recharge}?to=epoint`),
    'too few E Points': {
      viewer: 'kaito',
      arrange: async (testPage) => {
        await openShop(testPage);
        await choosePack(testPage.page, /^300 Shards/);
        await chooseMethod(testPage, 'E Points');
        await waitForText(testPage, 'The E-point balance is insufficient');
      },
    },
    'the server is under maintenance': async (testPage) => {
      await testPage.modifyReplies(/\/api\/character\/game\/info/, closeServer);
      await openShop(testPage);
      await waitForText(testPage, 'The server is under maintenance');
    },
    'the price has changed': async (testPage) => {
      await payInVain(testPage, 'PriceChanged', otherOffer);
      await expect(testPage.page.getByRole('dialog')).toBeVisible();
    },
    'the limit was reached elsewhere': async (testPage) => {
      const resetAt = new Date(Date.now() + 5 * 3_600_000).toISOString();
      await payInVain(testPage, 'PurchaseLimitReached', { resetAt });
      await waitForText(testPage, 'This item cannot be bought more often for now');
    },
    'a way to pay is down': async (testPage) => {
      await payInVain(testPage, 'MethodUnavailable');
      await waitForText(testPage, 'This payment method is not available right now');
    },
    'paying could not begin': async (testPage) => {
      await payInVain(testPage, 'PaymentInitiationFailed');
      await waitForText(testPage, 'Payment initiation failed');
    },
    'nothing for iOS': {
      userAgent: mobileSafari.use.userAgent,
      arrange: async (testPage) => {
        await testPage.modifyReplies(/\/api\/recharge\/v2\/items/, (data) => ({
          ...data,
          groups: [],
        }));
        await open(testPage, recharge);
        await waitForText(testPage, 'Not Available in iOS');
      },
    },
    loading: async (testPage) => {
      await testPage.hold(/\/api\/(recharge|character)\//);
      await open(testPage, recharge);
    },
    'packs did not come': async (testPage) => {
      await testPage.cut(/\/api\/recharge\//);
      await open(testPage, recharge);
      await waitForText(testPage, 'Failed to get the item list');
    },
  }),
  // The panel and the bar each have their own dialog, which closes when the layout changes.
  ...onEach(
    screensOf('Checkout', 'aveline', {
      coupons: async (testPage) => {
        await openShop(testPage);
        await choosePack(testPage.page, /^980/);
        await testPage.page.getByRole('button', { name: /^Coupon/ }).click();
        await expect(testPage.page.getByRole('dialog')).toBeVisible();
      },
      'paying with E Points': async (testPage) => {
        await testPage.orders();
        await openShop(testPage);
        await choosePack(testPage.page, /^300 Shards/);
        await chooseMethod(testPage, 'E Points');
        await pressPay(testPage);
        await expect(testPage.page.getByRole('dialog')).toBeVisible();
      },
    }),
  ),
  ...screensOf('Checkout', 'aveline', {
    'ways to pay': {
      only: 'narrow',
      arrange: async (testPage) => {
        await openShop(testPage);
        await testPage.page.getByRole('button', { name: /Payment method$/ }).click();
        await expect(testPage.page.getByRole('dialog')).toBeVisible();
      },
    },
  }),
  ...screensOf('Server and role', 'aveline', {
    roles: openRoles,
    servers: openServers,
    'a server without roles': async (testPage) => {
      await openServers(testPage);
      await testPage.page.getByRole('button', { name: /Emberwick/ }).click();
      await waitForText(testPage, 'The server has no role information');
    },
    'servers did not come': async (testPage) => {
      await testPage.cut(/\/api\/character\/server\/list/);
      await openServers(testPage);
      await waitForText(testPage, 'Failed to get the server list');
    },
  }),
];

function closeServer(data: object): object {
  const { character } = data as { character: { server: object } };
  return { ...data, character: { ...character, server: { ...character.server, status: 1 } } };
}
