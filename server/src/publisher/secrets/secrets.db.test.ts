import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { issueTicket } from '@pointgate/contract/tickets.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { demoGame, writeSite } from '../../../test/demo.ts';
import { operate } from '../../../test/operate.ts';
import { shopEnvironment } from '../../../test/processes.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { digestOf, type SigningGame, startSigningGame } from '../../../test/signing-game.ts';
import { upsertGame } from '../../documents/seed/seed.queries.ts';
import { createAccount } from '../../people/accounts/accounts.ts';
import { bindGameAccount } from '../../people/accounts/game-accounts.ts';
import { sql } from '../../platform/db.ts';
import { createApi, openShop, type Shop } from '../../wiring/app.ts';
import { readConfig } from '../../wiring/config.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const masterKey = (id: string) => ({ id, key: randomBytes(32).toString('base64') });
const key = masterKey('k1');
const keys = { MASTER_KEYS: JSON.stringify([key]), GAME_SECRETS: '{}' };

let shop: TestShop;
/** Three processes as far as memory goes: each with its own connections and caches. */
let apps: { shop: Shop; api: FastifyInstance }[];
const games: SigningGame[] = [];

beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...keys }, { ownUsers: true });
  const DATABASE_URL = shop.apiShop.config.DATABASE_URL;
  const settings = { ...shopEnvironment(shop), LOG_LEVEL: 'silent', ...keys, DATABASE_URL };
  apps = await Promise.all(
    [1, 2, 3].map(async () => {
      const opened = await openShop(readConfig(settings), 'api');
      return { shop: opened, api: await createApi(opened) };
    }),
  );
});
afterAll(async () => {
  for (const { shop: opened, api } of apps) {
    await api.close();
    await opened.close();
  }
  await Promise.all(games.map((game) => game.close()));
  await shop.closeAll();
});

const Change = z.object({ version: z.int(), state: z.string(), value: z.string().optional() });

/** A command of the operator ines, with a value on standard input if one is given. */
async function command(line: string, input = '', environment: NodeJS.ProcessEnv = keys) {
  return await operate(shop, [...line.split(' '), '--by', 'ines'], { input, environment });
}

async function changed(line: string, input?: string) {
  const { status, out, complaint } = await command(line, input);
  if (status !== 0) throw new Error(complaint);
  return Change.parse(JSON.parse(out));
}

/** A game with a site, an account and a server that checks signatures. */
async function givenGame(...accepted: string[]) {
  const id = `game-${randomUUID().slice(0, 8)}`;
  const game = await startSigningGame(...accepted);
  games.push(game);
  const gameAccountId = `ga_${id}`;
  await shop.db.transaction(async (tx) => {
    await upsertGame(tx, { apiUrl: game.url, game: { ...demoGame, id } });
    const site = { id, gameId: id, portalUrl: `http://${id}.example`, hosts: [`${id}.example`] };
    await writeSite(tx, site);
    const account = { loginName: id, displayName: id, passwordHash: 'x' };
    const accountId = await createAccount(tx, account);
    await bindGameAccount(tx, { accountId, gameId: id, gameAccountId });
  });
  return { id, owner: `game:${id}`, gameAccountId, game };
}

type Given = Awaited<ReturnType<typeof givenGame>>;

/** The result of a call of the shop to the game. */
async function shopCalls(app: { shop: Shop }, { id, gameAccountId, game }: Given) {
  const address = { gameId: id, apiUrl: game.url };
  const asked = await app.shop.games.rolesOf(address, { serverId: 's1', gameAccountId });
  return asked.result === 'ok' ? 'ok' : asked.cause;
}

let calls = 0;

/** The result of a request of the game to the shop, signed with the secret. */
async function gameCalls({ api }: { api: FastifyInstance }, given: Given, secret: string) {
  const t = String(Math.floor(Date.now() / 1000) - 60);
  const asked = { gameId: given.id, gameAccountId: given.gameAccountId };
  // Spaces make each body different, because a repeated request is refused.
  calls += 1;
  const body = `${JSON.stringify(asked)}${' '.repeat(calls)}`;
  const reply = await api.inject({
    method: 'POST',
    url: issueTicket.path,
    headers: {
      host: `${given.id}.example`,
      'content-type': 'application/json',
      'pointgate-signature': `t=${t},v1=${digestOf(secret, t, body)}`,
    },
    payload: body,
  });
  const said = z
    .union([z.object({ result: z.string() }), z.object({ code: z.string() })])
    .parse(reply.json());
  return 'result' in said ? said.result : said.code;
}

