import { createHmac, randomUUID } from 'node:crypto';
import { issueTicket } from '@pointgate/contract/tickets.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createOrder, givenBuyer } from '../../../test/buying.ts';
import { operate } from '../../../test/operate.ts';
import { startShopProcess } from '../../../test/processes.ts';
import { callRaw } from '../../../test/raw-call.ts';
import { givenPlayer, openTestShop, send, signIn, type TestShop } from '../../../test/shop.ts';
import { openSigningTimes } from '../../../test/signing-times.ts';
import { sql } from '../../platform/db.ts';
import { bindGameAccount } from '../accounts/game-accounts.ts';

const gameId = 'solmere';
const secret = 'a-secret-of-the-game';

let shop: TestShop;
beforeAll(async () => {
  const secrets = JSON.stringify({ [gameId]: [secret] });
  shop = await openTestShop({ GAME_SECRETS: secrets, LOG_LEVEL: 'silent' });
  await shop.db.transaction((tx) =>
    tx.run(sql`update games set jwks_url = ${`${shop.game.url}/.well-known/jwks.json`}`),
  );
  await setArrival('create');
});
afterEach(async () => {
  await setArrival('create');
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`delete from limit_counters`);
    await tx.run(sql`delete from cases where kind = 'many_new_players'`);
  });
});
afterAll(() => shop.closeAll());

async function setArrival(arrival: 'create' | 'known_only', perMinute = 6000): Promise<void> {
  const limit = ['--per-minute', String(perMinute)];
  const why = ['--by', 'ines', '--reason', 'a test'];
  const { status } = await operate(shop, ['game-arrival', gameId, arrival, ...limit, ...why]);
  expect(status).toBe(0);
}

const newPlayer = () => `p-${randomUUID()}`;

/** As the game's back end asks for a ticket. A body that is signed again gets another signing time. */
const timesOf = new Map<string, () => number>();
async function issue(asked: object, url = shop.url) {
  const body = JSON.stringify({ gameId, ...asked });
  const times = timesOf.get(body) ?? openSigningTimes();
  timesOf.set(body, times);
  const t = times();
  const digest = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const reply = await callRaw(url + issueTicket.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'pointgate-signature': `t=${t},v1=${digest}` },
    body,
  });
  return { status: reply.status, said: issueTicket.reply.parse(reply.json()) };
}

async function issueTo(gameAccountId: string, more: object = {}): Promise<string> {
  const { said } = await issue({ gameAccountId, ...more });
  if (said.result !== 'ok') throw new Error(`no ticket but ${said.result}`);
  return said.ticket;
}

async function tokenFor(gameAccountId: string, more: object = {}): Promise<string> {
  const made = await shop.game.tell('/__sandbox/tokens', { gameId, gameAccountId, ...more });
  return z.object({ token: z.string() }).parse(made).token;
}

const arrive = (given: string, headers: Record<string, string> = {}, cookie?: string) =>
  send(shop, '/api/user/info', { headers: { 'x-token': given, ...headers }, cookie });

const Made = z.object({ account_id: z.uuid(), display_name: z.string(), origin: z.string() });
const ownersOf = (gameAccountIds: readonly string[]) =>
  shop.db.many(
    Made.extend({ game_account_id: z.string() }),
    sql`
      select account_id, display_name, origin, game_account_id
      from game_accounts join accounts on id = account_id
      where game_account_id = any(${[...gameAccountIds]})`,
  );

/** Accounts that an arrival made and that never owned a game account. */
const abandoned = () =>
  shop.db.many(
    z.object({ id: z.uuid() }),
    sql`
      select id from accounts where origin = 'arrival' and not exists (
        select from game_accounts where account_id = id
        union all select from former_game_accounts where account_id = id)`,
  );

