import type { Endpoint } from '@pointgate/contract/endpoint.ts';
import { endpoints } from '@pointgate/contract/endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindGameAccount } from '../src/accounts/accounts.ts';
import { sql } from '../src/platform/db.ts';
import { type Owned, type Row, rows } from './authorisation-rows.ts';
import { createOrder, givenBuyer, givenOrder } from './buying.ts';
import { givenPerson, personEnvironment, realName } from './people.ts';
import { givenPoints } from './point-buying.ts';
import { callRaw } from './raw-call.ts';
import { givenPlayer, openTestShop, send, signIn, type TestShop } from './shop.ts';

// Who may do what, for every call there is. The calls come from the contract, so that a new one
// cannot be forgotten: it has no row, and that fails.

// Nobody takes the mails: the answer comes before they leave.
const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.com' };

let shop: TestShop;
let owned: Owned;
let cookies: Record<'owner' | 'stranger' | 'foreigner' | 'expired' | 'superseded', string>;
/** What must not be read in an answer to anybody else. */
let ownersWords: string[];

beforeAll(async () => {
  shop = await openTestShop({ ...personEnvironment(), ...mail });
  const owner = await givenBuyer(shop);
  await givenPoints(shop, owner, { basic: 100_000n });
  await givenPerson(shop, owner.accountId);
  const { paymentId: openId } = await givenOrder(shop, owner);
  const { paymentId: paidId } = await givenOrder(shop, owner, { method: 'epoint' });
  await call('/api/payment/order/epoint/pay', {
    cookie: owner.cookie,
    body: { paymentId: paidId },
  });
  await createOrder(shop, owner, { clientOrderId: owner.body.clientOrderId });
  owned = { owner, openId, paidId, doorkeeper: await givenPlayer(shop) };
  cookies = {
    owner: owner.cookie,
    stranger: (await givenBuyer(shop)).cookie,
    foreigner: await givenForeigner(),
    expired: await givenExpired(),
    superseded: await givenSuperseded(),
  };
  const secret = owner.cookie.split('.')[1] ?? '';
  const { accountId, loginName, gameAccountId, body } = owner;
  ownersWords = [accountId, loginName, gameAccountId, openId, paidId, secret, String(body.roleId)];
});
afterAll(() => shop.closeAll());

