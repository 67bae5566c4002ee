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

// Who may do what, for every call there is. The calls come from the contract, so that a new one
// cannot be forgotten: it has no row, and that fails.

let world: AuthorisationWorld;
let shop: TestShop;
let owned: AuthorisationWorld['owned'];
let cookies: AuthorisationWorld['cookies'];
/** What must not be read in an answer to anybody else. */
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
  /** Every byte of the body. */
  text: string;
  /** Without their values, which are chance; a cookie that is taken away has none. */
  setCookies: string[];
}

let calls = 0;

/** A call as the shop's own page sends it, unless the headers say otherwise. */
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
      // From a place of its own, or limits would tell the calls apart.
      'x-forwarded-for': `203.${calls >> 8}.${calls & 255}.9`,
      // All share a browser: a code that it asked for must be of use to nobody but whom it was sent to.
      cookie: cookie === undefined ? testBrowserCookie : `${testBrowserCookie}; ${cookie}`,
      ...headers,
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  const setCookies = received['set-cookie'] ?? [];
  return { status, text, setCookies: setCookies.map((one) => one.replace(/=[^;]+/, '=-')) };
}

/** The answer without what is another each time. */
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

test('every call has a row, and every row is a call', () => {
  expect(Object.keys(rows).toSorted()).toEqual(endpoints.map(({ path }) => path).toSorted());
});

describe.each(cases)('%s', (path, endpoint) => {
  const row = () => rowOf(path);

  test('answers its owner', async () => {
    const { status, text } = await callAs(endpoint, 'owner');
    expect(status).toBe(200);
    expect(text).toContain(outcome(row().owner));
  });

  test('[S6.01] tells others nothing: what is not theirs does not exist', async () => {
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

  test('[S6.01] answers nobody, the expired and the superseded as its kind does', async () => {
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
  test.runIf(isForAnybody)('answers everybody in the same bytes', async () => {
    const visitor = lasting(await callAs(endpoint, 'nobody'), row());
    for (const who of holders) {
      expect([who, lasting(await callAs(endpoint, who), row())]).toEqual([who, visitor]);
    }
  });

  const unproven = rows[path]?.unproven;
  test.runIf(unproven)('takes no session for the secret that it needs', async () => {
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
  });

  const isSealed = endpoint.body === EncryptedData || endpoint === login;
  test.runIf(isSealed)('takes a sealed body once', async () => {
    const body = await row().body(owned, shop);
    expect((await callAs(endpoint, 'nobody', { body })).text).toContain(outcome(row().owner));
    for (const who of callers) {
      const again = await callAs(endpoint, who, { body });
      expect([who, again.text]).toEqual([who, expect.stringContaining(outcome('InvalidParams'))]);
    }
  });

  test('takes no byte from the identity headers: they are hints for logs', async () => {
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

  test.runIf(endpoint.method === 'POST')('takes no write from anywhere but the shop', async () => {
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
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type };
      const { status } = await call(path, { cookie, body, headers });
      expect(status).toBe(415);
    }
  });
});

// Beside the calls of the contract: streams and files, what other servers send, and the portal.
const besides = {
  players: [
    '/api/payment/order/changes/:paymentId',
    '/api/epoint/ledger.txt',
    '/api/user/account/export',
  ],
  /** Not same-origin by nature; each proves itself in its own way, tried where it lives. */
  signed: [
    '/webhooks/stripe',
    '/api/game/ticket/issue',
    '/api/game/person/put',
    '/api/user/apple/return',
    '/api/log/collect',
  ],
  /** Carries a secret in its address that works once, and sets the cookie itself. */
  handedOver: ['/api/user/apple/done'],
  open: ['/health', '/health/live', '/health/ready', '/config.json'],
};

describe('beside the contract', () => {
  test('there is no way in that this test does not know', () => {
    const called = Object.keys(rows).map((path) => path.replace(/\{(\w+)\}/g, ':$1'));
    const known = [...called, ...Object.values(besides).flat()];
    const found = routesOf(world.api.printRoutes({ commonPrefix: false }));
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter((route) => !known.includes(route))).toEqual([]);
  });

  const paths = () => besides.players.map((path) => path.replace(':paymentId', owned.openId));
  const get = (path: string, cookie?: string) =>
    callRaw(shop.url + path, { headers: cookie === undefined ? {} : { cookie } });

  test('what players read needs a live session', async () => {
    for (const path of paths()) {
      for (const cookie of [undefined, cookies.expired, cookies.superseded]) {
        const { status, text } = await get(path, cookie);
        expect({ status, text, setCookies: [] }).toEqual(ended);
      }
    }
  });

  test("another player's order has no stream, as one that does not exist", async () => {
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

test('the words that must not be told are told to the owner, so that looking for them means something', async () => {
  const { owner, paidId } = owned;
  const who = (await send(shop, '/api/user/info', { cookie: owner.cookie })).data;
  const order = await callAs(endpointAt('/api/payment/order/detail'), 'owner');
  const told = JSON.stringify(who) + order.text;
  for (const word of [owner.accountId, owner.gameAccountId, paidId, String(owner.body.roleId)]) {
    expect(told).toContain(word);
  }
});

test('after all these calls everybody is who they were', async () => {
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

/** Fastify prints its routes as a tree; four characters are one level. */
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
