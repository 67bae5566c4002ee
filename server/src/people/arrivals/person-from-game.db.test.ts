import { createHmac } from 'node:crypto';
import { realNameInfo } from '@pointgate/contract/people.ts';
import { putPerson } from '@pointgate/contract/real-names.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, createOrder, givenBuyer } from '../../../test/buying.ts';
import { givenRules } from '../../../test/limits.ts';
import { personEnvironment } from '../../../test/people.ts';
import { startShopProcess } from '../../../test/processes.ts';
import { callRaw } from '../../../test/raw-call.ts';
import { eventually, openTestShop, send, signIn, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { bindGameAccount } from '../accounts/accounts.ts';
import { realNameOf } from '../real-names/real-names.ts';

const gameId = 'solmere';
// The first of them is the one that the game of the tests knows.
const GAME_SECRETS = JSON.stringify({
  [gameId]: ['a-secret-of-the-game', 'tomorrows-secret'],
  elsewhere: ['their-secret'],
});
const keys = personEnvironment();

let shop: TestShop;
let player: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', GAME_SECRETS, ...keys });
  player = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const person = {
  fullName: '张三丰',
  address: '湖北省十堰市武当山路 1 号',
  phone: '+8613800138000',
  email: 'player@example.com',
  birthday: '1949-12-31',
  identityNumber: '11010519491231002X',
  approvalDate: '2026-02-03',
  approvalRegion: 'CN-HB',
};

interface Changes {
  secret?: string;
  t?: number;
  body?: string;
  /** Instead of the one that would be right. */
  signature?: string | null;
  headers?: Record<string, string>;
  url?: string;
}

let lastT = 0;
/** A second that no other call of this file was signed in, because two bodies may be the same. */
function freshT(): number {
  lastT = lastT === 0 ? Math.floor(Date.now() / 1000) - 200 : lastT + 1;
  return lastT;
}

const bodyOf = (changes: object = {}, asked: object = {}) =>
  JSON.stringify({
    gameId,
    gameAccountId: player.gameAccountId,
    person: { ...person, ...changes },
    ...asked,
  });

const signatureOf = (secret: string, t: number, body: string) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;

/** Tells as a game's back end does: no cookie, no origin, a signature. */
async function put(changes: Changes = {}) {
  const {
    secret = 'a-secret-of-the-game',
    t = freshT(),
    body = bodyOf(),
    url = shop.url,
  } = changes;
  const { signature = signatureOf(secret, t, body) } = changes;
  const reply = await callRaw(url + putPerson.path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(signature === null ? {} : { 'pointgate-signature': signature }),
      ...changes.headers,
    },
    body,
  });
  const said = reply.json();
  if (reply.status !== 404) expect(putPerson.reply.safeParse(said).success).toBe(true);
  return { status: reply.status, said };
}

const ok = { status: 200, said: { result: 'ok' } };
const unauthorized = { status: 401, said: { result: 'unauthorized' } };
const notFound = { status: 200, said: { result: 'refused', reason: 'game_account_not_found' } };
const malformed = (...fields: string[]) => ({ status: 400, said: { result: 'malformed', fields } });

/** All that is known of a player, in the clear. */
async function knownOf(accountId: string) {
  const found = await realNameOf(shop.db, shop.people, accountId);
  return (
    found &&
    Object.fromEntries(Object.entries(found).map(([field, value]) => [field, value?.reveal()]))
  );
}

const auditsOf = (accountId: string) =>
  shop.db.many(
    z.object({ action: z.string(), by: z.string(), request_id: z.string().nullable() }),
    sql`select * from person_audits where account_id = ${accountId} order by id`,
  );

