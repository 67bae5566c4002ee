import { gameList } from '@pointgate/contract/catalogue.ts';
import { orderList } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { demoGames, withoutSpecials } from '../../test/demo.ts';
import { givenPlacedOrder, givenPointsOrder } from '../../test/orders.ts';
import {
  eventually,
  givenPlayer,
  openTestShop,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from '../../test/shop.ts';
import { givenPlatform } from '../../test/sites.ts';
import { upsertGame, upsertItems } from '../documents/seed/seed.queries.ts';
import { bindGameAccount } from '../people/accounts/game-accounts.ts';
import { sql } from '../platform/db.ts';

// The platform sells two of three games, and the first site sells one of them.

const solmere = 'solmere';
const lanternCourt = 'lantern-court';
/** A game that the platform does not sell. */
const galewrack = 'galewrack';

let shop: TestShop;
let platform: TestShop;
/** Has an account in each of the three games. */
let player: TestPlayer;
let cookie: string;

beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  await shop.db.transaction(async (tx) => {
    for (const game of demoGames().filter(({ id }) => [lanternCourt, galewrack].includes(id))) {
      await upsertGame(tx, { apiUrl: shop.game.url, game });
      await upsertItems(tx, withoutSpecials(game));
    }
  });
  const gameIds = [lanternCourt, solmere];
  platform = await givenPlatform(shop, { portalUrl: shop.url, gameIds });
  player = await givenPlayer(shop);
  for (const gameId of [lanternCourt, galewrack]) await bind(player, gameId);
  cookie = await signIn(platform, player);
  await eventually(async () => (await shop.catalogue.game(galewrack)) !== undefined);
});
afterAll(() => shop.closeAll());

const bind = ({ accountId, loginName }: TestPlayer, gameId: string) =>
  shop.db.transaction((tx) =>
    bindGameAccount(tx, { accountId, gameId, gameAccountId: `${gameId}_${loginName}` }),
  );

const ask = (path: string, body: object, who: { cookie?: string; at?: TestShop } = {}) =>
  send(who.at ?? platform, path, { cookie: who.cookie ?? cookie, body });

const games = async (headers: Record<string, string> = {}) => {
  const reply = await send(platform, gameList.path, { cookie, headers });
  return gameList.reply.parse(reply.data).games;
};

/** Runs a change and waits until the cached catalogue shows it. */
const changed = async (change: ReturnType<typeof sql>, isSeen: () => Promise<boolean>) => {
  await shop.db.transaction((tx) => tx.run(change));
  await eventually(async () => (await isSeen()) || undefined);
};

describe('the game list of a platform', () => {
  test('the game list of a platform site (a site of many games) is in the configured sequence, translated and themed', async () => {
    const listed = await games({ 'accept-language': 'de' });
    expect(listed.map(({ gameId }) => gameId)).toEqual([lanternCourt, solmere]);
    expect(listed[0]).toEqual({
      gameId: lanternCourt,
      name: 'Lantern Court',
      subtitle: 'Tausend rote Laternen',
      theme: {
        accent: '#ff7a5c',
        accentStrong: '#f2b84b',
        hero: 'lantern-court-hero',
        logo: 'lantern-court-icon',
      },
      systems: ['ios', 'android'],
      isInMaintenance: false,
    });
  });

  test('the game list of a single-game site has that one game', async () => {
    const who = { cookie: await signIn(shop, player), at: shop };
    const reply = await ask(gameList.path, {}, who);
    expect(reply.data).toMatchObject({ games: [{ gameId: solmere, name: 'Solmere' }] });
  });

  test('a game list request without a session, from another origin or with an unknown field is refused', async () => {
    expect(await send(platform, gameList.path)).toMatchObject({ httpStatus: 203 });
    expect(await ask(gameList.path, { gameId: solmere })).toMatchObject({ httpStatus: 400 });
    const headers = { 'sec-fetch-site': 'cross-site' };
    const foreign = await send(platform, gameList.path, { cookie, headers });
    expect(foreign).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
  });

  test('a listed game has the operating systems of its servers and is in maintenance when no server is open', async () => {
    const [before] = await games();
    const set = (values: ReturnType<typeof sql>, isSeen: () => Promise<boolean>) =>
      changed(sql`update game_servers set ${values} where game_id = ${lanternCourt}`, isSeen);
    await set(
      sql`systems = array['android']`,
      async () => (await games())[0]?.systems.length === 1,
    );
    expect((await games())[0]).toEqual({ ...before, systems: ['android'] });
    await set(sql`status = 1`, async () => (await games())[0]?.isInMaintenance === true);
    await changed(
      sql`update game_servers set status = 0 where game_id = ${lanternCourt} and id = 'lc5'`,
      async () => (await games())[0]?.isInMaintenance === false,
    );
    await set(sql`systems = array[]::text[]`, async () => (await games()).length === 1);
    await set(
      sql`status = 0, systems = array['ios', 'android']`,
      async () => (await games()).length === 2,
    );
    expect((await games())[0]).toEqual(before);
  });

  test('a game is hidden from the game list while none of its items is for sale on the site', async () => {
    const set = (isForSale: boolean, count: number) =>
      changed(
        sql`update items set is_for_sale = ${isForSale} where game_id = ${lanternCourt}`,
        async () => (await games()).length === count,
      );
    await set(false, 1);
    await set(true, 2);
    const price = (from: string, to: string, count: number) =>
      changed(
        sql`
          update item_prices set currency = ${to}
          where currency = ${from} and item_id like 'jade-seals%'`,
        async () => (await games()).length === count,
      );
    await price('USD', 'JPY', 1);
    await changed(
      sql`update sites set other_currencies = array['JPY'] where id = 'other'`,
      async () => (await games()).length === 2,
    );
    await price('JPY', 'USD', 2);
  });

  test('the sequence of games in the game list can be changed while the shop runs', async () => {
    const move = (position: number, first: string) =>
      changed(
        sql`
          update site_games set position = ${position}
          where site_id = 'other' and game_id = ${lanternCourt}`,
        async () => (await games())[0]?.gameId === first,
      );
    await move(9, solmere);
    await move(0, lanternCourt);
  });
});

