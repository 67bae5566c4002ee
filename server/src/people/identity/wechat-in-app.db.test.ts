import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../../test/identity/browser.ts';
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
} from '../../../test/identity/world.ts';
import { eventually, send } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

const method = 'WECHAT_AUTH';
let world: IdentityWorld;
let mira: string;
beforeAll(async () => {
  world = await openIdentityWorld();
  const subject = world.person('mira').unionId ?? '';
  mira = await givenLinked(world, { accountType: 'WECHAT', subject });
});
afterAll(() => world.stop());

describe('sign-in inside the WeChat app', () => {
  test('[S3.11] a sign-in inside the WeChat app uses the official account and signs in the linked player', async () => {
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

  test('a WeChat user reaches the same account by scanning a QR code and inside the WeChat app', async () => {
    const scanned = await signInAt(world, { method, person: 'mira' });
    const inApp = await signInAt(world, { method, person: 'mira', inWechat: true });
    expect(scanned.data).toMatchObject({ accountId: mira });
    expect(inApp.data).toMatchObject({ accountId: mira });
  });

  test('a WeChat user without an account is refused with WechatAccountNotFound inside the WeChat app', async () => {
    const reply = await signInAt(world, { method, person: 'stranger', inWechat: true });
    expect(reply).toMatchObject({ code: 'WechatAccountNotFound', cookie: undefined });
  });

  test('a WeChat user without a union id is recognized only by the application that linked the account', async () => {
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

  test('a return from a WeChat sign-in inside its app is refused a second time, and so is its authorization code', async () => {
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

test('a player outside the WeChat app signs in by scanning the QR code of the WeChat website application', async () => {
  const browser = openBrowser();
  const { url } = await leave(world, browser, { method });
  expect(new URL(url).pathname).toBe('/wechat/connect/qrconnect');
  expect(new URL(url).searchParams.get('appid')).toBe(websiteAppId);
  expect(new URL(url).searchParams.get('scope')).toBe('snsapi_login');
  const reply = await signInAt(world, { method, person: 'mira', browser });
  expect(reply.data).toMatchObject({ accountId: mira });
});

test('a WeChat sign-in started without the parameter inWechat counts as one outside the WeChat app', async () => {
  const reply = await start({});
  expect(reply.data).toMatchObject({ url: expect.stringContaining('/connect/qrconnect?') });
  expect(await start({ inWechat: 'yes' })).toMatchObject({ code: 'InvalidParams' });
});

// The state records which application started the sign-in; parameters of the return do not matter.
test.each([
  ['scanned', 'in the app', false],
  ['given in the app', 'by scanning', true],
])(
  'a WeChat authorization code that was %s is refused for a sign-in that began %s',
  async (_how, _other, inWechat) => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method, inWechat });
    const other = await leave(world, browser, { method, inWechat: !inWechat });
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    const code = back.url.searchParams.get('code') ?? '';
    const crossed = await handIn(world, browser, { method, code, state: other.state });
    expect(crossed).toMatchObject({ code: 'AuthFail', cookie: undefined });
    // The code is still valid for its own sign-in.
    expect(await handIn(world, browser, { method, code, state })).toMatchObject({ code: null });
  },
);

// The tests from here on change the site, which the API notices after a moment.
test('authorization codes of a replaced WeChat official account and of its website application are refused', async () => {
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
    // The new official account has no website application.
    { code: 'LoginMethodNotOffered', cookie: undefined },
  ]);
});

test('a site without a website application refuses scanned sign-ins and accepts sign-ins inside the WeChat app', async () => {
  await setAccount(lonelyAppId);
  const reply = await start({ inWechat: false });
  expect(reply).toMatchObject({ code: 'LoginMethodNotOffered', cookie: undefined });
  const inApp = await signInAt(world, { method, person: 'mira', inWechat: true });
  expect(inApp.data).toMatchObject({ accountId: mira });
});

test.each([
  ['no official account', null],
  ['an official account that is not in the configuration', 'wx_unheard_of'],
  ['an official account named like a property of every object', 'constructor'],
])('a site with %s offers no WeChat sign-in', async (_which, appId) => {
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