const everyApp = async <T>(ask: (app: (typeof apps)[number]) => Promise<T>, expected: T) => {
  const all = await Promise.all(apps.map(ask));
  return all.every((each) => each === expected);
};

/** A value for standard input that production would take. */
const givenValue = () => randomBytes(32).toString('base64url');

describe('a game that is added while the shop runs', () => {
  test('a new game with a generated secret is called and answered by three running processes without a restart', async () => {
    const given = await givenGame();
    expect(await shopCalls(apps[0] as (typeof apps)[0], given)).toBe('the game has no secret');
    const { value = '' } = await changed(`secret-set ${given.owner} --generate`);
    given.game.accepted.push(value);
    // At once: a process that does not know the owner reads again before it refuses.
    expect(await everyApp((app) => shopCalls(app, given), 'ok')).toBe(true);
    await eventually(() => everyApp((app) => gameCalls(app, given, value), 'ok'));
    expect(await everyApp((app) => gameCalls(app, given, `${value}x`), 'unauthorized')).toBe(true);
  });

  test("a game's token keys that an operator has set are read by a running process", async () => {
    const { owner } = await givenGame();
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'public', kid: 'one' };
    const line = `secret-set ${owner} --name token-keys`;
    expect((await command(line, '{"keys":[]}')).complaint).toContain('is no set of public keys');
    await changed(line, JSON.stringify({ keys: [jwk] }));
    const [app] = apps;
    expect(await app?.shop.secrets.of({ owner, name: 'token-keys' })).toHaveLength(1);
  });
});

