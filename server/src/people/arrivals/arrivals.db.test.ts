import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { arrivalSources } from '@pointgate/contract/arrivals.ts';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startShopProcess } from '../../../test/processes.ts';
import {
  eventually,
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
import { forgetOldArrivals, sourceOf } from './arrivals.ts';

const gameId = 'solmere';
/** A game whose keys are configured by the operator; the other game publishes its own. */
const writtenGame = 'written';
const edwards = generateKeyPairSync('ed25519');
const weak = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = edwards.publicKey.export({ format: 'jwk' });
const keySets = { [writtenGame]: { keys: [{ ...jwk, kid: 'first' }] } };

let shop: TestShop;
let other: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await openTestShop({ GAME_KEYS: JSON.stringify(keySets) });
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`update games set jwks_url = ${`${shop.game.url}/.well-known/jwks.json`}`);
    await tx.run(sql`
      insert into games (id, name, subtitle, api_url)
      select ${writtenGame}, name, subtitle, api_url from games where id = ${gameId}`);
  });
  other = await givenOtherSite(shop, { portalUrl: 'http://127.0.0.1', title: 'Other' });
  player = await givenPlayer(shop);
});
afterAll(() => shop.closeAll());

interface Visit {
  given?: string;
  cookie?: string;
  from?: string;
  at?: TestShop;
  isSwitch?: boolean;
}

const info = (options: Visit = {}) =>
  send(options.at ?? shop, '/api/user/info', {
    cookie: options.cookie,
    headers: {
      ...(options.given === undefined ? {} : { 'x-token': options.given }),
      ...(options.from === undefined ? {} : { 'x-from': options.from }),
      ...(options.isSwitch === true ? { 'x-switch-account': 'yes' } : {}),
    },
  });
const refused = { httpStatus: 200, isSuccess: false, code: 'ArrivalRefused', cookie: undefined };
const ended = { httpStatus: 203, code: 'InvalidToken' };

const Issued = z.object({ ticket: z.string(), expiresAt: z.iso.datetime() });

async function givenTicket(owner: TestPlayer = player, at: TestShop = shop) {
  const cookie = await signIn(at, owner);
  const body = { uid: owner.gameAccountId };
  const { data } = await send(at, '/api/user/sdk/ticket/get', { cookie, body });
  return { cookie, ...Issued.parse(data) };
}

/** As the game's SDK signs it, with the keys that the game publishes. */
async function givenToken(changes: object = {}): Promise<string> {
  const { gameAccountId } = player;
  const made = await shop.game.tell('/__sandbox/tokens', { gameId, gameAccountId, ...changes });
  return z.object({ token: z.string() }).parse(made).token;
}

function cookieOf(reply: Reply): string {
  if (reply.cookie === undefined) throw new Error(`no cookie: ${JSON.stringify(reply)}`);
  return reply.cookie;
}

