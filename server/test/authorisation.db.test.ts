import { EncryptedData, login } from '@pointgate/contract/accounts.ts';
import { addressOf, type Endpoint } from '@pointgate/contract/endpoint.ts';
import { endpoints } from '@pointgate/contract/endpoints.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, rows } from './authorisation-rows.ts';
import {
  type AuthorisationWorld,
  type Holder,
  holders,
  openAuthorisationWorld,
} from './authorisation-world.ts';
import { testBrowserCookie } from './codes.ts';
import { realName } from './people.ts';
import { callRaw } from './raw-call.ts';
import { givenPlayer, send, signIn, type TestShop } from './shop.ts';

// The authorisation of every endpoint. The endpoints come from the contract, so that a new endpoint
// without a row fails the test.

let world: AuthorisationWorld;
let shop: TestShop;
let owned: AuthorisationWorld['owned'];
let cookies: AuthorisationWorld['cookies'];
/** Words that must not appear in answers to other accounts. */
let ownersWords: string[];

beforeAll(async () => {
  world = await openAuthorisationWorld();
  ({ shop, owned, cookies } = world);
  const { owner, openId, paidId } = owned;
  const secret = owner.cookie.split('.')[1] ?? '';
  const { accountId, loginName, gameAccountId, body } = owner;
  ownersWords = [accountId, loginName, gameAccountId, openId, paidId, secret, String(body.roleId)];
});
afterAll(() => world.stop());

interface Answer {
  status: number;
  /** The body as text. */
  text: string;
  /** Without their random values; a deleted cookie has none. */
  setCookies: string[];
}

let calls = 0;