const Role = z.object({ roles: z.tuple([z.object({ roleId: z.string() })]) });
const roleOn = async (gameId: string, serverId: string) => {
  const { data } = await ask('/api/character/role/list', { gameId, serverId });
  return Role.parse(data).roles[0].roleId;
};

/** Every call that names a game, with valid ids of that game. */
const callsFor = (place: { gameId: string; serverId: string; roleId: string; itemId: string }) => {
  const { gameId, serverId, roleId, itemId } = place;
  const order = { clientOrderId: crypto.randomUUID(), quantity: 1, method: 'card' };
  return {
    '/api/recharge/v2/items': { gameId, system: 'android' },
    '/api/recharge/items': { gameId, system: 'android' },
    '/api/recharge/rebate/info': { gameId },
    '/api/character/server/list': { gameId, system: 'android' },
    '/api/character/game/info': { gameId },
    '/api/character/role/list': { gameId, serverId },
    '/api/character/info/select': { gameId, serverId, roleId },
    '/api/payment/order/create': { ...order, gameId, serverId, roleId, itemId, system: 'android' },
  };
};

describe('calls on a platform', () => {
  test.each([
    [lanternCourt, 'lc8', 'jade-seals_300'],
    [solmere, 's12', 'shards_300'],
  ])(
    'a player with an account in the game %s can list its items, select a character and place an order on a platform site',
    async (gameId, serverId, itemId) => {
      const roleId = await roleOn(gameId, serverId);
      for (const [path, body] of Object.entries(callsFor({ gameId, serverId, roleId, itemId }))) {
        expect(await ask(path, body), path).toMatchObject({ isSuccess: true });
      }
      const info = await ask('/api/character/game/info', { gameId });
      expect(info.data).toMatchObject({
        gameId,
        character: { server: { serverId }, role: { roleId } },
      });
    },
  );

  test("an order on a platform site belongs to the player's account in the game of the order, and its payment page leads back to that site", async () => {
    const roleId = await roleOn(lanternCourt, 'lc8');
    const place = { gameId: lanternCourt, serverId: 'lc8', roleId, itemId: 'jade-seals_60' };
    const calls = callsFor(place);
    const order = await ask('/api/payment/order/create', calls['/api/payment/order/create']);
    expect(order.data).toMatchObject({
      gameId: lanternCourt,
      gameName: 'Lantern Court',
      gameAccountId: `${lanternCourt}_${player.loginName}`,
      amountMinor: '99',
    });
    const { paymentId } = z.object({ paymentId: z.uuid() }).parse(order.data);
    const opened = await ask('/api/payment/order/pay', { paymentId });
    expect(opened).toMatchObject({ isSuccess: true });
    const records = JSON.stringify(await shop.stripe.ask('/__sandbox/records/sessions'));
    expect(records).toContain(`/dream/order/detail?paymentId=${paymentId}`);
  });

  test('a game that a platform site does not sell is refused as if it did not exist', async () => {
    const roleId = await roleOn(solmere, 's12');
    const foreign = callsFor({
      gameId: galewrack,
      serverId: 'bw9',
      roleId,
      itemId: 'doubloons_300',
    });
    const unknown = callsFor({ gameId: 'nowhere', serverId: 'bw9', roleId, itemId: 'nothing' });
    const codes: Record<string, string> = {
      '/api/recharge/rebate/info': 'ItemNotForSale',
      '/api/character/role/list': 'ServerNotFound',
      '/api/character/info/select': 'ServerNotFound',
      '/api/payment/order/create': 'ItemNotForSale',
    };
    for (const [path, body] of Object.entries(foreign)) {
      const code = codes[path] ?? 'NotFound';
      const refused = { isSuccess: false, code, data: null };
      expect(await ask(path, body), path).toMatchObject(refused);
      expect(await ask(path, unknown[path as keyof typeof unknown]), path).toMatchObject(refused); // as: the keys are the same
    }
  });

  test('a player without an account in a game can list its items but can neither list characters nor place an order', async () => {
    const newcomer = await givenPlayer(shop);
    const who = { cookie: await signIn(platform, newcomer) };
    const place = { gameId: lanternCourt, serverId: 'lc8', roleId: 'r_1', itemId: 'jade-seals_60' };
    for (const [path, body] of Object.entries(callsFor(place))) {
      const isForPlayers = /role\/list|select|create/.test(path);
      const expected = isForPlayers
        ? { isSuccess: false, code: 'GameAccountNotFound', data: null }
        : { isSuccess: true };
      expect(await ask(path, body, who), path).toMatchObject(expected);
    }
    expect((await ask(gameList.path, {}, who)).data).toMatchObject({ games: [{}, {}] });
  });

  test("the user info call on a platform site returns the player's account in a game of that site, or null without such an account", async () => {
    const info = async (session: string) => {
      const { data } = await ask('/api/user/info', {}, { cookie: session });
      return z.object({ gameAccountId: z.string().nullable() }).parse(data).gameAccountId;
    };
    expect(await info(cookie)).toBe(player.gameAccountId);
    const balance = await ask('/api/epoint/overage', { userId: player.gameAccountId });
    expect(balance.data).toMatchObject({ basicNum: 0, presentNum: 0 });

    const elsewhere = await givenPlayer(shop);
    await bind(elsewhere, galewrack);
    await shop.db.transaction((tx) =>
      tx.run(sql`
        delete from game_accounts where account_id = ${elsewhere.accountId} and game_id = ${solmere}`),
    );
    const session = await signIn(platform, elsewhere);
    expect(await info(session)).toBeNull();
    await bind(elsewhere, lanternCourt);
    expect(await info(session)).toBe(`${lanternCourt}_${elsewhere.loginName}`);
  });

  test('a sign-in ticket for a game is issued on a platform site only for accounts in games that this site sells', async () => {
    const ticketFor = (gameId: string) =>
      ask('/api/user/sdk/ticket/get', { uid: `${gameId}_${player.loginName}` });
    expect(await ticketFor(lanternCourt)).toMatchObject({ isSuccess: true });
    expect(await ticketFor(galewrack)).toMatchObject({ code: 'GameAccountNotFound' });
  });
});