describe("a game's back end", () => {
  test.each(['a-secret-of-the-game', 'tomorrows-secret'])(
    'tells who its player is, signed with %s, and that is written down',
    async (secret) => {
      const buyer = await givenBuyer(shop);
      const body = bodyOf({}, { gameAccountId: buyer.gameAccountId });
      expect(await put({ secret, body })).toEqual(ok);
      expect(await knownOf(buyer.accountId)).toEqual(person);
      expect(await auditsOf(buyer.accountId)).toEqual([
        { action: 'imported', by: 'game:solmere', request_id: expect.any(String) },
      ]);
      const { data } = await send(shop, realNameInfo.path, { cookie: buyer.cookie });
      expect(data).toMatchObject({ fullName: '张*丰', approvalRegion: 'CN-HB' });
    },
  );

  test('brings it up to date: what it does not know any more is forgotten', async () => {
    expect(await put()).toEqual(ok);
    expect(await put({ body: bodyOf({ fullName: ' Ann Lee ', email: null }) })).toEqual(ok);
    expect(await knownOf(player.accountId)).toEqual({
      ...person,
      fullName: 'Ann Lee',
      email: undefined,
    });
  });

  test('makes a player known who could not pay before', async () => {
    await givenRules(shop, { pack: 'china', currency: 'CNY' });
    const buyer = await givenBuyer(shop);
    await shop.db.transaction((tx) =>
      tx.run(sql`
        insert into item_prices (item_id, currency, amount_minor)
        values ('shards_300', 'CNY', 3000) on conflict do nothing`),
    );
    await eventually(async () => (await createOrder(shop, buyer)).code === 'RealNameNeeded');
    expect(await put({ body: bodyOf({}, { gameAccountId: buyer.gameAccountId }) })).toEqual(ok);
    expect(await createOrder(shop, buyer)).toMatchObject({ isSuccess: true });
    await givenRules(shop, { pack: 'none', currency: 'USD' });
  });

  test('is told of a game account that nobody has, and of one that two have, in the same words', async () => {
    expect(await put({ body: bodyOf({}, { gameAccountId: 'ga_nobody' }) })).toEqual(notFound);
    const [one, two] = [await givenBuyer(shop), await givenBuyer(shop)];
    const { gameAccountId } = one;
    await shop.db.transaction((tx) =>
      bindGameAccount(tx, { accountId: two.accountId, gameId, gameAccountId }),
    );
    expect(await put({ body: bodyOf({}, { gameAccountId }) })).toEqual(notFound);
    for (const { accountId } of [one, two]) expect(await knownOf(accountId)).toBeUndefined();
  });

  test('says nothing of the players of another game, nor on the site of one', async () => {
    await shop.db.transaction((tx) =>
      tx.run(sql`
        insert into games (id, name, subtitle, api_url)
        select 'elsewhere', name, subtitle, api_url from games where id = ${gameId}`),
    );
    const buyer = await givenBuyer(shop);
    const { accountId, gameAccountId } = buyer;
    const theirs = bodyOf({}, { gameId: 'elsewhere', gameAccountId });
    expect(await put({ secret: 'their-secret', body: theirs })).toEqual(notFound);
    await shop.db.transaction((tx) =>
      bindGameAccount(tx, { accountId, gameId: 'elsewhere', gameAccountId }),
    );
    expect(await put({ secret: 'their-secret', body: theirs })).toEqual(notFound);
    expect(await knownOf(accountId)).toBeUndefined();
  });

  test('is not listened to at a host name that is no site', async () => {
    expect((await put({ headers: { host: 'nobody.example' } })).status).toBe(404);
  });
});

describe('malformed is', () => {
  test.each<[string, object, string]>([
    [
      'a number whose last sign is wrong',
      { identityNumber: '110105194912310021' },
      'identityNumber',
    ],
    ['a number of another form', { identityNumber: 'A123456(3)' }, 'identityNumber'],
    ['a birthday that is not the one in the number', { birthday: '1949-12-30' }, 'birthday'],
    ['a day that is none', { birthday: '2026-02-30' }, 'birthday'],
    ['a phone number without its country', { phone: '13800138000' }, 'phone'],
    ['an address that is none', { email: 'player' }, 'email'],
    ['an empty name', { fullName: ' ' }, 'fullName'],
    ['a name without end', { fullName: 'x'.repeat(201) }, 'fullName'],
    ['a region in words', { approvalRegion: '湖北' }, 'approvalRegion'],
    ['a field that is left out', { address: undefined }, 'address'],
  ])('%s', async (_, changes, field) => {
    const buyer = await givenBuyer(shop);
    const body = bodyOf(changes, { gameAccountId: buyer.gameAccountId });
    expect(await put({ body })).toEqual(malformed(`person.${field}`));
    expect(await knownOf(buyer.accountId)).toBeUndefined();
    expect(await auditsOf(buyer.accountId)).toEqual([]);
  });

  test('a field that nobody knows; what it is called is not repeated', async () => {
    const { identityNumber } = person;
    expect(await put({ body: bodyOf({ [identityNumber]: 1 }) })).toEqual(malformed('person'));
    expect(await put({ body: bodyOf({}, { [identityNumber]: 1 }) })).toEqual(malformed('body'));
  });

  test('another request that the game, or the shop, has signed', async () => {
    await put();
    const { gameAccountId } = player;
    for (const other of [
      { gameId, gameAccountId },
      { sandbox: true, gameId, serverId: 's12', gameAccountId },
    ]) {
      expect((await put({ body: JSON.stringify(other) })).status).toBe(400);
    }
    expect(await knownOf(player.accountId)).toEqual(person);
  });
});

