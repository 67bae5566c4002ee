import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoGame } from '../../../test/demo.ts';
import { letGo, untilHangs } from '../../../test/hanging.ts';
import {
  type IdentityWorld,
  officialAppId,
  openIdentityWorld,
  wechatCodeOf,
} from '../../../test/identity/world.ts';
import { givenPlayer, send, signIn, type TestPlayer } from '../../../test/shop.ts';
import { openIdOfSession } from './identity.ts';

let world: IdentityWorld;
let player: TestPlayer;
beforeAll(async () => {
  world = await openIdentityWorld();
  player = await givenPlayer(world.shop);
});
afterAll(() => world.stop());

const codeOf = (person: string) => wechatCodeOf(world, person);

const trade = (code: string, cookie: string | undefined) =>
  send(world.shop, '/api/user/wechat/info/get', { body: { code }, cookie });

const bound = () =>
  openIdOfSession(world.shop.db, { accountId: player.accountId, siteId: demoGame.id });

test('[S7.11] [S4.16] a WeChat authorization code is exchanged for the open id of the player, which is bound to the session', async () => {
  const cookie = await signIn(world.shop, player);
  expect(await bound()).toBeUndefined();
  const openId = world.person('mira').openIds[officialAppId];
  expect((await trade(await codeOf('mira'), cookie)).data).toEqual({ openId });
  expect(await bound()).toEqual({ appId: officialAppId, openId });
});

test('the next WeChat authorization code replaces the open id that is bound to the session', async () => {
  const cookie = await signIn(world.shop, player);
  await trade(await codeOf('mira'), cookie);
  await trade(await codeOf('jun'), cookie);
  expect(await bound()).toEqual({
    appId: officialAppId,
    openId: world.person('jun').openIds[officialAppId],
  });
});

test('a new session of an account starts without a WeChat open id, and a sign-out removes the open id', async () => {
  const cookie = await signIn(world.shop, player);
  await trade(await codeOf('mira'), cookie);
  const next = await signIn(world.shop, player);
  expect(await bound()).toBeUndefined();
  await trade(await codeOf('mira'), next);
  await send(world.shop, '/api/user/logout', { cookie: next });
  expect(await bound()).toBeUndefined();
});

test('a WeChat authorization code works once, and a code that WeChat did not issue or that has expired is refused', async () => {
  const cookie = await signIn(world.shop, player);
  const code = await codeOf('mira');
  expect(await trade(code, cookie)).toMatchObject({ code: null });
  expect(await trade(code, cookie)).toMatchObject({ code: 'AuthFail' });
  expect(await trade('made-up', cookie)).toMatchObject({ code: 'AuthFail' });
  const old = await codeOf('mira');
  await world.outside.tell('/__sandbox/expire-codes', {});
  expect(await trade(old, cookie)).toMatchObject({ code: 'AuthFail' });
});

test('a WeChat authorization code is refused without a session and with a session that a newer sign-in has replaced', async () => {
  expect(await trade(await codeOf('mira'), undefined)).toMatchObject({
    httpStatus: 203,
    code: 'InvalidToken',
  });
  const older = await signIn(world.shop, player);
  await signIn(world.shop, player);
  expect(await trade(await codeOf('mira'), older)).toMatchObject({ code: 'InvalidToken' });
  expect(await bound()).toBeUndefined();
});

test('an answer of WeChat that arrives after the session was replaced binds no open id to the new session', async () => {
  const older = await signIn(world.shop, player);
  const code = await codeOf('mira');
  await world.outside.tell('/__sandbox/faults', { provider: 'wechat', kind: 'hang' });
  const pending = trade(code, older);
  await untilHangs(world.outside);
  await signIn(world.shop, player);
  await letGo(world.outside);
  expect(await pending).toMatchObject({ code: 'InvalidToken' });
  expect(await bound()).toBeUndefined();
});

test('a WeChat authorization code is answered with SystemBusy while WeChat fails, and the bound open id stays', async () => {
  const cookie = await signIn(world.shop, player);
  await trade(await codeOf('mira'), cookie);
  const before = await bound();
  await world.outside.tell('/__sandbox/faults', { provider: 'wechat', kind: 'error' });
  expect(await trade(await codeOf('jun'), cookie)).toMatchObject({ code: 'SystemBusy' });
  expect(await bound()).toEqual(before);
});