describe('rotation of the secret of a game', () => {
  test('no call in either direction is refused while a secret is rotated, and the retired secret is refused afterwards', async () => {
    const first = givenValue();
    const given = await givenGame(first);
    await changed(`secret-set ${given.owner}`, first);
    // The processes hear of the site first.
    await eventually(() => everyApp((app) => gameCalls(app, given, first), 'ok'));
    let signsWith = first;
    let isOver = false;
    const results = new Map<string, number>();
    const count = (result: string) => results.set(result, (results.get(result) ?? 0) + 1);
    const load = apps.flatMap((app) => [
      (async () => {
        while (!isOver) count(`to the game: ${await shopCalls(app, given)}`);
      })(),
      (async () => {
        while (!isOver) count(`from the game: ${await gameCalls(app, given, signsWith)}`);
      })(),
    ]);
    const someCalls = async () => {
      const total = () => [...results.values()].reduce((sum, each) => sum + each, 0);
      const before = total();
      await eventually(async () => total() > before + 30);
    };

    await someCalls();
    const next = givenValue();
    given.game.accepted.push(next);
    expect(await changed(`secret-rotate ${given.owner}`, next)).toMatchObject({ state: 'next' });
    // The game signs with the next secret at once, before the processes can have been told.
    signsWith = next;
    await someCalls();
    expect(await changed(`secret-rotate ${given.owner} --finish`)).toMatchObject({ version: 2 });
    await someCalls();
    isOver = true;
    await Promise.all(load);
    expect([...results.keys()].toSorted()).toEqual(['from the game: ok', 'to the game: ok']);

    await eventually(() => everyApp((app) => gameCalls(app, given, first), 'unauthorized'));
    // Nothing is signed with the retired one either.
    given.game.accepted = [next];
    await eventually(() => everyApp((app) => shopCalls(app, given), 'ok'));
    const row = await shop.db.one(
      z.object({ sealed: z.null(), key_id: z.null() }),
      sql`select sealed, key_id from secrets where owner = ${given.owner} and version = 1`,
    );
    expect(row).toEqual({ sealed: null, key_id: null });
  });

  test('a cancelled rotation erases the next secret and leaves the current one in use', async () => {
    const first = givenValue();
    const given = await givenGame(first);
    await changed(`secret-set ${given.owner}`, first);
    const { value: next = '' } = await changed(`secret-rotate ${given.owner} --generate`);
    const [app] = apps as [(typeof apps)[0]];
    await eventually(() => everyApp((each) => gameCalls(each, given, next), 'ok'));
    await changed(`secret-rotate ${given.owner} --cancel`);
    await eventually(() => everyApp((each) => gameCalls(each, given, next), 'unauthorized'));
    expect(await gameCalls(app, given, first)).toBe('ok');
    expect(await shopCalls(app, given)).toBe('ok');
    expect((await command(`secret-rotate ${given.owner} --finish`)).complaint).toContain(
      'has no next secret',
    );
  });

  test('one of ten rotations of a secret at the same time is done and nine are refused', async () => {
    const { owner } = await givenGame();
    await changed(`secret-set ${owner} --generate`);
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => command(`secret-rotate ${owner} --generate`)),
    );
    expect(ends.filter(({ status }) => status === 0)).toHaveLength(1);
    for (const { complaint } of ends.filter(({ status }) => status !== 0)) {
      expect(complaint).toBe(
        `${owner} has a next secret already: take --finish or --cancel first\n`,
      );
    }
    const finished = await Promise.all(
      [1, 2, 3].map(() => command(`secret-rotate ${owner} --finish`)),
    );
    expect(finished.filter(({ status }) => status === 0)).toHaveLength(1);
  });

  test('ten first secrets of one owner set at the same time are ten versions, of which one is in use', async () => {
    const { owner } = await givenGame();
    await Promise.all(Array.from({ length: 10 }, () => changed(`secret-set ${owner} --generate`)));
    const rows = await shop.db.many(
      z.object({ version: z.int(), state: z.string() }),
      sql`select version, state from secrets where owner = ${owner} order by version`,
    );
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rows.filter(({ state }) => state !== 'retired')).toEqual([
      { version: 10, state: 'current' },
    ]);
  });

  test('an emergency change with secret-set retires the current and the next secret at once', async () => {
    const given = await givenGame();
    const { value: first = '' } = await changed(`secret-set ${given.owner} --generate`);
    const { value: next = '' } = await changed(`secret-rotate ${given.owner} --generate`);
    const { value: other = '' } = await changed(`secret-set ${given.owner} --generate`);
    await eventually(() => everyApp((app) => gameCalls(app, given, first), 'unauthorized'));
    await eventually(() => everyApp((app) => gameCalls(app, given, next), 'unauthorized'));
    expect(await everyApp((app) => gameCalls(app, given, other), 'ok')).toBe(true);
  });
});

test('a rotation whose process is killed in the middle has not happened, and can be repeated', async () => {
  const { owner } = await givenGame();
  await changed(`secret-set ${owner} --generate`);
  await changed(`secret-rotate ${owner} --generate`);
  const states = async () => {
    const rows = await shop.db.many(
      z.object({ version: z.int(), state: z.string(), has: z.boolean() }),
      sql`
        select version, state, sealed is not null as has from secrets
        where owner = ${owner} order by version`,
    );
    return rows.map(({ state, has }) => `${state} ${has ? 'sealed' : 'erased'}`);
  };
  const before = await states();
  expect(before).toEqual(['current sealed', 'next sealed']);

  // Stops the command after its first change: both changes count up the version of all secrets.
  const session = await shop.openSession();
  await session.execute('begin');
  await session.execute(`update content_versions set version = version where topic = 'secrets'`);
  const program = spawn(
    process.execPath,
    ['server/src/operate.ts', 'secret-rotate', owner, '--finish', '--by', 'ines'],
    { env: { ...shopEnvironment(shop), ...keys }, cwd: root, stdio: 'ignore' },
  );
  const ended = once(program, 'exit');
  const isWaiting = async () => {
    const { waiting } = await shop.db.one(
      z.object({ waiting: z.boolean() }),
      sql`
        select exists (
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and query ilike '%update secrets set state = ''retired''%') as waiting`,
    );
    return waiting;
  };
  await eventually(isWaiting);
  program.kill('SIGKILL');
  await ended;
  await session.execute('rollback');
  await session.close();

  await eventually(async () => !(await isWaiting()));
  expect(await states()).toEqual(before);
  await changed(`secret-rotate ${owner} --finish`);
  expect(await states()).toEqual(['retired erased', 'current sealed']);
});

