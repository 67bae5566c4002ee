import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Envelope } from '@pointgate/contract/envelope.ts';
import type { FastifyInstance } from 'fastify';
import { EncryptJWT, importJWK } from 'jose';
import { inject } from 'vitest';
import { z } from 'zod';
import { gameSecretsOf } from '../../tools/stack/demo-games.ts';
import { upsertItems, upsertPointPacks } from '../src/documents/seed/seed.queries.ts';
import { createAccount } from '../src/people/accounts/accounts.ts';
import { bindGameAccount } from '../src/people/accounts/game-accounts.ts';
import type { SealingKey } from '../src/people/accounts/sealed-body.ts';
import { openRawExecutor } from '../src/platform/db.ts';
import { type DatabaseUser, grantRights } from '../src/platform/grants.ts';
import { createApi, openShop, type Shop } from '../src/wiring/app.ts';
import { readConfig } from '../src/wiring/config.ts';
import { startWork } from '../src/wiring/work.ts';
import { costing } from './costs.ts';
import { cloneDatabase, patientSeconds } from './database.ts';
import { demoGame, demoPointPacks, withoutSpecials, writeDemoGame, writeSite } from './demo.ts';
import { testIndexKey } from './identities.ts';
import { quickPasswordHash } from './quick-password-hash.ts';
import { type Outsider, startOutsider } from './world.ts';

/** The whole server in this process, with a database and sandbox services of its own. */
export interface TestShop extends Shop {
  databaseUrl: string;
  api: FastifyInstance;
  /** The address of the API, for webhooks and for cookies. */
  url: string;
  stripe: Outsider;
  game: Outsider;
  /** The contexts of the api and of the worker. */
  apiShop: Shop;
  workerShop: Shop;
  loginKeys: SealingKey[];
  startWorker(): () => Promise<void>;
  closeAll(): Promise<void>;
}

/**
 * High limits, because one player of a test does the work of many. Tests of limits set their own.
 */
const unbounded = {
  UNPAID_ORDERS_MAX: '10000',
  PAYMENT_CALLS_MAX: '10000',
  GAME_CALLS_MAX: '10000',
};

export const webhookSecret = 'whsec_test';
const gameSecret = 'a-secret-of-the-game';

/** Six packs of the demo, so that a test can list them. */
const fewPacks = demoPointPacks.filter(({ quantity }) => ![300, 20_000].includes(quantity));
export const testCodeKey = Buffer.alloc(32, 'redeem');

