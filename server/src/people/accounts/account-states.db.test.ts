import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openAuthenticator } from '../../../test/authenticator.ts';
import { operate } from '../../../test/operate.ts';
import { addPasskey, signInWithPasskey } from '../../../test/passkeys.ts';
import {
  givenPlayer,
  openTestShop,
  type Reply,
  seal,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';

const nobody = '01970000-0000-7000-8000-000000000000';
const suspended = { isSuccess: false, code: 'AccountSuspended', data: null, cookie: undefined };

let shop: TestShop;
let other: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  other = await givenOtherSite(shop, { portalUrl: 'http://other.example' });
});
beforeEach(async () => {
  player = await givenPlayer(shop);
});
afterAll(() => shop.closeAll());

const why = ['--by', 'ines', '--reason', 'a card that was stolen'];
const change = (command: string, accountId = player.accountId) =>
  operate(shop, [command, accountId, ...why]);

async function trySignIn({ password = player.password } = {}): Promise<Reply> {
  const { loginName } = player;
  const credentials = { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password };
  const data = await seal(shop, '/api/user/login', credentials);
  return await send(shop, '/api/user/login', { body: { data } });
}
async function givenTicket(cookie: string): Promise<string> {
  const body = { uid: player.gameAccountId };
  const { data } = await send(shop, '/api/user/sdk/ticket/get', { cookie, body });
  return (data as { ticket: string }).ticket;
}
async function givenToken(): Promise<string> {
  await shop.db.transaction((tx) =>
    tx.run(sql`update games set jwks_url = ${`${shop.game.url}/.well-known/jwks.json`}`),
  );
  const { gameAccountId } = player;
  const made = await shop.game.tell('/__sandbox/tokens', { gameId: 'solmere', gameAccountId });
  return (made as { token: string }).token;
}
const arrive = (given: string) => send(shop, '/api/user/info', { headers: { 'x-token': given } });
const isLive = async (at: TestShop, cookie: string) =>
  (await send(at, '/api/user/info', { cookie })).httpStatus === 200;

describe('suspended accounts', () => {
  test('a suspended account is signed out on all sites at once, and its sign-in tickets are refused', async () => {
    const [here, there] = [await signIn(shop, player), await signIn(other, player)];
    const ticket = await givenTicket(here);

    expect(await change('suspend')).toMatchObject({ status: 0, complaint: '' });

    expect([await isLive(shop, here), await isLive(other, there)]).toEqual([false, false]);
    expect(await arrive(ticket)).toMatchObject({ code: 'ArrivalRefused', cookie: undefined });
  });

  test('a sign-in to a suspended account fails with AccountSuspended for every method, but only with right credentials', async () => {
    const device = openAuthenticator({ origin: shop.url });
    await addPasskey(shop, { cookie: await signIn(shop, player), device });
    await change('suspend');

    expect(await trySignIn()).toMatchObject(suspended);
    expect(await signInWithPasskey(shop, { device })).toMatchObject(suspended);
    expect(await arrive(await givenToken())).toMatchObject(suspended);
    expect(await trySignIn({ password: 'Wrong-58' })).toMatchObject({ code: 'InvalidPassword' });
  });

  test('a reinstated account can be signed in to, and its history shows who changed its state and why', async () => {
    await change('suspend');
    const { out } = await change('reinstate');

    expect(await trySignIn()).toMatchObject({ isSuccess: true });
    const reason = 'a card that was stolen';
    expect(JSON.parse(out).changes).toMatchObject([
      { change: 'suspended', by: 'ines', reason },
      { change: 'reinstated', by: 'ines', reason },
    ]);
    const account = JSON.parse((await operate(shop, ['account', player.accountId])).out);
    expect(account).toMatchObject({ state: 'open', origin: 'before', ...JSON.parse(out) });
  });

  test('a sign-in that runs while its account is being suspended leaves no valid session', async () => {
    const [, ...replies] = await Promise.all([
      change('suspend'),
      ...Array.from({ length: 10 }, () => trySignIn()),
    ]);
    const cookies = replies.flatMap(({ cookie }) => cookie ?? []);
    const live = await Promise.all(cookies.map((cookie) => isLive(shop, cookie)));
    expect(live).not.toContain(true);
  });
});

test('a player signed out by an operator loses all sessions and can sign in again', async () => {
  const cookies = [await signIn(shop, player), await signIn(other, player)];
  expect(await change('sign-out')).toMatchObject({ status: 0 });
  expect(await isLive(shop, cookies[0] ?? '')).toBe(false);
  expect(await isLive(other, cookies[1] ?? '')).toBe(false);
  expect(await trySignIn()).toMatchObject({ isSuccess: true });
});

test('an invalid operator command about a player account is refused with an error text and changes nothing', async () => {
  await change('suspend');
  const { accountId } = player;
  const refusals = await Promise.all([
    operate(shop, ['suspend', accountId, '--by', 'ines']),
    operate(shop, ['suspend', accountId, '--reason', 'a card']),
    change('suspend'),
    change('sign-out'),
    change('suspend', nobody),
    change('reinstate', 'nobody'),
    operate(shop, ['account', nobody]),
  ]);
  expect(refusals.map(({ status, complaint }) => [status, complaint])).toEqual([
    [1, '--reason is missing\n'],
    [1, '--by is missing\n'],
    [1, 'the account is suspended or erased already\n'],
    [1, 'the account is open to nobody\n'],
    [1, `there is no account ${nobody}\n`],
    [1, 'there is no account nobody\n'],
    [1, `there is no account ${nobody}\n`],
  ]);
  const { out } = await operate(shop, ['account', accountId]);
  expect(JSON.parse(out).changes).toHaveLength(1);
});
