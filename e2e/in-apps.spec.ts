import { expect, type Page } from '@playwright/test';
import { shown, signInAndArrive } from './buying.ts';
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

/** How a player comes to the shop, and pays. */
interface Customs {
  arriveIn(page: Page, shop: Shop): Promise<void>;
  /** Answers the order. */
  pay(page: Page, shop: Shop): Promise<string>;
  bought: { charge: { amount: number; currency: string }; sku: string };
  isApp: boolean;
  /** Windows that are not the shop's: the sheet that WeChat itself lays over it. */
  sheets: number;
}

const atHome: Customs = {
  arriveIn: signInAndArrive,
  pay: payByCard,
  bought: { charge: { amount: 499, currency: 'usd' }, sku: 'lumen_shard' },
  isApp: false,
  sheets: 0,
};
const inGame: Customs = { ...atHome, arriveIn: arriveFromGame, isApp: true };
// Nothing but its own payment works inside WeChat.
const inWechat: Customs = {
  ...{ arriveIn: arriveInWechat, pay: (page) => payInWechat(page), bought: packInYuan },
  ...{ isApp: true, sheets: 1 },
};

// Each app in the two widths that it has, each as its players come to the shop.
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
  test.describe(window.name, () => {
    test.use({ ...window.use, locale: 'en-US' });

    test(`[S1.06] a pack is bought ${window.name}, from arrival to delivery, in one window`, async ({
      page,
      shop,
    }) => {
      const opened: string[] = [];
      page.context().on('page', (other) => opened.push(other.url()));
      await arriveIn(page, shop);
      const paymentId = await pay(page, shop);
      await shown(page, 'Fulfilled');
      expect(await shop.charges(paymentId)).toEqual([bought.charge]);
      expect(await shop.grants(paymentId)).toEqual([{ sku: bought.sku, quantity: 330 }]);

      // Apps have one window, so what opens beside the shop elsewhere takes its place here.
      if (isApp) {
        await page.getByRole('button', { name: 'Report a problem' }).click();
        await expect(page.getByRole('heading', { name: 'Customer service' })).toBeVisible();
        await expect(page.getByText(paymentId)).toBeVisible();
      }
      expect(opened).toHaveLength(sheets);
    });
  });
}

test.describe('at a site that is at home in dollars', () => {
  test.use({ ...wechatApp.use, locale: 'en-US' });

  test(`players ${wechatApp.name} find prices in yuan, the only ones that can be paid there, and pay`, async ({
    page,
    shop,
  }) => {
    await signInInWechat(page, shop, shop.portal('/main/recharge'));
    await shop.chooseCharacter(page);
    await expect(page.getByRole('radio', { name: /^300 Shards.*CN¥30\.00/ })).toBeAttached();
    const paymentId = await payInWechat(page, /^300 Shards/);
    await shown(page, 'Fulfilled');
    expect(await shop.charges(paymentId)).toEqual([packInYuan.charge]);
  });
});

/** The game has signed its player in, and opens the shop at the packs. */
async function arriveFromGame(page: Page, shop: Shop): Promise<void> {
  const ticket = await shop.ticketOf('ga_aveline');
  await page.goto(shop.portal(`/main/recharge?ticket=${ticket}&from=game`));
  await shop.chooseCharacter(page);
}

async function payByCard(page: Page, shop: Shop): Promise<string> {
  await shop.payFor(page, /^300 Shards/);
  return await shop.approve(page);
}