/** The webhook events that the shop subscribes to at Stripe. */
export const webhookEvents = [
  'checkout.session.completed',
  'checkout.session.expired',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

/** A database that the test itself creates and drops. */
const givenDatabase = async (url: string) => ({ url, drop: async () => {} });

/**
 * Uses a copy of the empty database, unless the environment names a migrated one. With `ownUsers`,
 * api and worker connect with their restricted database users, while the returned shop, with which
 * the test reads and writes, connects as the owner.
 */
export async function openTestShop(
  environment: Record<string, string | undefined> = {},
  { ownUsers = false } = {},
): Promise<TestShop> {
  const [database, stripe, game] = await Promise.all([
    environment.DATABASE_URL === undefined
      ? cloneDatabase()
      : givenDatabase(environment.DATABASE_URL),
    startOutsider('stripe', {
      STRIPE_SECRET_KEY: 'sk_test',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      WEBHOOK_RETRY_BASE_MS: '100',
    }),
    startOutsider('game', { GAME_SECRETS: gameSecret }),
  ]);
  const loginKeys = [newSealingKey('first'), newSealingKey('second')];
  const settings = {
    APP_ENV: 'development',
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    DATABASE_WAIT_SECONDS: `${patientSeconds}`,
    REDIS_URL: inject('redisUrl') ?? undefined,
    LOGIN_KEYS: JSON.stringify(loginKeys),
    CODE_PEPPER: 'a pepper that is only for tests, and long',
    IDENTITY_INDEX_KEY: testIndexKey.toString('base64'),
    REDEEM_CODE_KEY: testCodeKey.toString('base64'),
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
    STRIPE_API_BASE: stripe.url,
    GAME_SECRETS: JSON.stringify(gameSecretsOf(gameSecret)),
    PAYMENT_CHECK_SECONDS: '0.5,1',
    WORKER_POLL_SECONDS: '0.1',
    ...unbounded,
    ...environment,
  };
  const users = ownUsers ? await makeUsers(database.url) : undefined;
  const openAs = (role: 'api' | 'worker', url: string) =>
    openShop(readConfig({ ...settings, DATABASE_URL: url }), role);
  const { shop, apiShop, workerShop, api } = await costing('shop', async () => {
    const opened = await openAs('worker', database.url);
    const ofApi = users === undefined ? opened : await openAs('api', users.api);
    const ofWorker = users === undefined ? opened : await openAs('worker', users.worker);
    return { shop: opened, apiShop: ofApi, workerShop: ofWorker, api: await createApi(ofApi) };
  });
  const url = (await api.listen({ host: '127.0.0.1', port: 0 })).replace('127.0.0.1', 'localhost');
  await stripe.tell('/__sandbox/webhooks', {
    url: `${url}/webhooks/stripe`,
    enabledEvents: webhookEvents,
    plan: {},
  });
  await shop.db.transaction(async (tx) => {
    await writeDemoGame(tx, game.url);
    await upsertItems(tx, withoutSpecials(demoGame));
    await upsertPointPacks(tx, fewPacks);
    await writeSite(tx, { id: demoGame.id, portalUrl: url, hosts: ['localhost'] });
  });
  const workers: (() => Promise<void>)[] = [];
  return {
    ...shop,
    databaseUrl: database.url,
    api,
    url,
    stripe,
    game,
    apiShop,
    workerShop,
    loginKeys,
    startWorker: () => {
      const stop = startWork(workerShop);
      workers.push(stop);
      return stop;
    },
    closeAll: async () => {
      await Promise.all(workers.map((stop) => stop()));
      // Before the API, which would otherwise wait for a connection that is sending a webhook.
      await Promise.all([stripe.stop(), game.stop()]);
      await api.close();
      for (const open of new Set([shop, apiShop, workerShop])) await open.close();
      await users?.drop();
      await database.drop();
    },
  };
}

/** The database addresses of the api and the worker with their own users. */
async function makeUsers(databaseUrl: string) {
  const [api, worker] = (['api', 'worker'] as const).map((group) => ({
    group,
    name: `test_${group}_${randomUUID().slice(0, 8)}`,
    password: randomUUID(),
  })) as [DatabaseUser, DatabaseUser]; // as: a list of two, mapped
  await grantRights({ url: databaseUrl, applicationName: 'test' }, [api, worker]);
  const as = ({ name, password }: DatabaseUser) => {
    const url = new URL(databaseUrl);
    url.username = name;
    url.password = password;
    return url.href;
  };
  return {
    api: as(api),
    worker: as(worker),
    drop: async () => {
      const owner = openRawExecutor({
        url: databaseUrl,
        applicationName: 'test',
        connectionsMax: 1,
      });
      for (const { name } of [api, worker]) await owner.executeSql(`drop role ${name}`);
      await owner.close();
    },
  };
}

/** Resets the planned faults and the records of provider and game. */
export async function resetWorld(shop: TestShop): Promise<void> {
  await shop.stripe.tell('/__sandbox/reset', {});
  await shop.game.tell('/__sandbox/reset', {});
  await trustProvider(shop);
}

/** Reports successful calls of a provider, so that its recorded failures no longer count. */
export async function trustProvider({ routing }: TestShop, contract = 'stripe'): Promise<void> {
  const answer = { endedAt: Date.now(), isAnswered: true, isFirst: true };
  for (let calls = 0; calls < 10; calls += 1) {
    await routing.health.told(contract, { ...answer, begunAt: Number.MAX_SAFE_INTEGER });
  }
}

/** A player with an account, who has not signed in. */
export interface TestPlayer {
  accountId: string;
  loginName: string;
  password: string;
  gameAccountId: string;
}

export async function givenPlayer(shop: Shop): Promise<TestPlayer> {
  const loginName = `player-${randomUUID().slice(0, 8)}`;
  const player = { loginName, password: 'Dawn-58', gameAccountId: `ga_${loginName}` };
  const passwordHash = await quickPasswordHash(player.password);
  const accountId = await shop.db.transaction(async (tx) => {
    const id = await createAccount(tx, { loginName, displayName: loginName, passwordHash });
    const { gameAccountId } = player;
    await bindGameAccount(tx, { accountId: id, gameId: demoGame.id, gameAccountId });
    return id;
  });
  return { accountId, ...player };
}

export interface Reply extends Envelope {
  httpStatus: number;
  cookie: string | undefined;
  requestId: string;
}

/** Sends a call as a browser on the shop's page does. */
export async function send(
  shop: TestShop,
  path: string,
  { body = {}, cookie, headers = {}, method = 'POST' }: SendOptions = {},
): Promise<Reply> {
  const response = await fetch(shop.url + path, {
    method,
    headers: {
      version: 'test',
      'sec-fetch-site': 'same-origin',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  });
  const envelope = ReplyBody.parse(await response.json());
  const [setCookie] = response.headers.getSetCookie();
  return {
    ...envelope,
    httpStatus: response.status,
    cookie: setCookie?.split(';', 1)[0],
    requestId: response.headers.get('x-request-id') ?? '',
  };
}

interface SendOptions {
  body?: object | string;
  cookie?: string | undefined;
  headers?: Record<string, string>;
  method?: 'GET' | 'POST';
}

const ReplyBody = z.custom<Envelope>(
  (value) => typeof value === 'object' && value !== null && 'isSuccess' in value,
);

/** Signs in through the API and returns the session cookie. */
export async function signIn(shop: TestShop, player: TestPlayer): Promise<string> {
  const { loginName, password } = player;
  const data = await seal(shop, '/api/user/login', {
    method: 'LOGIN_NAME_PASSWD_AUTH',
    loginName,
    password,
  });
  const reply = await send(shop, '/api/user/login', { body: { data } });
  if (reply.cookie === undefined) throw new Error(`no cookie: ${JSON.stringify(reply)}`);
  return reply.cookie;
}

/** Encrypts a body like the portal; the options make it wrong in one way. */
export async function seal(
  shop: TestShop,
  path: string,
  payload: Record<string, unknown>,
  options: { ageSeconds?: number; jti?: string; key?: SealingKey } = {},
): Promise<string> {
  const key = options.key ?? shop.loginKeys[0];
  if (key === undefined) throw new Error('the shop has no login key');
  const { d: _private, ...publicKey } = key;
  return await new EncryptJWT(payload)
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: key.kid })
    .setIssuedAt(Math.floor(Date.now() / 1000) - (options.ageSeconds ?? 0))
    .setJti(options.jti ?? randomUUID())
    .setAudience(path)
    .encrypt(await importJWK(publicKey, 'ECDH-ES'));
}

