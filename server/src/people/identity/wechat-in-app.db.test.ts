import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, send } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { openBrowser } from './test/browser.ts';
import {
  beSomebody,
  givenLinked,
  handIn,
  type IdentityWorld,
  leave,
  lonelyAppId,
  officialAppId,
  openIdentityWorld,
  signInAt,
  websiteAppId,
} from './test/identity-world.ts';

const method = 'WECHAT_AUTH';
let world: IdentityWorld;
let mira: string;
beforeAll(async () => {
  world = await openIdentityWorld();
  const subject = world.person('mira').unionId ?? '';
  mira = await givenLinked(world, { accountType: 'WECHAT', subject });
});
afterAll(() => world.stop());

describe('inside the WeChat app', () => {
  test('[S3.11] the official account asks on the page of the app, and whom it vouches for is signed in', async () => {
    const browser = openBrowser();
    const redirect = '/main/recharge?a=1';
    const { url, state } = await leave(world, browser, { method, redirect, inWechat: true });
    const back = `${world.shop.url}${redirect}`;
    expect(new URL(url).pathname).toBe('/wechat/connect/oauth2/authorize');
    expect([...new URL(url).searchParams]).toEqual([
      ['appid', officialAppId],
      ['redirect_uri', back],
      ['response_type', 'code'],
      ['scope', 'snsapi_userinfo'],
      ['state', state],
    ]);
    expect(new URL(url).hash).toBe('#wechat_redirect');

    const { url: returned } = await beSomebody(world, browser, { url, person: 'mira' });
    expect(returned.href.startsWith(`${back}&code=`)).toBe(true);
    const code = returned.searchParams.get('code') ?? '';
    const reply = await handIn(world, browser, { method, code, state });
    expect(reply.data).toMatchObject({ login: true, accountId: mira, accountType: 'WECHAT' });
    expect(reply.cookie).toMatch(/^sid=/);
  });

  test('whoever has scanned a code before is the same player', async () => {
    const scanned = await signInAt(world, { method, person: 'mira' });
    const inApp = await signInAt(world, { method, person: 'mira', inWechat: true });
    expect(scanned.data).toMatchObject({ accountId: mira });
    expect(inApp.data).toMatchObject({ accountId: mira });
  });

  test('somebody whom the shop does not know is told so', async () => {
    const reply = await signInAt(world, { method, person: 'stranger', inWechat: true });
    expect(reply).toMatchObject({ code: 'WechatAccountNotFound', cookie: undefined });
  });

  test('somebody without a union id is known to the application that linked them, and to no other', async () => {
    const { openIds } = world.person('lin');
    const link = (appId: string) =>
      givenLinked(world, { accountType: 'WECHAT', subject: openIds[appId] ?? '' });
    await link(websiteAppId);
    const before = await signInAt(world, { method, person: 'lin', inWechat: true });
    expect(before).toMatchObject({ code: 'WechatAccountNotFound', cookie: undefined });
    const accountId = await link(officialAppId);
    const after = await signInAt(world, { method, person: 'lin', inWechat: true });
    expect(after.data).toMatchObject({ accountId });
  });

  test('neither the same return nor its code works a second time', async () => {
    const browser = openBrowser();
    const first = await signInAt(world, { method, person: 'mira', browser, inWechat: true });
    expect(first.isSuccess).toBe(true);
    const code = first.returnedCode;
    const replayed = await handIn(world, browser, { method, code, state: first.state });
    expect(replayed).toMatchObject({ code: 'AuthFail', cookie: undefined });
    const { state } = await leave(world, browser, { method, inWechat: true });
    const withOwnState = await handIn(world, browser, { method, code, state });
    expect(withOwnState).toMatchObject({ code: 'AuthFail', cookie: undefined });
  });
});

test('a player in a browser still scans the code of the website application', async () => {
  const browser = openBrowser();
  const { url } = await leave(world, browser, { method });
  expect(new URL(url).pathname).toBe('/wechat/connect/qrconnect');
  expect(new URL(url).searchParams.get('appid')).toBe(websiteAppId);
  expect(new URL(url).searchParams.get('scope')).toBe('snsapi_login');
  const reply = await signInAt(world, { method, person: 'mira', browser });
  expect(reply.data).toMatchObject({ accountId: mira });
});

test('a page that does not say where it is shown is in a browser', async () => {
  const reply = await start({});
  expect(reply.data).toMatchObject({ url: expect.stringContaining('/connect/qrconnect?') });
  expect(await start({ inWechat: 'yes' })).toMatchObject({ code: 'InvalidParams' });
});

// The state knows which application began; what the page says on the way back counts for nothing.
test.each([
  ['scanned', 'in the app', false],
  ['given in the app', 'by scanning', true],
])('a code that was %s is refused for a sign-in that began %s', async (_how, _other, inWechat) => {
  const browser = openBrowser();
  const { url, state } = await leave(world, browser, { method, inWechat });
  const other = await leave(world, browser, { method, inWechat: !inWechat });
  const back = await beSomebody(world, browser, { url, person: 'mira' });
  const code = back.url.searchParams.get('code') ?? '';
  const crossed = await handIn(world, browser, { method, code, state: other.state });
  expect(crossed).toMatchObject({ code: 'AuthFail', cookie: undefined });
  // The code is still good where it belongs.
  expect(await handIn(world, browser, { method, code, state })).toMatchObject({ code: null });
});

// The site changes from here on, and it takes the API a moment to see it.
test('a code of an official account that the site has left meanwhile is refused, and so is a scanned one', async () => {
  const browser = openBrowser();
  const codes = [];
  for (const inWechat of [true, false]) {
    const { url, state } = await leave(world, browser, { method, inWechat });
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    codes.push({ code: back.url.searchParams.get('code') ?? '', state });
  }
  await setAccount(lonelyAppId);
  const replies = [];
  for (const returned of codes) replies.push(await handIn(world, browser, { method, ...returned }));
  expect(replies).toMatchObject([
    { code: 'AuthFail', cookie: undefined },
    // There is no website application any more that the code could be of.
    { code: 'LoginMethodNotOffered', cookie: undefined },
  ]);
});

test('without a website application nobody can scan, and the app itself works', async () => {
  await setAccount(lonelyAppId);
  const reply = await start({ inWechat: false });
  expect(reply).toMatchObject({ code: 'LoginMethodNotOffered', cookie: undefined });
  const inApp = await signInAt(world, { method, person: 'mira', inWechat: true });
  expect(inApp.data).toMatchObject({ accountId: mira });
});

test.each([
  ['no official account', null],
  ['an official account that is not in the configuration', 'wx_unheard_of'],
  ['an official account that goes by the name of something every object has', 'constructor'],
])('with %s WeChat is not offered anywhere', async (_which, appId) => {
  await setAccount(appId);
  for (const inWechat of [true, false]) {
    const reply = await start({ inWechat });
    expect(reply).toMatchObject({ code: 'LoginMethodNotOffered', cookie: undefined });
  }
});

function start(more: object) {
  return send(world.shop, '/api/user/login/start', { body: { method, redirect: '/', ...more } });
}

/** Changes the site's official account, and waits until the API has seen it. */
async function setAccount(appId: string | null): Promise<void> {
  await world.shop.db.transaction((tx) => tx.run(sql`update sites set wechat_app_id = ${appId}`));
  const expected = `"wechatAppId":${JSON.stringify(appId)}`;
  await eventually(async () =>
    (await (await fetch(`${world.shop.url}/config.json`)).text()).includes(expected),
  );
}