describe('players whom their game brings for the first time', () => {
  test.each([
    ['ticket', (id: string) => issueTo(id, { displayName: ' Ana of the Reef ' })],
    ['token', (id: string) => tokenFor(id, { name: 'Ana of the Reef' })],
  ])(
    'a new player who arrives with a %s gets an account with the name from the game, and the same one next time',
    async (_by, given) => {
      const gameAccountId = newPlayer();
      const arrived = await arrive(await given(gameAccountId));
      expect(arrived).toMatchObject({ isSuccess: true, data: { login: true, gameAccountId } });
      expect(arrived.data).toMatchObject({
        accountType: 'ACCOUNT',
        displayName: 'Ana of the Reef',
      });
      const { accountId } = z.object({ accountId: z.uuid() }).parse(arrived.data);

      const again = await arrive(await given(gameAccountId));
      expect(again.data).toMatchObject({ accountId });
      expect(await ownersOf([gameAccountId])).toEqual([
        {
          account_id: accountId,
          display_name: 'Ana of the Reef',
          origin: 'arrival',
          game_account_id: gameAccountId,
        },
      ]);
      expect(again.cookie).toBeDefined();
    },
  );

  test('a new player without a usable name in the token is called by the id of the game account', async () => {
    for (const name of [undefined, '', 7, 'x'.repeat(65), 'two\nlines', 'right\u202eleft']) {
      const gameAccountId = newPlayer();
      const { data } = await arrive(await tokenFor(gameAccountId, { name }));
      expect(data).toMatchObject({ displayName: gameAccountId });
    }
  });

  test('a ticket request with a malformed player name is refused as malformed and makes no account', async () => {
    const names = ['', '   ', 'x'.repeat(65), 'two\nlines', 'nul\0', 'right\u202eleft', 7];
    for (const displayName of names) {
      const gameAccountId = newPlayer();
      const asked = await issue({ gameAccountId, displayName });
      expect(asked).toMatchObject({ status: 400, said: { result: 'malformed' } });
      expect(await ownersOf([gameAccountId])).toEqual([]);
    }
  });

  test('a thousand concurrent ticket requests for fifty new players make fifty accounts', async () => {
    const players = Array.from({ length: 50 }, newPlayer);
    const asked = Array.from({ length: 1000 }, (_, i) =>
      issue({ gameAccountId: players[i % 50], displayName: `Player ${i}` }),
    );
    const results = (await Promise.all(asked)).map(({ said }) => said.result);
    expect(new Set(results)).toEqual(new Set(['ok']));
    const owners = await ownersOf(players);
    expect(owners).toHaveLength(50);
    expect(new Set(owners.map(({ account_id }) => account_id)).size).toBe(50);
    expect(await abandoned()).toEqual([]);
  });

  test('a player signed in to another account is asked first, and the account for the new player is made on the answer', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const gameAccountId = newPlayer();
    const token = await tokenFor(gameAccountId, { name: 'Ana' });
    const asked = await arrive(token, {}, cookie);
    expect(asked).toMatchObject({ code: 'OtherAccount', data: { displayName: 'Ana' } });
    expect(await ownersOf([gameAccountId])).toEqual([]);
    const switched = await arrive(token, { 'x-switch-account': 'yes' }, cookie);
    expect(switched.data).toMatchObject({ gameAccountId });
    expect(await ownersOf([gameAccountId])).toHaveLength(1);
  });

  test('a game that makes no accounts can bring the players it has brought before and no new ones', async () => {
    const known = newPlayer();
    await issueTo(known);
    await setArrival('known_only');
    expect((await issue({ gameAccountId: known, displayName: 'again' })).said.result).toBe('ok');
    const stranger = newPlayer();
    expect(await issue({ gameAccountId: stranger })).toMatchObject({
      said: { result: 'refused', reason: 'game_account_not_found' },
    });
    expect(await arrive(await tokenFor(stranger))).toMatchObject({ code: 'ArrivalRefused' });
    expect(await ownersOf([stranger])).toEqual([]);
  });

  test('a player whose account is suspended cannot get another account by arriving again', async () => {
    const gameAccountId = newPlayer();
    await issueTo(gameAccountId);
    const [owner] = await ownersOf([gameAccountId]);
    const { status } = await operate(shop, [
      ...['suspend', owner?.account_id ?? '', '--by', 'ines', '--reason', 'a stolen card'],
    ]);
    expect(status).toBe(0);
    const ticket = await issueTo(gameAccountId, { displayName: 'somebody else' });
    expect(await arrive(ticket)).toMatchObject({ code: 'AccountSuspended', cookie: undefined });
    expect(await ownersOf([gameAccountId])).toEqual([owner]);
  });
});