/** A player of another game, who never played the owner's. */
async function givenForeigner(): Promise<string> {
  const player = await givenPlayer(shop);
  const { accountId, gameAccountId } = player;
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into games (id, name, subtitle, api_url)
      select 'elsewhere', name, subtitle, api_url from games where id = 'solmere'`);
    await tx.run(sql`delete from game_accounts where account_id = ${accountId}`);
    await bindGameAccount(tx, { accountId, gameId: 'elsewhere', gameAccountId });
  });
  return await signIn(shop, player);
}

async function givenExpired(): Promise<string> {
  const player = await givenPlayer(shop);
  const cookie = await signIn(shop, player);
  await shop.db.transaction((tx) =>
    tx.run(sql`update sessions set expires_at = now() where account_id = ${player.accountId}`),
  );
  return cookie;
}

async function givenSuperseded(): Promise<string> {
  const player = await givenPlayer(shop);
  const cookie = await signIn(shop, player);
  await signIn(shop, player);
  return cookie;
}

interface Answer {
  status: number;
  /** Every byte of the body. */
  text: string;
}

/** A call as the shop's own page sends it, unless the headers say otherwise. */
async function call(
  path: string,
  options: { cookie?: string | undefined; body: object; headers?: Record<string, string> },
): Promise<Answer> {
  const { cookie, body, headers = { 'sec-fetch-site': 'same-origin' } } = options;
  const method = endpoints.find((endpoint) => endpoint.path === path)?.method ?? 'POST';
  const { status, text } = await callRaw(shop.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  return { status, text };
}

/** The answer without what is another each time. */
function lasting({ status, text }: Answer, { passing = [] }: Row): Answer {
  const blank = (key: string, value: unknown) => (passing.includes(key) ? '-' : value);
  return { status, text: passing.length === 0 ? text : JSON.stringify(JSON.parse(text, blank)) };
}

const ended = { status: 203, text: expect.stringContaining('"code":"InvalidToken"') };

const cases = endpoints.map((endpoint) => [endpoint.path, endpoint] as const);

function rowOf(path: string): Row {
  const row = rows[path];
  if (row === undefined) throw new Error(`${path} has no row in authorisation-rows.ts`);
  return row;
}

async function cookieFor(row: Row, who: keyof typeof cookies): Promise<string> {
  return row.usesSession === true ? await signIn(shop, await givenPlayer(shop)) : cookies[who];
}

async function callAs(
  { path }: Endpoint,
  who: keyof typeof cookies | 'nobody',
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const row = rowOf(path);
  return await call(path, {
    cookie: who === 'nobody' ? undefined : await cookieFor(row, who),
    body: body ?? (await row.body(owned, shop)),
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  });
}

test('every call has a row, and every row is a call', () => {
  expect(Object.keys(rows).toSorted()).toEqual(endpoints.map(({ path }) => path).toSorted());
});

describe.each(cases)('%s', (path, endpoint) => {
  const row = () => rowOf(path);

  test('answers its owner', async () => {
    const { status, text } = await callAs(endpoint, 'owner');
    expect(status).toBe(200);
    const { owner } = row();
    expect(text).toContain(owner === undefined ? '"isSuccess":true' : `"code":"${owner}"`);
  });

  test('tells others nothing: what is not theirs does not exist', async () => {
    for (const who of ['stranger', 'foreigner'] as const) {
      const answer = await callAs(endpoint, who);
      for (const word of [...ownersWords, ...Object.values(realName)]) {
        expect(answer.text).not.toContain(word);
      }
      const { nobodys } = row();
      if (nobodys === undefined) continue;
      expect(answer).toEqual(await callAs(endpoint, who, { body: nobodys(owned, shop) }));
    }
  });

  test('answers nobody, the expired and the superseded as its kind does', async () => {
    const visitor = lasting(await callAs(endpoint, 'nobody'), row());
    const outsiders = [];
    for (const who of ['expired', 'superseded'] as const) {
      outsiders.push(lasting(await callAs(endpoint, who), row()));
    }
    if (endpoint.access === 'player') expect(visitor).toEqual(ended);
    else if (row().visitor !== 'differs') {
      expect(visitor).toEqual(lasting(await callAs(endpoint, 'owner'), row()));
    }
    const isEnded = endpoint.access === 'player' || row().mindsEnded === true;
    for (const outsider of outsiders) expect(outsider).toEqual(isEnded ? ended : visitor);
    expect(outsiders[0]).toEqual(outsiders[1]);
  });

  test('takes no byte from the identity headers: they are hints for logs', async () => {
    const { accountId, gameAccountId } = owned.owner;
    const forged = { accountid: accountId, userid: gameAccountId, gameid: 'elsewhere' };
    for (const who of ['owner', 'stranger', 'foreigner', 'superseded', 'nobody'] as const) {
      const plain = lasting(await callAs(endpoint, who), row());
      expect(lasting(await callAs(endpoint, who, { headers: forged }), row())).toEqual(plain);
    }
    const others = { accountid: crypto.randomUUID(), userid: 'ga_other', gameid: '../x' };
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
  players: ['/api/payment/order/changes/:paymentId', '/api/epoint/ledger.txt'],
  /** Not same-origin by nature; each proves itself in its own way, tried where it lives. */
  signed: ['/webhooks/stripe', '/api/game/ticket/issue', '/api/user/apple/return'],
  /** Carries a secret in its address that works once, and sets the cookie itself. */
  handedOver: ['/api/user/apple/done'],
  open: ['/health', '/config.json'],
};

describe('beside the contract', () => {
  test('there is no way in that this test does not know', () => {
    const known = [...Object.keys(rows), ...Object.values(besides).flat()];
    const found = routesOf(shop.api.printRoutes({ commonPrefix: false }));
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
        expect({ status, text }).toEqual(ended);
      }
    }
  });

  test("another player's order has no stream, as one that does not exist", async () => {
    const [changes = '', ledger = ''] = paths();
    const nobodys = changes.replace(owned.openId, '018f0000-0000-7000-8000-000000000000');
    for (const cookie of [cookies.stranger, cookies.foreigner]) {
      const [theirs, none] = [await get(changes, cookie), await get(nobodys, cookie)];
      expect([theirs.status, theirs.text]).toEqual([none.status, none.text]);
      expect(theirs.text).toContain('PaymentIdWrong');
      const { text } = await get(ledger, cookie);
      for (const word of ownersWords) expect(text).not.toContain(word);
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