describe('values of sealed secrets', () => {
  test('a dump of every table holds no sealed secret in the clear, in hex or in base64', async () => {
    const { owner } = await givenGame();
    const typed = givenValue();
    const { value: generated = '' } = await changed(`secret-set ${owner} --generate`);
    await changed(`secret-rotate ${owner}`, typed);
    const tables = await shop.db.many(
      z.object({ name: z.string() }),
      sql`
        select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(80);
    const session = await shop.openSession();
    const dump = [];
    for (const { name } of tables) {
      const { rows } = await session.execute(`select * from ${name}`);
      const bytes = rows.flatMap(
        (row) => Object.values(row as object).filter((value) => Buffer.isBuffer(value)), // as: pg answers objects
      );
      dump.push(JSON.stringify(rows), ...bytes.map((value) => value.toString('latin1')));
      dump.push(...bytes.flatMap((value) => [value.toString('hex'), value.toString('base64')]));
    }
    await session.close();
    const all = dump.join('\n');
    expect(all).toContain(owner);
    for (const value of [typed, generated, key.key]) {
      const bytes = Buffer.from(value);
      const forms = [
        value,
        bytes.toString('hex'),
        bytes.toString('base64').replace(/=+$/, ''),
        bytes.toString('base64url'),
        Buffer.from(value, 'base64').toString('hex'),
        JSON.stringify([...bytes]).slice(1, -1),
      ];
      for (const form of forms) expect(all.includes(form)).toBe(false);
    }
  });

  test('the audit entries of secret changes name the owner and contain no value', async () => {
    const { owner } = await givenGame();
    const typed = givenValue();
    await changed(`secret-set ${owner}`, typed);
    const entries = await shop.db.many(
      z.object({ action: z.string(), by: z.string(), input: z.unknown() }),
      sql`select action, by, input from operator_entries where input ->> 'owner' = ${owner}`,
    );
    expect(entries).toEqual([{ action: 'secret-set', by: 'ines', input: { owner } }]);
  });

  test('no answer and no refusal of a command repeats a typed secret', async () => {
    const { owner } = await givenGame();
    const other = await givenGame();
    const typed = givenValue();
    const ends = [
      await command(`secret-set ${owner}`, typed),
      await command(`secret-set ${other.owner}`, typed),
      await command(`secret-set ${owner} --name token-keys`, typed),
      await command(`secret-set nobody:x`, typed),
      await command(`secret-set ${owner} --name nothing`, typed),
      await command(`secret-rotate ${owner} --nothing`, typed),
      await command(`secret-set ${owner}`, typed, { ...keys, MASTER_KEYS: '' }),
      await command('secrets'),
    ];
    expect(ends.map(({ status }) => status)).toEqual([0, 1, 1, 1, 1, 2, 2, 0]);
    expect(ends[1]?.complaint).toBe(
      `the value on standard input is the same secret as that of ${owner}\n`,
    );
    for (const { out, complaint } of ends) expect(out + complaint).not.toContain(typed);
  });

  test('a generated secret is shown once, and secrets lists every version with who set it and where it comes from', async () => {
    const { owner } = await givenGame();
    const { value = '' } = await changed(`secret-set ${owner} --generate`);
    await changed(`secret-rotate ${owner} --generate`);
    const environment = {
      ...keys,
      GAME_SECRETS: JSON.stringify({ elsewhere: ['a-secret-of-elsewhere'] }),
    };
    const { out } = await command('secrets', '', environment);
    const { secrets } = JSON.parse(out);
    expect(out).not.toContain(value);
    const at = expect.any(String);
    expect(secrets).toContainEqual({
      owner,
      name: 'signing',
      inUse: 'sealed',
      versions: [
        { version: 1, state: 'current', by: 'ines', at },
        { version: 2, state: 'next', by: 'ines', at },
      ],
    });
    expect(secrets).toContainEqual({
      owner: 'game:elsewhere',
      name: 'signing',
      inUse: 'environment',
      versions: [],
    });
  });

  test('a short, guessable or missing secret is refused', async () => {
    const { owner } = await givenGame();
    for (const value of ['', 'short', 'ab'.repeat(30)]) {
      expect(await command(`secret-set ${owner}`, value)).toMatchObject({ status: 1 });
    }
  });

  test('a secret of the environment wins over a sealed one, and the operator is told so', async () => {
    const { id, owner } = await givenGame();
    const environment = { ...keys, GAME_SECRETS: JSON.stringify({ [id]: ['of-the-environment'] }) };
    const { out } = await command(`secret-set ${owner} --generate`, '', environment);
    expect(JSON.parse(out).unused).toContain('the environment has this secret');
    const opened = await openShop(
      readConfig({ ...shopEnvironment(shop), LOG_LEVEL: 'silent', ...environment }),
      'api',
    );
    expect(await opened.secrets.of({ owner, name: 'signing' })).toEqual(['of-the-environment']);
    await opened.close();
  });
});

describe('rows of sealed secrets', () => {
  const used = (app: { shop: Shop } | undefined, owner: string) =>
    app?.shop.secrets.of({ owner, name: 'signing' }, 'again');

  test.each([
    ['owner', sql`owner = owner || 'x'`, (owner: string) => `${owner}x`],
    ['version', sql`version = version + 1`, (owner: string) => owner],
    ['key', sql`key_id = 'k2'`, (owner: string) => owner],
  ])(
    'a sealed secret whose row was moved to another %s does not open, and other secrets stay in use',
    async (_what, move, ownerAfter) => {
      const [one, other] = [await givenGame(), await givenGame()];
      await changed(`secret-set ${one.owner} --generate`);
      await changed(`secret-set ${other.owner} --generate`);
      expect(await used(apps[0], one.owner)).toHaveLength(1);
      await shop.db.transaction((tx) =>
        tx.run(sql`update secrets set ${move} where owner = ${one.owner}`),
      );
      expect(await used(apps[0], one.owner)).toEqual([]);
      expect(await used(apps[0], ownerAfter(one.owner))).toEqual([]);
      expect(await used(apps[0], other.owner)).toHaveLength(1);
      const unusable = (await apps[0]?.shop.secrets.unusable()) ?? [];
      const owners = unusable.map(({ key: rowKey }) => rowKey.split(' ')[0]);
      expect(owners).toContain(ownerAfter(one.owner));
      await shop.db.transaction((tx) =>
        tx.run(sql`delete from secrets where owner = ${ownerAfter(one.owner)}`),
      );
    },
  );

  test('the database users of api and worker may read sealed secrets and not write them, and readers may not read them', async () => {
    const rights = await shop.db.many(
      z.object({ grantee: z.string(), privilege_type: z.string() }),
      sql`
        select grantee, privilege_type from information_schema.role_table_grants
        where table_name = 'secrets' and grantee like 'pointgate_%' order by 1, 2`,
    );
    expect(rights).toEqual([
      { grantee: 'pointgate_api', privilege_type: 'SELECT' },
      { grantee: 'pointgate_worker', privilege_type: 'SELECT' },
    ]);
  });
});

test('after secrets-reseal the older master key can leave the configuration', async () => {
  const { owner } = await givenGame();
  const { value } = await changed(`secret-set ${owner} --generate`);
  const newer = masterKey('k2');
  const both = { ...keys, MASTER_KEYS: JSON.stringify([newer, key]) };
  const { out } = await command('secrets-reseal', '', both);
  expect(JSON.parse(out).resealed).toBeGreaterThan(0);
  const settings = { ...shopEnvironment(shop), LOG_LEVEL: 'silent', ...keys };
  const opened = await openShop(
    readConfig({ ...settings, MASTER_KEYS: JSON.stringify([newer]) }),
    'api',
  );
  expect(await opened.secrets.of({ owner, name: 'signing' })).toEqual([value]);
  expect(await opened.secrets.unusable()).toEqual([]);
  await opened.close();
  expect(JSON.parse((await command('secrets-reseal', '', both)).out)).toEqual({ resealed: 0 });
});