describe('limits on new players', () => {
  test('a game is told to come back later beyond its new players of a minute, and known players still arrive', async () => {
    await setArrival('create', 20);
    const known = newPlayer();
    await issueTo(known);
    const players = Array.from({ length: 40 }, newPlayer);
    const asked = await Promise.all(players.map((gameAccountId) => issue({ gameAccountId })));
    expect(asked.filter(({ said }) => said.result === 'ok')).toHaveLength(19);
    const busy = asked.filter(({ said }) => said.result === 'busy');
    expect(busy.map(({ status }) => status)).toEqual(Array(21).fill(503));
    expect(await ownersOf(players)).toHaveLength(19);
    expect(await abandoned()).toEqual([]);

    expect(await arrive(await tokenFor(newPlayer()))).toMatchObject({
      httpStatus: 503,
      code: 'SystemBusy',
    });
    expect(await arrive(await tokenFor(known))).toMatchObject({ isSuccess: true });
  });

  test('a tenth of the new players that a game may bring in a minute opens one case for operators', async () => {
    await setArrival('create', 50);
    for (let i = 0; i < 8; i += 1) await issueTo(newPlayer());
    const cases = await shop.db.many(
      z.object({ subject: z.string(), details: z.unknown() }),
      sql`select subject, details from cases where kind = 'many_new_players' and resolved_at is null`,
    );
    expect(cases).toEqual([{ subject: gameId, details: { inOneMinute: 5 } }]);
  });
});

