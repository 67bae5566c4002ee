import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  givenPlayer,
  openTestShop,
  type Reply,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from '../../../test/shop.ts';
import { givenOtherSite, givenPlatform } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import { bindGameAccount } from '../accounts/game-accounts.ts';

const gameId = 'solmere';
const serverId = 's12';

let shop: TestShop;
let player: TestPlayer;
let second: string;
beforeAll(async () => {
  shop = await openTestShop();
  await shop.db.transaction((tx) =>
    tx.run(sql`update games set jwks_url = ${`${shop.game.url}/.well-known/jwks.json`}`),
  );
});
beforeEach(async () => {
  player = await givenPlayer(shop);
  second = `second_${player.loginName}`;
  await shop.db.transaction((tx) =>
    bindGameAccount(tx, { accountId: player.accountId, gameId, gameAccountId: second }),
  );
});
afterAll(() => shop.closeAll());

const Signed = z.object({ accountId: z.uuid(), gameAccountId: z.string().nullable() });

async function ticketFor(uid: string, at = shop): Promise<string> {
  const cookie = await signIn(at, player);
  const { data } = await send(at, '/api/user/sdk/ticket/get', { cookie, body: { uid } });
  return z.object({ ticket: z.string() }).parse(data).ticket;
}

async function tokenFor(gameAccountId: string): Promise<string> {
  const made = await shop.game.tell('/__sandbox/tokens', { gameId, gameAccountId });
  return z.object({ token: z.string() }).parse(made).token;
}

async function arriveWith(given: string, at = shop): Promise<{ cookie: string; reply: Reply }> {
  const reply = await send(at, '/api/user/info', { headers: { 'x-token': given } });
  if (reply.cookie === undefined) throw new Error(`no cookie: ${JSON.stringify(reply)}`);
  return { cookie: reply.cookie, reply };
}

const accountIn = async (cookie: string, at = shop) =>
  Signed.parse((await send(at, '/api/user/info', { cookie })).data).gameAccountId;

async function roleIn(cookie: string): Promise<string> {
  const body = { gameId, serverId };
  const { data } = await send(shop, '/api/character/role/list', { cookie, body });
  const { roles } = z
    .object({ roles: z.array(z.object({ roleId: z.string() })).min(1) })
    .parse(data);
  return roles[0]?.roleId ?? '';
}

describe('players with two game accounts', () => {
  test.each([
    ['ticket', ticketFor],
    ['token', tokenFor],
  ])(
    'a player who signs in with a %s from a game is signed in with the game account that it was issued for',
    async (_by, given) => {
      for (const gameAccountId of [second, player.gameAccountId]) {
        const { cookie, reply } = await arriveWith(await given(gameAccountId));
        expect(reply.data).toMatchObject({ accountId: player.accountId, gameAccountId });
        expect(await accountIn(cookie)).toBe(gameAccountId);
      }
    },
  );

  test('a player with two game accounts whom a game signs in with one of them sees and buys for the characters of that one only', async () => {
    const first = await signIn(shop, player);
    const role = await roleIn(first);
    const { cookie } = await arriveWith(await tokenFor(second));
    const roleOfSecond = await roleIn(cookie);
    expect(roleOfSecond).not.toBe(role);
    const order = {
      gameId,
      itemId: 'shards_300',
      quantity: 1,
      serverId,
      method: 'card',
      system: 'android',
    };
    const buy = (roleId: string) =>
      send(shop, '/api/payment/order/create', {
        cookie,
        body: { ...order, roleId, clientOrderId: crypto.randomUUID() },
      });
    expect(await buy(role)).toMatchObject({ code: 'RoleNotFound' });
    expect(await buy(roleOfSecond)).toMatchObject({ data: { gameAccountId: second } });
  });

  test("a character that a player selected with one game account is not shown when signed in with the player's other game account", async () => {
    const first = await signIn(shop, player);
    const body = { gameId, serverId, roleId: await roleIn(first) };
    expect(await send(shop, '/api/character/info/select', { cookie: first, body })).toMatchObject({
      isSuccess: true,
    });
    const shown = async (cookie: string) =>
      (await send(shop, '/api/character/game/info', { cookie, body: { gameId } })).data;
    expect(await shown(first)).toMatchObject({ character: { role: { roleId: body.roleId } } });
    const { cookie } = await arriveWith(await tokenFor(second));
    expect(await shown(cookie)).toMatchObject({ character: null });
  });

  test('a password sign-in of a player with two game accounts uses the first one, even after a game signed in the second', async () => {
    await arriveWith(await tokenFor(second));
    expect(await accountIn(await signIn(shop, player))).toBe(player.gameAccountId);
  });

  test("a session continues with the player's first game account when its second game account is unbound", async () => {
    const { cookie } = await arriveWith(await tokenFor(second));
    await shop.db.transaction((tx) =>
      tx.run(sql`delete from game_accounts where game_account_id = ${second}`),
    );
    expect(await accountIn(cookie)).toBe(player.gameAccountId);
  });

  test("a sign-in token for the player's second game account does not change the game account of sessions on other sites", async () => {
    const other = await givenOtherSite(shop, { portalUrl: 'http://127.0.0.1' });
    const elsewhere = await signIn(other, player);
    await arriveWith(await tokenFor(second));
    expect(await accountIn(elsewhere, other)).toBe(player.gameAccountId);
  });

  test('a session on a site of many games uses the game account of its sign-in token, or else the first one bound to the player', async () => {
    const other = await givenPlatform(shop, { portalUrl: 'http://127.0.0.1', gameIds: [gameId] });
    expect(await accountIn(await signIn(other, player), other)).toBe(player.gameAccountId);
    const { cookie } = await arriveWith(await tokenFor(second), other);
    expect(await accountIn(cookie, other)).toBe(second);
  });
});
