import type { Page } from '@playwright/test';
import { chooseMethod } from './buying.ts';
import { chooseCharacter, choosePack, type Shop } from './shop.ts';

// Steps at the demo's site with prices in yuan.

/** The pack bought at that site. */
export const packInYuan = { charge: { amount: 3000, currency: 'cny' }, sku: 'jade_seal' };

/** The role of the demo's first player in the game of that site. */
export const ladyAveline = { server: /Vermilion Gate/, role: /Lady Aveline/ };

function siteInYuan(shop: Shop): string {
  const url = new URL(shop.portal('/main/recharge'));
  url.hostname = 'lantern-court.localhost';
  return url.href;
}

export async function arriveInYuan(page: Page, shop: Shop): Promise<void> {
  await page.goto(siteInYuan(shop));
  await shop.signIn(page);
  await page.waitForURL(siteInYuan(shop));
  await chooseCharacter(page, ladyAveline);
}

export async function payInYuan(page: Page, method: string, pack = /^300 Seals/): Promise<void> {
  await choosePack(page, pack);
  await chooseMethod(page, method);
  await page.getByRole('button', { name: /^Pay( now| .*30\.00)$/ }).click();
}

/** After sign-in the portal redirects to WeChat once, to get the open id of the payer. */
export async function arriveInWechat(page: Page, shop: Shop): Promise<void> {
  await signInInWechat(page, shop, siteInYuan(shop));
  await chooseCharacter(page, ladyAveline);
}

/** Signs in at a site inside the WeChat app, without choosing a role. */
export async function signInInWechat(page: Page, shop: Shop, site: string): Promise<void> {
  const { identity, wechatpay } = shop.addresses.sandbox;
  const bridge = await fetch(`${wechatpay}/__sandbox/weixin-bridge.js`);
  await page.addInitScript(await bridge.text());
  const openWeixin = 'https://open.weixin.qq.com';
  await page.route(`${openWeixin}/**`, async (route) => {
    const location = route.request().url().replace(openWeixin, `${identity}/wechat`);
    await route.fulfill({ status: 302, headers: { location } });
  });
  await page.goto(site);
  await shop.signIn(page);
  await page.waitForURL(`${identity}/**`);
  await page.getByRole('button', { name: 'Mira Holm' }).click();
  await page.waitForURL(site);
}

/** Pays on WeChat's payment sheet, which opens as a popup, and answers the payment id. */
export async function payInWechat(page: Page, pack?: RegExp): Promise<string> {
  const sheet = page.waitForEvent('popup');
  await payInYuan(page, 'WeChat Pay', pack);
  await (await sheet).getByRole('button', { name: 'Pay ¥30.00' }).click();
  await page.waitForURL(/\/main\/recharge\/detail\//);
  return new URL(page.url()).pathname.split('/').pop() ?? '';
}
