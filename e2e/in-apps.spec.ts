import { expect, type Page } from '@playwright/test';
import { expectStatus, signInAndChooseRole } from './buying.ts';
import { arriveInWechat, packInYuan, payInWechat, signInInWechat } from './in-yuan.ts';
import { type Shop, test } from './shop.ts';
import {
  androidGame,
  androidTabletGame,
  desktop,
  iosGame,
  ipadGame,
  narrowDesktop,
  wechatApp,
  wechatDesktop,
} from './windows.ts';

/** How a player arrives at the shop and pays in a kind of window. */
interface Customs {
  arriveIn(page: Page, shop: Shop): Promise<void>;
  /** Pays a pack and answers the payment id. */
  pay(page: Page, shop: Shop): Promise<string>;
  bought: { charge: { amount: number; currency: string }; sku: string };
  isApp: boolean;
  /** The number of popups that are not the shop's: WeChat's payment sheet. */
  sheets: number;
}

const atHome: Customs = {
  arriveIn: signInAndChooseRole,
  pay: payByCard,
  bought: { charge: { amount: 499, currency: 'usd' }, sku: 'lumen_shard' },
  isApp: false,
  sheets: 0,
};
const inGame: Customs = { ...atHome, arriveIn: arriveFromGame, isApp: true };
// Inside WeChat only WeChat Pay works.
const inWechat: Customs = {
  arriveIn: arriveInWechat,
  pay: (page) => payInWechat(page),
  bought: packInYuan,
  isApp: true,
  sheets: 1,
};

// Each kind of browser in two widths, with the way its players arrive.
const windows = [
  { window: desktop, ...atHome },
  { window: narrowDesktop, ...atHome },
  { window: androidGame, ...inGame },
  { window: androidTabletGame, ...inGame },
  { window: iosGame, ...inGame },
  { window: ipadGame, ...inGame },
  { window: wechatApp, ...inWechat },
  { window: wechatDesktop, ...inWechat },
];

for (const { window, arriveIn, pay, bought, isApp, sheets } of windows) {
  test.describe(`a player buys a pack ${window.name}`, () => {
    test.use({ ...window.use, locale: 'en-US' });

    test(`[S1.06] a player buys a pack ${window.name}, from arrival to delivery, without a second window of the shop`, async ({
      page,
      shop,
    }) => {
      const opened: string[] = [];
      page.context().on('page', (other) => opened.push(other.url()));
      await arriveIn(page, shop);
      const paymentId = await pay(page, shop);
      await expectStatus(page, 'Fulfilled');
      expect(await shop.charges(paymentId)).toEqual([bought.charge]);
      expect(await shop.grants(paymentId)).toEqual([{ sku: bought.sku, quantity: 330 }]);

      // Apps have one window, so customer service opens in it instead of a new one.
      if (isApp) {
        await page.getByRole('button', { name: 'Report a problem' }).click();
        await expect(page.getByRole('heading', { name: 'Customer service' })).toBeVisible();
        await expect(page.getByText(paymentId)).toBeVisible();
      }
      expect(opened).toHaveLength(sheets);
    });
  });
}

test.describe('a player sees yuan prices at a site with dollar prices', () => {
  test.use({ ...wechatApp.use, locale: 'en-US' });

  test(`a site with dollar prices shows and charges yuan prices ${wechatApp.name}`, async ({
    page,
    shop,
  }) => {
    await signInInWechat(page, shop, shop.portal('/main/recharge'));
    await shop.chooseCharacter(page);
    await expect(page.getByRole('radio', { name: /^300 Shards.*CN¥30\.00/ })).toBeAttached();
    const paymentId = await payInWechat(page, /^300 Shards/);
    await expectStatus(page, 'Fulfilled');
    expect(await shop.charges(paymentId)).toEqual([packInYuan.charge]);
  });
});

/** Arrives with a ticket of the game on the top-up page. */
async function arriveFromGame(page: Page, shop: Shop): Promise<void> {
  const ticket = await shop.ticketOf('ga_aveline');
  await page.goto(shop.portal(`/main/recharge?ticket=${ticket}&from=game`));
  await shop.chooseCharacter(page);
}

async function payByCard(page: Page, shop: Shop): Promise<string> {
  await shop.payFor(page, /^300 Shards/);
  return await shop.approve(page);
}
