import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operate } from '../../../test/operate.ts';
import {
  eventually,
  givenPlayer,
  openTestShop,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from '../../../test/shop.ts';
import { createAccount } from '../../people/accounts/accounts.ts';
import { hashPassword } from '../../people/accounts/passwords.ts';
import { sql } from '../../platform/db.ts';

let shop: TestShop;
let player: TestPlayer;
let cookie: string;
beforeAll(async () => {
  shop = await openTestShop();
  await shop.db.transaction((tx) =>
    tx.run(sql`update game_servers set systems = array['android'] where id = 's3'`),
  );
});
afterAll(() => shop.closeAll());
beforeEach(async () => {
  player = await givenPlayer(shop);
  cookie = await signIn(shop, player);
  await shop.game.tell('/__sandbox/reset', {});
});

const gameId = 'solmere';
const heroes = [
  { roleId: 'r_1', name: 'Mira', level: 12 },
  { roleId: 'r_2', name: 'Søren 💎', level: 80 },
];
const s12 = {
  serverId: 's12',
  name: 'S12 Dawnreach',
  region: 'Asia',
  status: 0,
  maintenanceUntil: null,
};

const call = (name: string, body: object, headers: Record<string, string> = {}) =>
  send(shop, `/api/character/${name}`, { cookie, body: { gameId, ...body }, headers });
const giveRoles = (roles: object[]) =>
  shop.game.tell('/__sandbox/roles', {
    gameAccountId: player.gameAccountId,
    serverId: 's12',
    roles,
  });
const breakGame = (kind: string, times: number) =>
  shop.game.tell('/__sandbox/faults', { call: 'roles.query', kind, times });
const refusal = (code: string) => ({ httpStatus: 200, isSuccess: false, code, data: null });

describe('server lists', () => {
  const Servers = z.object({
    servers: z.array(z.object({ serverId: z.string(), status: z.int() })),
  });
  const statuses = async (system: string) => {
    const reply = await call('server/list', { system });
    return Servers.parse(reply.data).servers.map(({ serverId, status }) => [serverId, status]);
  };

  test("[S7.21] the server list has the game servers for the phone's operating system, with status 0 if open and 1 in maintenance", async () => {
    expect(await statuses('android')).toEqual([
      ['s12', 0],
      ['s7', 0],
      ['s3', 0],
      ['s1', 1],
    ]);
    expect(await statuses('ios')).toEqual([
      ['s12', 0],
      ['s7', 0],
      ['s1', 1],
    ]);
  });

  test('[S4.09] an operator command puts a server into maintenance and reopens it within seconds', async () => {
    const tell = (command: string, reason: string) =>
      operate(shop, [command, 'solmere', 's7', '--by', 'ana', '--reason', reason]);
    const until = (status: number) =>
      eventually(async () =>
        (await statuses('ios')).some(([id, at]) => id === 's7' && at === status),
      );
    const closed = await tell('server-maintenance', 'patch 2.1');
    expect(closed.status).toBe(0);
    const changed = { by: 'ana', reason: 'patch 2.1', at: expect.any(String) };
    const place = { gameId: 'solmere', serverId: 's7' };
    expect(JSON.parse(closed.out)).toEqual({
      ...place,
      status: 'maintenance',
      until: null,
      toldBy: 'operator',
      changed,
    });
    await until(1);
    await tell('server-open', 'patch is done');
    await until(0);
    const listed: unknown[] = JSON.parse((await operate(shop, ['servers'])).out);
    expect(listed).toContainEqual({
      ...place,
      status: 'open',
      until: null,
      toldBy: 'operator',
      changed: { ...changed, reason: 'patch is done' },
    });
    expect(listed).toContainEqual({
      gameId: 'solmere',
      serverId: 's12',
      status: 'open',
      until: null,
      toldBy: 'catalogue',
      changed: null,
    });
  });

  test("an operator cannot change a game server's status without a reason or for an unknown server, and stored changes cannot be deleted", async () => {
    const unnamed = ['server-open', 'solmere', 's7', '--by', 'ana'];
    expect(await operate(shop, unnamed)).toMatchObject({
      status: 1,
      complaint: '--reason is missing\n',
    });
    const unknown = ['server-open', 'solmere', 's99', '--by', 'ana', '--reason', 'none'];
    expect(await operate(shop, unknown)).toMatchObject({
      status: 1,
      complaint: 'there is no server s99 of a game solmere\n',
    });
    await expect(
      shop.db.transaction((tx) => tx.run(sql`delete from server_status_changes`)),
    ).rejects.toThrow();
  });

  test('the server list names game servers in the language of the player, with English as the fallback', async () => {
    const reply = await call('server/list', { system: 'ios' }, { 'accept-language': 'ja' });
    expect(reply.data).toMatchObject({
      servers: [{ name: 'S12 Dawnreach', region: 'アジア' }, {}, {}],
    });
  });

  test('[S7.21] the server list of an unknown game is refused with NotFound', async () => {
    const reply = await call('server/list', { gameId: 'nowhere', system: 'ios' });
    expect(reply).toMatchObject({ httpStatus: 404, code: 'NotFound', data: null });
  });
});

describe('role lists', () => {
  test("[S7.22] a player's list of game characters is read from the game on every call", async () => {
    await giveRoles(heroes);
    expect((await call('role/list', { serverId: 's12' })).data).toEqual({ roles: heroes });
    await giveRoles([]);
    expect((await call('role/list', { serverId: 's12' })).data).toEqual({ roles: [] });
  });

  test.each(['http500_before', 'cut_after_commit'])(
    'a request for the list of game characters fails with GameUnavailable while the game is down (%s) and works afterwards',
    async (kind) => {
      await breakGame(kind, 1);
      expect(await call('role/list', { serverId: 's12' })).toMatchObject(
        refusal('GameUnavailable'),
      );
      expect(await call('role/list', { serverId: 's12' })).toMatchObject({ isSuccess: true });
    },
  );

  test('a request for the list of game characters on an unknown server or in an unknown game is refused with ServerNotFound', async () => {
    expect(await call('role/list', { serverId: 's99' })).toMatchObject(refusal('ServerNotFound'));
    const elsewhere = { gameId: 'nowhere', serverId: 's12' };
    expect(await call('role/list', elsewhere)).toMatchObject(refusal('ServerNotFound'));
  });

  test('a request for the list of game characters by a player without a game account is refused with GameAccountNotFound', async () => {
    const loginName = `stranger-${player.loginName}`;
    const passwordHash = await hashPassword(player.password);
    const accountId = await shop.db.transaction((tx) =>
      createAccount(tx, { loginName, displayName: loginName, passwordHash }),
    );
    cookie = await signIn(shop, { ...player, accountId, loginName });
    const reply = await call('role/list', { serverId: 's12' });
    expect(reply).toMatchObject(refusal('GameAccountNotFound'));
  });
});

describe('character selection', () => {
  const choose = (roleId: string, serverId = 's12') => call('info/select', { serverId, roleId });
  const lastChoice = async () => {
    const reply = await call('game/info', {});
    return z.object({ character: z.unknown() }).parse(reply.data).character;
  };

  test('[S3.08, S7.23, S7.24] the character that a player selects, with its game server, is remembered until the next selection', async () => {
    await giveRoles(heroes);
    expect(await lastChoice()).toBeNull();
    const chosen = await choose('r_1');
    expect(chosen.data).toEqual({ server: s12, role: heroes[0] });
    expect(await lastChoice()).toEqual({ server: s12, role: heroes[0] });
    await choose('r_2');
    await choose('r_2');
    expect(await lastChoice()).toEqual({ server: s12, role: heroes[1] });
  });

  test('the selection of a character that belongs to another player or another server is refused and keeps the earlier selection', async () => {
    await giveRoles(heroes);
    await choose('r_1');
    await shop.game.tell('/__sandbox/roles', {
      gameAccountId: 'ga_somebody',
      serverId: 's12',
      roles: [{ roleId: 'r_foreign', name: 'Foreign', level: 1 }],
    });
    expect(await choose('r_foreign')).toMatchObject(refusal('RoleNotFound'));
    expect(await choose('r_1', 's7')).toMatchObject(refusal('RoleNotFound'));
    expect(await lastChoice()).toMatchObject({ role: heroes[0] });
  });

  test('a character selection is refused with GameUnavailable while the game is down', async () => {
    await giveRoles(heroes);
    await breakGame('http500_before', 1);
    expect(await choose('r_1')).toMatchObject(refusal('GameUnavailable'));
    expect(await lastChoice()).toBeNull();
  });

  test('a selected character is visible only to its own account', async () => {
    await giveRoles(heroes);
    await choose('r_1');
    cookie = await signIn(shop, await givenPlayer(shop));
    expect(await lastChoice()).toBeNull();
  });

  test('a character selection on an unknown game server is refused with ServerNotFound', async () => {
    expect(await choose('r_1', 's99')).toMatchObject(refusal('ServerNotFound'));
  });

  test('a selected character is returned with the current status of its game server', async () => {
    await giveRoles(heroes);
    await choose('r_1');
    const say = (status: number) =>
      shop.db.transaction((tx) =>
        tx.run(sql`update game_servers set status = ${status} where id = 's12'`),
      );
    await say(1);
    await eventually(async () => {
      const choice = z.object({ server: z.object({ status: z.int() }) }).parse(await lastChoice());
      return choice.server.status === 1;
    });
    await say(0);
  });
});

describe('game info', () => {
  test('[S7.24] game info is returned in the language of the player', async () => {
    const reply = await call('game/info', {}, { 'accept-language': 'zh-Hant' });
    expect(reply.data).toEqual({ gameId, name: '索爾梅爾', subtitle: '沉日迴響', character: null });
  });

  test('[S7.24] game info of an unknown game is refused with NotFound', async () => {
    const reply = await call('game/info', { gameId: 'nowhere' });
    expect(reply).toMatchObject({ httpStatus: 404, isSuccess: false, code: 'NotFound' });
  });
});

describe.each([
  ['S7.21', 'server/list', { system: 'ios' }],
  ['S7.22', 'role/list', { serverId: 's12' }],
  ['S7.23', 'info/select', { serverId: 's12', roleId: 'r_1' }],
  ['S7.24', 'game/info', {}],
])('[%s] the API call %s about servers, roles or characters', (_statement, name, body) => {
  test('an API call about game servers or game characters is refused without a session', async () => {
    cookie = '';
    expect(await call(name, body)).toMatchObject({ httpStatus: 203, code: 'InvalidToken' });
  });

  test('an API call about game servers or game characters is refused from another origin or with an unknown field', async () => {
    const foreign = await call(name, body, { 'sec-fetch-site': 'cross-site' });
    expect(foreign).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
    const malformed = await call(name, { ...body, accountId: player.accountId });
    expect(malformed).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  });
});