describe('the order list of a platform', () => {
  const everything = {
    shown: null,
    kind: null,
    gameId: null,
    from: null,
    until: null,
    after: null,
    limit: 100,
  };

  test('the order list of a site has orders placed on the site and those placed on other sites for its games', async () => {
    const owner = await givenPlayer(shop);
    const { accountId } = owner;
    const placed = async (siteId: string, gameId: string) =>
      (await givenPlacedOrder(shop.db, { accountId, siteId, gameId })).key.paymentId;
    const points = async (siteId: string) =>
      (await givenPointsOrder(shop.db, { accountId, siteId })).key.paymentId;
    const ids = {
      hereSolmere: await placed('other', solmere),
      hereLantern: await placed('other', lanternCourt),
      /** Placed when the platform still sold this game. */
      hereGalewrack: await placed('other', galewrack),
      herePoints: await points('other'),
      thereSolmere: await placed('solmere', solmere),
      therePoints: await points('solmere'),
      elsewhereGalewrack: await placed('elsewhere', galewrack),
    };
    const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const listAt = async (at: TestShop, filter: object = {}) => {
      const who = { at, cookie: await signIn(at, owner) };
      const { data } = await ask(orderList.path, { ...everything, ...filter }, who);
      return orderList.reply
        .parse(data)
        .orders.map(({ paymentId }) => nameOf.get(paymentId))
        .toSorted();
    };
    expect(await listAt(platform)).toEqual([
      'hereGalewrack',
      'hereLantern',
      'herePoints',
      'hereSolmere',
      'thereSolmere',
    ]);
    expect(await listAt(shop)).toEqual(['hereSolmere', 'therePoints', 'thereSolmere']);
    expect(await listAt(platform, { gameId: solmere })).toEqual(['hereSolmere', 'thereSolmere']);
    expect(await listAt(platform, { gameId: lanternCourt })).toEqual(['hereLantern']);
    expect(await listAt(shop, { gameId: lanternCourt })).toEqual([]);
    expect(await listAt(platform, { kind: 'points' })).toEqual(['herePoints']);
  });
});