export function newSealingKey(kid: string): SealingKey {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  });
  const { x, y, d } = z.object({ x: z.string(), y: z.string(), d: z.string() }).parse(jwk);
  return { kty: 'EC', crv: 'P-256', x, y, d, kid };
}

/**
 * The body of an order for one pack of 300 shards, for the role that the game has for every player.
 */
export async function givenOrderBody(
  shop: TestShop,
  cookie: string,
): Promise<Record<string, unknown> & { clientOrderId: string }> {
  const serverId = 's12';
  const reply = await send(shop, '/api/character/role/list', {
    cookie,
    body: { gameId: demoGame.id, serverId },
  });
  const { roles } = z
    .object({ roles: z.array(z.object({ roleId: z.string() })) })
    .parse(reply.data);
  const [role] = roles;
  if (role === undefined) throw new Error('the game has no role');
  return {
    clientOrderId: randomUUID(),
    gameId: demoGame.id,
    itemId: 'shards_300',
    quantity: 1,
    serverId,
    roleId: role.roleId,
    method: 'card',
    system: 'android',
  };
}

/** Waits for a condition, never for a fixed time. */
export function eventually<T>(read: () => Promise<T | undefined | false>): Promise<T> {
  return costing('wait', () => poll(read));
}

async function poll<T>(read: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error('the condition was not met in time');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