describe('arrival tickets', () => {
  test('[S7.10] [S1.05] a sign-in ticket is issued for a game account of the player and signs the player in', async () => {
    const { ticket, expiresAt } = await givenTicket();
    expect(ticket).toMatch(/^tk_[\w-]{43}$/);
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(110);
    expect(seconds).toBeLessThanOrEqual(120.5);

    const arrived = await info({ given: ticket, from: 'game' });
    const signedIn = { login: true, accountId: player.accountId };
    expect(arrived).toMatchObject({ isSuccess: true, data: signedIn });
    expect(arrived.data).toMatchObject({ gameAccountId: player.gameAccountId });
    expect((await info({ cookie: cookieOf(arrived) })).data).toEqual(arrived.data);
  });

  test('a sign-in ticket works once', async () => {
    const { ticket } = await givenTicket();
    expect(await info({ given: ticket })).toMatchObject({ isSuccess: true });
    expect(await info({ given: ticket })).toMatchObject(refused);
  });

  test('only one of ten concurrent uses of a sign-in ticket signs in', async () => {
    const { ticket } = await givenTicket();
    const replies = await Promise.all(Array.from({ length: 10 }, () => info({ given: ticket })));
    expect(replies.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
    expect(replies.filter(({ code }) => code === 'ArrivalRefused')).toHaveLength(9);
  });

  test('a sign-in ticket is refused after its expiry, and the database refuses tickets that are valid for more than 120 seconds', async () => {
    const { ticket } = await givenTicket();
    await shop.db.transaction((tx) =>
      tx.run(sql`update arrival_tickets set expires_at = now() where expires_at > now()`),
    );
    expect(await info({ given: ticket })).toMatchObject(refused);
    const longer = shop.db.transaction((tx) =>
      tx.run(sql`update arrival_tickets set expires_at = now() + interval '121 seconds'`),
    );
    await expect(longer).rejects.toThrow('tickets_end_soon');
  });

  test('a sign-in ticket of one site is refused on another site and stays valid on its own site', async () => {
    const { ticket } = await givenTicket();
    expect(await info({ given: ticket, at: other })).toMatchObject(refused);
    expect(await info({ given: ticket })).toMatchObject({ isSuccess: true });
  });

  test('a sign-in ticket is refused after its game account was unbound from the player', async () => {
    const owner = await givenPlayer(shop);
    const { ticket } = await givenTicket(owner);
    await shop.db.transaction((tx) =>
      tx.run(sql`delete from game_accounts where account_id = ${owner.accountId}`),
    );
    expect(await info({ given: ticket })).toMatchObject(refused);
  });

  test('a sign-in ticket request of a player for a foreign game account is refused like one for an unknown account', async () => {
    const cookie = await signIn(shop, player);
    const stranger = await givenPlayer(shop);
    const ask = (uid: string) => send(shop, '/api/user/sdk/ticket/get', { cookie, body: { uid } });
    const { requestId: _, ...foreign } = await ask(stranger.gameAccountId);
    const { requestId: __, ...unknown } = await ask('ga_nobody');
    expect(foreign).toMatchObject({ isSuccess: false, code: 'GameAccountNotFound' });
    expect(foreign).toEqual(unknown);
  });

  test('a sign-in ticket is not issued for a game account of another game than that of the site', async () => {
    const owner = await givenPlayer(shop);
    const gameAccountId = `written_${owner.loginName}`;
    await shop.db.transaction((tx) =>
      bindGameAccount(tx, { accountId: owner.accountId, gameId: writtenGame, gameAccountId }),
    );
    const cookie = await signIn(shop, owner);
    const body = { uid: gameAccountId };
    const reply = await send(shop, '/api/user/sdk/ticket/get', { cookie, body });
    expect(reply).toMatchObject({ code: 'GameAccountNotFound' });
  });

  test('a sign-in ticket is stored in the database as a hash only', async () => {
    const { ticket } = await givenTicket();
    const { dump } = await shop.db.one(
      z.object({ dump: z.string() }),
      sql`select string_agg(arrival_tickets::text, ' ') as dump from arrival_tickets`,
    );
    expect(dump).toContain(player.gameAccountId);
    const secret = ticket.slice(3);
    for (const form of [
      secret,
      Buffer.from(ticket).toString('hex'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ]) {
      expect(dump).not.toContain(form);
    }
  });
});

describe('arrivals', () => {
  test('[S4.12] a sign-in by ticket ends the older session of the account', async () => {
    const { ticket, cookie: older } = await givenTicket();
    const newer = cookieOf(await info({ given: ticket }));
    expect(await info({ cookie: older })).toMatchObject(ended);
    expect(await info({ cookie: newer })).toMatchObject({ data: { login: true } });
  });

  test('a sign-in ticket in a browser signed in to another account asks the player first and changes nothing until then', async () => {
    const somebody = await givenPlayer(shop);
    const cookie = await signIn(shop, somebody);
    for (const given of [(await givenTicket()).ticket, await givenToken()]) {
      expect(await info({ given, cookie })).toMatchObject({
        isSuccess: false,
        code: 'OtherAccount',
        data: { displayName: player.loginName },
        cookie: undefined,
      });
      expect(await info({ cookie })).toMatchObject({ data: { accountId: somebody.accountId } });
      // The question did not use up the ticket or token.
      expect(await info({ given })).toMatchObject({ data: { accountId: player.accountId } });
    }
  });

  test('a sign-in ticket in a browser where the same player is signed in asks the player nothing', async () => {
    const { ticket, cookie } = await givenTicket();
    expect(await info({ given: ticket, cookie })).toMatchObject({ isSuccess: true });
  });

  test('a sign-in by ticket that is confirmed as an account switch ends the session of the other account', async () => {
    const somebody = await signIn(shop, await givenPlayer(shop));
    const { ticket } = await givenTicket();
    const arrived = await info({ given: ticket, cookie: somebody, isSwitch: true });
    expect(arrived.data).toMatchObject({ accountId: player.accountId });
    expect(await info({ cookie: somebody })).toMatchObject(ended);
    expect(await info({ cookie: cookieOf(arrived) })).toMatchObject({ data: { login: true } });
  });

  test('a sign-in by ticket succeeds in a browser with an invalid session cookie', async () => {
    const { ticket } = await givenTicket();
    const arrived = await info({ given: ticket, cookie: 'sid=made-up' });
    expect(arrived.data).toMatchObject({ accountId: player.accountId });
  });

  test('a refused sign-in ticket changes no session and sets no cookie', async () => {
    const cookie = await signIn(shop, player);
    for (const given of [
      `tk_${'a'.repeat(43)}`,
      'nonsense',
      '',
      'a.b.c',
      await givenToken({ seconds: -1 }),
    ]) {
      expect(await info({ given, cookie })).toMatchObject(refused);
    }
    expect(await info({ cookie })).toMatchObject({ data: { accountId: player.accountId } });
  });

  test('a cross-site sign-in by ticket is refused without using up the ticket', async () => {
    const { ticket } = await givenTicket();
    const reply = await send(shop, '/api/user/info', {
      headers: { 'x-token': ticket, 'sec-fetch-site': 'cross-site' },
    });
    expect(reply).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin', cookie: undefined });
    expect(await info({ given: ticket })).toMatchObject({ isSuccess: true });
  });

  test('logs contain no sign-in tickets, no sign-in tokens of games and no unlisted traffic source from the x-from header', async () => {
    const api = await startShopProcess(shop, 'api', { GAME_KEYS: JSON.stringify(keySets) });
    const logged = { ...shop, url: api.url };
    const { ticket } = await givenTicket(player, logged);
    const token = await givenToken();
    const evil = 'x-from-evil\\n{"level":"info"}';
    const replies = [
      await info({ given: ticket, from: 'game', at: logged }),
      await info({ given: token, from: evil, at: logged }),
      await info({ given: token, from: evil, at: logged }),
      await send(logged, `/api/time?ticket=${ticket}&token=${token}`, { method: 'GET' }),
    ];
    expect(replies.map(({ isSuccess }) => isSuccess)).toEqual([true, true, false, true]);
    await eventually(async () =>
      api.lines().some(({ requestId }) => requestId === replies.at(-1)?.requestId),
    );
    const arrived = api.lines().filter(({ msg }) => msg === 'a player arrived');
    expect(arrived.map(({ by, from }) => [by, from])).toEqual([
      ['ticket', 'game'],
      ['token', 'unknown'],
    ]);
    const output = api.output();
    await api.stop();
    for (const part of [ticket.slice(3), ...token.split('.').slice(1), 'x-from-evil']) {
      expect(output).not.toContain(part);
    }
  });
});

test('a traffic source in the x-from header that is not on the configured list counts as unknown', () => {
  for (const source of arrivalSources) expect(sourceOf(source)).toBe(source);
  for (const word of [undefined, '', 'GAME', 'game ', '__proto__', 'x'.repeat(9000)]) {
    expect(sourceOf(word)).toBe('unknown');
  }
});

describe('game tokens', () => {
  test.each(['EdDSA', 'ES256'])(
    '[S7.03] a sign-in token that a game signs with %s signs its player in',
    async (alg) => {
      const arrived = await info({ given: await givenToken({ alg }), from: 'unknown' });
      expect(arrived.data).toMatchObject({ login: true, accountId: player.accountId });
      expect(await info({ cookie: cookieOf(arrived) })).toMatchObject({ data: { login: true } });
    },
  );

  test('a sign-in token signed by a game works once, even in ten concurrent sign-ins', async () => {
    const token = await givenToken();
    const replies = await Promise.all(Array.from({ length: 10 }, () => info({ given: token })));
    expect(replies.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
    expect(await info({ given: token })).toMatchObject(refused);
  });

  test('a sign-in token signed by a game that was used on one site is refused on another site', async () => {
    const token = await givenToken();
    expect(await info({ given: token, at: other })).toMatchObject({ isSuccess: true });
    expect(await info({ given: token })).toMatchObject(refused);
  });

  test.each([
    ['for an unknown player', { gameAccountId: 'ga_nobody' }],
    ['for another game', { gameId: 'elsewhere' }],
    ['that has expired', { seconds: -1 }],
    ['that is valid for more than five minutes', { seconds: 310 }],
  ])('an invalid sign-in token signed by a game is refused: a token %s', async (_what, changes) => {
    expect(await info({ given: await givenToken(changes) })).toMatchObject(refused);
  });

  test('a sign-in token signed by a game is refused while the game publishes no keys and accepted once it does', async () => {
    const token = await givenToken();
    const move = (jwksUrl: string | null) =>
      shop.db.transaction((tx) =>
        tx.run(sql`update games set jwks_url = ${jwksUrl} where id = ${gameId}`),
      );
    await move(null);
    expect(await info({ given: token })).toMatchObject(refused);
    await move('http://127.0.0.1:1/jwks.json');
    expect(await info({ given: token })).toMatchObject(refused);
    await move(`${shop.game.url}/.well-known/jwks.json`);
    expect(await info({ given: token })).toMatchObject({ isSuccess: true });
  });
});

describe('game tokens verified with configured keys', () => {
  const at = () => platform;
  let platform: TestShop;
  let gameAccountId: string;
  beforeAll(async () => {
    // A site of many games accepts the tokens of each game.
    const gameIds = [gameId, writtenGame];
    platform = await givenPlatform(shop, { portalUrl: 'http://127.0.0.1', gameIds });
    gameAccountId = `written_${player.loginName}`;
    await shop.db.transaction((tx) =>
      bindGameAccount(tx, { accountId: player.accountId, gameId: writtenGame, gameAccountId }),
    );
  });

  const now = () => Math.floor(Date.now() / 1000);
  /** Signed with the game's own key; the changes make it wrong in one way. */
  const signed = (changes: object = {}, header: object = {}) =>
    new SignJWT({
      iss: writtenGame,
      aud: 'portal',
      sub: gameAccountId,
      jti: randomUUID(),
      exp: now() + 60,
      ...changes,
    }).setProtectedHeader({ alg: 'EdDSA', kid: 'first', ...header });
  const made = (changes: object = {}, header: object = {}) =>
    signed(changes, header).sign(edwards.privateKey);

  test('a sign-in token signed by a game signs in on a site of many games, but not on the site of another game', async () => {
    const token = await made();
    expect(await info({ given: token })).toMatchObject(refused);
    const arrived = await info({ given: token, at: at() });
    expect(arrived.data).toMatchObject({ accountId: player.accountId });
  });

  test.each([
    ['with another `aud`', () => made({ aud: 'game' })],
    ['with a list as its `aud`', () => made({ aud: ['portal', 'game'] })],
    ['without `aud`', () => made({ aud: undefined })],
    ['without `exp`', () => made({ exp: undefined })],
    ['without `jti`', () => made({ jti: undefined })],
    ['with an empty `jti`', () => made({ jti: '' })],
    ['without `sub`', () => made({ sub: undefined })],
    ['with a malformed `sub`', () => made({ sub: 'a b' })],
    ['without `iss`', () => made({ iss: undefined })],
    ['of a game without keys', () => made({ iss: 'nobody' })],
    ['of the game "constructor"', () => made({ iss: 'constructor' })],
    ['that is not valid yet', () => made({ nbf: now() + 30 })],
    ['of an unknown key id', () => made({}, { kid: 'second' })],
    ['signed by another key', () => signed().sign(generateKeyPairSync('ed25519').privateKey)],
    ['signed with RSA', () => signed({}, { alg: 'RS256' }).sign(weak.privateKey)],
    [
      'signed with the public key as a shared secret',
      () => signed({}, { alg: 'HS256' }).sign(Buffer.from(String(jwk.x), 'base64url')),
    ],
    ['without a signature', async () => `${(await made()).split('.', 2).join('.')}.`],
    [
      'with the algorithm none',
      async () => {
        const [, claims] = (await made()).split('.');
        return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
      },
    ],
    [
      'with a replaced payload',
      async () => {
        const [header, , signature] = (await made()).split('.');
        const [, claims] = (await made({ sub: player.gameAccountId })).split('.');
        return `${header}.${claims}.${signature}`;
      },
    ],
  ])(
    'a forged or incomplete sign-in token of a game is refused: a token %s',
    async (_what, forge) => {
      expect(await info({ given: await forge(), at: at() })).toMatchObject(refused);
    },
  );
});

test('expired sign-in tickets and expired records of used sign-in tokens of games are deleted, valid ones are kept', async () => {
  const counts = () =>
    shop.db.one(
      z.object({ tickets: z.int(), used: z.int() }),
      sql`select (select count(*)::int from arrival_tickets) as tickets,
                 (select count(*)::int from used_arrivals) as used`,
    );
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`update arrival_tickets set expires_at = now() - interval '1 second'`);
    await tx.run(sql`update used_arrivals set expires_at = now() - interval '1 second'`);
  });
  const { ticket } = await givenTicket(await givenPlayer(shop));
  const token = await givenToken();
  await info({ given: token });
  await forgetOldArrivals(shop.db);
  expect(await counts()).toEqual({ tickets: 1, used: 1 });
  expect(await info({ given: token })).toMatchObject(refused);
  expect(await info({ given: ticket })).toMatchObject({ isSuccess: true });
});