describe('the owner of a game account', () => {
  const bound = ['--by', 'ines', '--reason', 'ticket 4711'];
  const bind = (accountId: string, gameAccountId: string) =>
    operate(shop, [
      ...['bind-game-account', accountId, '--game', gameId, '--game-account', gameAccountId],
      ...bound,
    ]);
  const release = (accountId: string, gameAccountId: string) =>
    operate(shop, [
      ...['release-game-account', accountId, '--game', gameId, '--game-account', gameAccountId],
      ...bound,
    ]);

  test('the game_accounts table refuses a second owner of a game account', async () => {
    const [one, two] = [await givenPlayer(shop), await givenPlayer(shop)];
    const second = shop.db.transaction((tx) =>
      tx.run(sql`
        insert into game_accounts (account_id, game_id, game_account_id)
        values (${two.accountId}, ${gameId}, ${one.gameAccountId})`),
    );
    await expect(second).rejects.toThrow('one_owner');
    const { accountId } = two;
    const { gameAccountId } = one;
    const binding = { accountId, gameId, gameAccountId };
    expect(await shop.db.transaction((tx) => bindGameAccount(tx, binding))).toBe(false);
  });

  test('a game account moved by an operator signs its player in to the new shop account, and sessions of the former owner end', async () => {
    const [one, two] = [await givenPlayer(shop), await givenPlayer(shop)];
    const cookie = await signIn(shop, one);
    expect(await bind(two.accountId, one.gameAccountId)).toMatchObject({
      status: 1,
      complaint: expect.stringContaining('another account owns this game account'),
    });
    expect(await release(one.accountId, one.gameAccountId)).toMatchObject({ status: 0 });
    expect(await send(shop, '/api/user/info', { cookie })).toMatchObject({ httpStatus: 203 });
    expect(await bind(two.accountId, one.gameAccountId)).toMatchObject({ status: 0 });
    const arrived = await arrive(await issueTo(one.gameAccountId));
    expect(arrived.data).toMatchObject({ accountId: two.accountId });

    const { out } = await operate(shop, ['account', one.accountId]);
    expect(JSON.parse(out)).toMatchObject({
      gameAccounts: [],
      formerGameAccounts: [{ game_account_id: one.gameAccountId, released_by: 'ines' }],
      changes: [{ change: 'released', by: 'ines', reason: 'ticket 4711' }],
    });
  });

  test('a game account is not released while an order for it is open', async () => {
    const buyer = await givenBuyer(shop);
    expect(await createOrder(shop, buyer)).toMatchObject({ isSuccess: true });
    expect(await release(buyer.accountId, buyer.gameAccountId)).toMatchObject({
      status: 1,
      complaint: expect.stringContaining('an order for this game account is open'),
    });
    expect(await ownersOf([buyer.gameAccountId])).toHaveLength(1);
  });

  test('an operator command about a game account is refused for an unknown account, game or binding', async () => {
    const { accountId, gameAccountId } = await givenPlayer(shop);
    const nobody = '01970000-0000-7000-8000-000000000000';
    const elsewhere = ['--game', 'nowhere', '--game-account', 'p-1', ...bound];
    expect(await bind(nobody, newPlayer())).toMatchObject({ status: 1 });
    expect(await operate(shop, ['bind-game-account', accountId, ...elsewhere])).toMatchObject({
      status: 1,
      complaint: expect.stringContaining('there is no game nowhere'),
    });
    expect(await release(nobody, gameAccountId)).toMatchObject({ status: 1 });
    expect(await release(accountId, newPlayer())).toMatchObject({ status: 1 });
    const arrival = ['game-arrival', 'nowhere', 'create', ...bound];
    expect(await operate(shop, arrival)).toMatchObject({ status: 1 });
  });

  test('an operator finds an account by its login name and by its game account', async () => {
    const { accountId, loginName, gameAccountId } = await givenPlayer(shop);
    for (const wanted of [{ loginName: loginName.toUpperCase() }, { gameId, gameAccountId }]) {
      const { out } = await operate(shop, ['find-account', '--by', 'ines'], { input: wanted });
      expect(JSON.parse(out)).toEqual({ accountId });
    }
    const unknown = { input: { email: 'nobody@example.com' } };
    expect(await operate(shop, ['find-account', '--by', 'ines'], unknown)).toMatchObject({
      status: 1,
      complaint: expect.stringContaining('there is no such account'),
    });
  });

  test('arrivals, bindings and releases at the same time never give a game account two owners', async () => {
    const players = Array.from({ length: 4 }, newPlayer);
    const accounts = await Promise.all([givenPlayer(shop), givenPlayer(shop), givenPlayer(shop)]);
    const inTurn = async (what: (i: number) => Promise<unknown>) => {
      for (let i = 0; i < 12; i += 1) await what(i);
    };
    await Promise.all([
      ...accounts.map(({ accountId }) =>
        inTurn(async (i) => {
          const gameAccountId = players[i % 4] ?? '';
          await bind(accountId, gameAccountId);
          await release(accountId, gameAccountId);
        }),
      ),
      ...players.map((gameAccountId) =>
        inTurn((i) => issue({ gameAccountId, displayName: `arrival ${i}` })),
      ),
    ]);
    const owners = await ownersOf(players);
    expect(owners).toHaveLength(4);
    expect(await abandoned()).toEqual([]);
  });
});

test('an API that is killed at random while new players arrive leaves each of them with one account or none', async () => {
  const players = Array.from({ length: 60 }, newPlayer);
  const issuedTo = new Set<string>();
  for (let kill = 0; kill < 3; kill += 1) {
    const api = await startShopProcess(shop, 'api');
    let answered = 0;
    const asked = players.flatMap((gameAccountId, i) =>
      [0, 1].map(async (twice) => {
        const displayName = `Player ${i}, ${kill}, ${twice}`;
        const reply = await issue({ gameAccountId, displayName }, api.url).catch(() => undefined);
        if (reply?.said.result === 'ok') issuedTo.add(gameAccountId);
        answered += 1;
        if (answered === 20 + 15 * kill) await api.kill();
      }),
    );
    await Promise.all(asked);
    await api.kill();
    expect(await abandoned()).toEqual([]);
  }
  const owned = (await ownersOf(players)).map(({ game_account_id }) => game_account_id);
  expect(new Set(owned).size).toBe(owned.length);
  expect(issuedTo.size).toBeGreaterThan(0);
  expect([...issuedTo].filter((gameAccountId) => !owned.includes(gameAccountId))).toEqual([]);
});