/** Sends a call like the shop's own page, unless the headers are overridden. */
async function call(
  path: string,
  options: {
    cookie?: string | undefined;
    body: object;
    headers?: Record<string, string>;
    address?: Record<string, string> | undefined;
  },
): Promise<Answer> {
  const { cookie, body, headers = { 'sec-fetch-site': 'same-origin' } } = options;
  const endpoint = endpointAt(path);
  const { method } = endpoint;
  const address = options.address ?? rowOf(path).address?.(owned);
  calls += 1;
  const {
    status,
    text,
    headers: received,
  } = await callRaw(shop.url + addressOf(endpoint, address), {
    method,
    headers: {
      'content-type': 'application/json',
      // From a different network each time, so that rate limits do not affect the answers.
      'x-forwarded-for': `203.${calls >> 8}.${calls & 255}.9`,
      // All callers use the same browser: a code requested by it must only help its receiver.
      cookie: cookie === undefined ? testBrowserCookie : `${testBrowserCookie}; ${cookie}`,
      ...headers,
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  const setCookies = received['set-cookie'] ?? [];
  return { status, text, setCookies: setCookies.map((one) => one.replace(/=[^;]+/, '=-')) };
}

/** The answer without parts that differ each time. */
function lasting(answer: Answer, { passing = [], passingText }: Row): Answer {
  const blank = (key: string, value: unknown) => (passing.includes(key) ? '-' : value);
  const { text } = answer;
  const kept = passing.length === 0 ? text : JSON.stringify(JSON.parse(text, blank));
  return { ...answer, text: passingText === undefined ? kept : kept.replace(passingText, '-') };
}

const ended = {
  status: 203,
  text: expect.stringContaining('"code":"InvalidToken"'),
  setCookies: [],
};

const cases = endpoints.map((endpoint) => [endpoint.path, endpoint] as const);
const callers = ['nobody', ...holders] as const;
const endedHolders: readonly string[] = ['expired', 'superseded'] satisfies Holder[];

function rowOf(path: string): Row {
  const row = rows[path];
  if (row === undefined) throw new Error(`${path} has no row in authorisation-rows.ts`);
  return row;
}

async function cookieFor(row: Row, who: Holder): Promise<string> {
  const isUsedUp = row.usesSession === true && !endedHolders.includes(who);
  return isUsedUp ? await signIn(shop, await givenPlayer(shop)) : cookies[who];
}

async function callAs(
  { path }: Endpoint,
  who: Holder | 'nobody',
  {
    body,
    headers = {},
    address,
  }: { body?: object; headers?: Record<string, string>; address?: Record<string, string> } = {},
): Promise<Answer> {
  const row = rowOf(path);
  return await call(path, {
    cookie: who === 'nobody' ? undefined : await cookieFor(row, who),
    body: body ?? (await row.body(owned, shop)),
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    address,
  });
}

const outcome = (code: ErrorCode | undefined) =>
  code === undefined ? '"isSuccess":true' : `"code":"${code}"`;

test('the authorisation tests have a row for every API endpoint and no row for an unknown endpoint', () => {
  expect(Object.keys(rows).toSorted()).toEqual(endpoints.map(({ path }) => path).toSorted());
});

describe.each(cases)('%s', (path, endpoint) => {
  const row = () => rowOf(path);

  test("an API endpoint returns a player's data to that player", async () => {
    const { status, text } = await callAs(endpoint, 'owner');
    expect(status).toBe(200);
    expect(text).toContain(outcome(row().owner));
  });

  test("[S6.01] an API endpoint answers a player who asks for another player's data as if that data did not exist", async () => {
    for (const who of ['stranger', 'foreigner'] as const) {
      const answer = await callAs(endpoint, who);
      expect([who, answer]).toEqual([
        who,
        { ...answer, status: 200, text: expect.stringContaining(outcome(row()[who])) },
      ]);
      for (const word of [...ownersWords, ...Object.values(realName)]) {
        expect(answer.text).not.toContain(word);
      }
      const { nobodys, nobodysAddress } = row();
      const nothing = {
        ...(nobodys === undefined ? {} : { body: await nobodys(owned, shop) }),
        ...(nobodysAddress === undefined ? {} : { address: nobodysAddress() }),
      };
      if (Object.keys(nothing).length === 0) continue;
      expect(answer).toEqual(await callAs(endpoint, who, nothing));
    }
  });

  test('[S6.01] an API endpoint for players refuses missing, expired and replaced sessions; a public one treats them as visitors', async () => {
    const isEnded = endpoint.access === 'player' || row().isAboutSession === true;
    const visitor = lasting(await callAs(endpoint, 'nobody'), row());
    if (endpoint.access === 'player') expect(visitor).toEqual(ended);
    const outsiders = [];
    for (const who of ['expired', 'superseded'] as const) {
      outsiders.push(lasting(await callAs(endpoint, who), row()));
    }
    for (const outsider of outsiders) expect(outsider).toEqual(isEnded ? ended : visitor);
    expect(outsiders[0]).toEqual(outsiders[1]);
  });

  const isForAnybody = endpoint.access === 'public' && rows[path]?.isAboutSession !== true;
  test.runIf(isForAnybody)(
    'a public API endpoint answers every caller with the same bytes, signed in or not',
    async () => {
      const visitor = lasting(await callAs(endpoint, 'nobody'), row());
      for (const who of holders) {
        expect([who, lasting(await callAs(endpoint, who), row())]).toEqual([who, visitor]);
      }
    },
  );

  const unproven = rows[path]?.unproven;
  test.runIf(unproven)(
    'an API endpoint that requires a secret (such as a password) does not accept a player session in its place',
    async () => {
      if (unproven === undefined) throw new Error('there is nothing to try');
      for (const who of callers) {
        const answer = await callAs(endpoint, who, { body: await unproven.body(owned, shop) });
        const isEnded =
          endpoint.access === 'player' && (who === 'nobody' || endedHolders.includes(who));
        expect([who, answer.text]).toEqual([
          who,
          isEnded ? ended.text : expect.stringContaining(outcome(unproven.code)),
        ]);
        expect(answer.setCookies).toEqual([]);
      }
    },
  );

  const isSealed = endpoint.body === EncryptedData || endpoint === login;
  test.runIf(isSealed)(
    'an API endpoint refuses an encrypted request body that was sent before',
    async () => {
      const body = await row().body(owned, shop);
      expect((await callAs(endpoint, 'nobody', { body })).text).toContain(outcome(row().owner));
      for (const who of callers) {
        const again = await callAs(endpoint, who, { body });
        expect([who, again.text]).toEqual([who, expect.stringContaining(outcome('InvalidParams'))]);
      }
    },
  );

  test('an API endpoint ignores account, user and game ids in the request headers accountid, userid and gameid', async () => {
    const { accountId, gameAccountId } = owned.owner;
    const forged = { accountid: accountId, userid: gameAccountId, gameid: 'elsewhere' };
    for (const who of callers) {
      const plain = lasting(await callAs(endpoint, who), row());
      expect(lasting(await callAs(endpoint, who, { headers: forged }), row())).toEqual(plain);
    }
    const others = { accountid: world.accounts.stranger, userid: 'ga_other', gameid: '../x' };
    const owners = lasting(await callAs(endpoint, 'owner'), row());
    expect(lasting(await callAs(endpoint, 'owner', { headers: others }), row())).toEqual(owners);
  });

  test.runIf(endpoint.method === 'POST')(
    'an API endpoint refuses POST requests that are cross-origin or not JSON',
    async () => {
      const body = await row().body(owned, shop);
      const cookie = await cookieFor(row(), 'owner');
      for (const headers of [
        { 'sec-fetch-site': 'cross-site', version: 'test' },
        { 'sec-fetch-site': 'same-site', version: 'test' },
        { 'sec-fetch-site': 'none', version: 'test' },
        { 'sec-fetch-site': 'cross-site', origin: shop.url },
        { origin: 'https://evil.example', version: 'test' },
        { origin: 'null', version: 'test' },
        {},
      ]) {
        const { status, text } = await call(path, { cookie, body, headers });
        expect([status, JSON.parse(text).code]).toEqual([403, 'ForeignOrigin']);
      }
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]) {
        const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type };
        const { status } = await call(path, { cookie, body, headers });
        expect(status).toBe(415);
      }
    },
  );
});

