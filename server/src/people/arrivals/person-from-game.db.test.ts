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
import { openSigningTimes } from '../../../test/signing-times.ts';
import { sql } from '../../platform/db.ts';
import { bindGameAccount } from '../accounts/game-accounts.ts';
import { realNameOf } from '../real-names/real-names.ts';

const gameId = 'solmere';
// The game of the tests signs with the first secret.
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
  /** Replaces the valid signature; null sends none. */
  signature?: string | null;
  headers?: Record<string, string>;
  url?: string;
}

const freshT = openSigningTimes();

const bodyOf = (changes: object = {}, asked: object = {}) =>
  JSON.stringify({
    gameId,
    gameAccountId: player.gameAccountId,
    person: { ...person, ...changes },
    ...asked,
  });

const signatureOf = (secret: string, t: number, body: string) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;

/** Calls as a game's back end does: no cookie, no origin, a signature. */
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

/** All real-name data of a player, decrypted. */
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

describe("real-name data from a game's back end", () => {
  test.each(['a-secret-of-the-game', 'tomorrows-secret'])(
    "a game's back end that signs with %s can import real-name data of its player, and the import is audited",
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

  test("an update from a game's back end replaces real-name data and deletes fields sent as null", async () => {
    expect(await put()).toEqual(ok);
    expect(await put({ body: bodyOf({ fullName: ' Ann Lee ', email: null }) })).toEqual(ok);
    expect(await knownOf(player.accountId)).toEqual({
      ...person,
      fullName: 'Ann Lee',
      email: undefined,
    });
  });

  test("a player can order after the game's back end has sent the required real-name data", async () => {
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

  test('real-name data sent by a game for an unknown game account is refused', async () => {
    expect(await put({ body: bodyOf({}, { gameAccountId: 'ga_nobody' }) })).toEqual(notFound);
  });

  test('real-name data sent by another game is refused on the site of this game, even for a player who plays both', async () => {
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

  test('real-name data sent by a game to an unknown host name is answered with 404', async () => {
    expect((await put({ headers: { host: 'nobody.example' } })).status).toBe(404);
  });
});

describe('malformed real-name data', () => {
  test.each<[string, object, string]>([
    [
      'an identity number with a wrong check character',
      { identityNumber: '110105194912310021' },
      'identityNumber',
    ],
    ['an identity number of another form', { identityNumber: 'A123456(3)' }, 'identityNumber'],
    ['a birthday that contradicts the identity number', { birthday: '1949-12-30' }, 'birthday'],
    ['a nonexistent birthday', { birthday: '2026-02-30' }, 'birthday'],
    ['a phone number without a country code', { phone: '13800138000' }, 'phone'],
    ['a malformed mail address', { email: 'player' }, 'email'],
    ['an empty name', { fullName: ' ' }, 'fullName'],
    ['an overlong name', { fullName: 'x'.repeat(201) }, 'fullName'],
    ['a region that is not a code', { approvalRegion: '湖北' }, 'approvalRegion'],
    ['a missing field', { address: undefined }, 'address'],
  ])('real-name data sent by a game with %s is refused as malformed', async (_, changes, field) => {
    const buyer = await givenBuyer(shop);
    const body = bodyOf(changes, { gameAccountId: buyer.gameAccountId });
    expect(await put({ body })).toEqual(malformed(`person.${field}`));
    expect(await knownOf(buyer.accountId)).toBeUndefined();
    expect(await auditsOf(buyer.accountId)).toEqual([]);
  });

  test('real-name data sent by a game with an unknown field is refused without repeating the name of the field', async () => {
    const { identityNumber } = person;
    expect(await put({ body: bodyOf({ [identityNumber]: 1 }) })).toEqual(malformed('person'));
    expect(await put({ body: bodyOf({}, { [identityNumber]: 1 }) })).toEqual(malformed('body'));
  });

  test('a request that a game signed for another call is refused as malformed when it is sent as real-name data', async () => {
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

describe('unauthorized real-name calls', () => {
  test.each<[string, Changes]>([
    ['without a signature', { signature: null }],
    ['with an empty signature', { signature: '' }],
    ["signed with another game's secret", { secret: 'their-secret' }],
    ['signed with an empty secret', { secret: '' }],
    ['signed six minutes ago', { t: Math.floor(Date.now() / 1000) - 360 }],
    ['signed six minutes in the future', { t: Math.floor(Date.now() / 1000) + 360 }],
    ['that is not JSON', { body: 'gameId=solmere' }],
  ])('an import of real-name data by a game %s is refused as unauthorized', async (_, changes) => {
    const buyer = await givenBuyer(shop);
    const body = changes.body ?? bodyOf({}, { gameAccountId: buyer.gameAccountId });
    expect(await put({ ...changes, body })).toEqual(unauthorized);
    expect(await knownOf(buyer.accountId)).toBeUndefined();
  });

  test('an import of real-name data by a game with a changed body or timestamp is refused as unauthorized', async () => {
    const t = freshT();
    const signature = signatureOf('a-secret-of-the-game', t, bodyOf());
    const changed = bodyOf({ fullName: '李四' });
    expect(await put({ body: changed, signature })).toEqual(unauthorized);
    const moved = signature.replace(`t=${t}`, `t=${t + 1}`);
    expect(await put({ signature: moved })).toEqual(unauthorized);
  });

  // A replay must not overwrite newer data with older data.
  test('a replayed import of real-name data is refused, even concurrently and with a rewritten signature header', async () => {
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

  test('an import of real-name data with a player session and no game signature is refused as unauthorized', async () => {
    const cookie = await signIn(shop, player);
    const headers = { cookie, 'sec-fetch-site': 'same-origin', version: 'test' };
    expect(await put({ signature: null, headers })).toEqual(unauthorized);
  });
});

test('a shop without encryption keys for personal data refuses real-name data from a game with the reason not_kept', async () => {
  const api = await startShopProcess(shop, 'api', { GAME_SECRETS });
  const refused = { status: 200, said: { result: 'refused', reason: 'not_kept' } };
  expect(await put({ url: api.url })).toEqual(refused);
  await api.stop();
});

test('logs contain neither real-name data nor the game secret, whatever the outcome of the call', async () => {
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