describe('refused is a call that', () => {
  test.each<[string, Changes]>([
    ['is not signed', { signature: null }],
    ['has an empty signature', { signature: '' }],
    ["is signed with another game's secret", { secret: 'their-secret' }],
    ['is signed with a secret nobody has', { secret: '' }],
    ['was signed six minutes ago', { t: Math.floor(Date.now() / 1000) - 360 }],
    ['will be signed in six minutes', { t: Math.floor(Date.now() / 1000) + 360 }],
    ['is no JSON', { body: 'gameId=solmere' }],
  ])('%s', async (_, changes) => {
    const buyer = await givenBuyer(shop);
    const body = changes.body ?? bodyOf({}, { gameAccountId: buyer.gameAccountId });
    expect(await put({ ...changes, body })).toEqual(unauthorized);
    expect(await knownOf(buyer.accountId)).toBeUndefined();
  });

  test('was changed on the way, or signed for another moment', async () => {
    const t = freshT();
    const signature = signatureOf('a-secret-of-the-game', t, bodyOf());
    const changed = bodyOf({ fullName: '李四' });
    expect(await put({ body: changed, signature })).toEqual(unauthorized);
    const moved = signature.replace(`t=${t}`, `t=${t + 1}`);
    expect(await put({ signature: moved })).toEqual(unauthorized);
  });

  // An older request must not be put over a newer one.
  test('was sent before, however the header is written, also at the same moment', async () => {
    const t = freshT();
    const body = bodyOf({ fullName: '李四' });
    const [time = '', v1 = ''] = signatureOf('a-secret-of-the-game', t, body).split(',');
    const headers = [`${time},${v1}`, `${v1},${time}`, ` ${time} , ${v1},v2=x`];
    const replies = await Promise.all(headers.map((signature) => put({ body, signature })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    expect(await put()).toEqual(ok);
    expect(await put({ body, signature: `${time},${v1}` })).toEqual(unauthorized);
    expect(await knownOf(player.accountId)).toEqual(person);
  });

  test("is a player's, with a session and no signature", async () => {
    const cookie = await signIn(shop, player);
    const headers = { cookie, 'sec-fetch-site': 'same-origin', version: 'test' };
    expect(await put({ signature: null, headers })).toEqual(unauthorized);
  });
});

test('a shop that was given no keys says that it keeps none of it', async () => {
  const api = await startShopProcess(shop, 'api', { GAME_SECRETS });
  const refused = { status: 200, said: { result: 'refused', reason: 'not_kept' } };
  expect(await put({ url: api.url })).toEqual(refused);
  await api.stop();
});

test('nothing of it is in a log, whatever comes of the call', async () => {
  const api = await startShopProcess(shop, 'api', { GAME_SECRETS, ...keys });
  const { url } = api;
  expect(await put({ url })).toEqual(ok);
  expect(await put({ url, body: bodyOf({ birthday: '1949-12-30' }) })).toMatchObject({
    status: 400,
  });
  expect(await put({ url, secret: 'wrong' })).toEqual(unauthorized);
  const last = await callRaw(`${url}/api/time`, {});
  const requestId = String(last.headers['x-request-id']);
  await eventually(async () => api.lines().some((line) => line.requestId === requestId));
  const output = api.output();
  await api.stop();
  const { approvalDate: _date, approvalRegion: _region, ...secrets } = person;
  for (const word of [...Object.values(secrets), 'a-secret-of-the-game']) {
    expect(output).not.toContain(word);
    expect(output).not.toContain(encodeURIComponent(word));
  }
});