// Routes outside the contract: streams, files, webhooks, calls of game servers, and the portal.
const besides = {
  players: [
    '/api/payment/order/changes/:paymentId',
    '/api/epoint/ledger.txt',
    '/api/user/account/export',
  ],
  /** Cross-origin by design; each has its own authentication, tested with its feature. */
  signed: [
    '/webhooks/:name',
    '/api/game/ticket/issue',
    '/api/game/person/put',
    '/api/game/servers/report',
    '/api/user/apple/return',
    '/api/log/collect',
  ],
  /** Has a one-time secret in its address, and sets the session cookie. */
  handedOver: ['/api/user/apple/done'],
  open: ['/health', '/health/live', '/health/ready', '/config.json'],
};

describe('routes outside the contract', () => {
  test('every HTTP route of the server is covered by the authorisation tests', () => {
    const called = Object.keys(rows).map((path) => path.replace(/\{(\w+)\}/g, ':$1'));
    const known = [...called, ...Object.values(besides).flat()];
    const found = routesOf(world.api.printRoutes({ commonPrefix: false }));
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter((route) => !known.includes(route))).toEqual([]);
  });

  const paths = () => besides.players.map((path) => path.replace(':paymentId', owned.openId));
  const get = (path: string, cookie?: string) =>
    callRaw(shop.url + path, { headers: cookie === undefined ? {} : { cookie } });

  test('a player route that is not in the API contract refuses missing, expired and replaced sessions', async () => {
    for (const path of paths()) {
      for (const cookie of [undefined, cookies.expired, cookies.superseded]) {
        const { status, text } = await get(path, cookie);
        expect({ status, text, setCookies: [] }).toEqual(ended);
      }
    }
  });

  test("the change stream of another player's order is refused exactly like that of an unknown order", async () => {
    const [changes = '', ...files] = paths();
    const nobodys = changes.replace(owned.openId, '018f0000-0000-7000-8000-000000000000');
    for (const cookie of [cookies.stranger, cookies.foreigner]) {
      const [theirs, none] = [await get(changes, cookie), await get(nobodys, cookie)];
      expect([theirs.status, theirs.text]).toEqual([none.status, none.text]);
      expect(theirs.text).toContain('PaymentIdWrong');
      for (const file of files) {
        const { text } = await get(file, cookie);
        for (const word of ownersWords) expect(text).not.toContain(word);
      }
    }
  });
});

test('the private data that the authorisation tests search for in answers to other players is found in answers to its owner', async () => {
  const { owner, paidId } = owned;
  const who = (await send(shop, '/api/user/info', { cookie: owner.cookie })).data;
  const order = await callAs(endpointAt('/api/payment/order/detail'), 'owner');
  const told = JSON.stringify(who) + order.text;
  for (const word of [owner.accountId, owner.gameAccountId, paidId, String(owner.body.roleId)]) {
    expect(told).toContain(word);
  }
});

test('the sessions used by the authorisation tests still belong to the same accounts after all of these tests', async () => {
  const who = async (holder: Holder) =>
    await send(shop, '/api/user/info', { cookie: cookies[holder] });
  for (const holder of ['owner', 'stranger', 'foreigner'] as const) {
    const accountId = world.accounts[holder];
    expect(await who(holder)).toMatchObject({ data: { login: true, accountId } });
  }
  for (const holder of ['expired', 'superseded'] as const) {
    expect(await who(holder)).toMatchObject({ httpStatus: 203, code: 'InvalidToken' });
  }
  expect((await send(shop, '/api/user/info')).data).toEqual({ login: false });
});

function endpointAt(path: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.path === path);
  if (found === undefined) throw new Error(`no call at ${path}`);
  return found;
}

/** Parses Fastify's printed route tree, with four characters per level. */
function routesOf(tree: string): string[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] =
      /^((?:[│ ] {3})*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    if (part === '') return [];
    parts.splice(indent.length / 4, parts.length, part);
    return methods === undefined ? [] : [parts.join('')];
  });
}
