import { createHmac } from 'node:crypto';
import { issueTicket } from '@pointgate/contract/tickets.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callRaw } from '../../../test/raw-call.ts';
import {
  givenPlayer,
  openTestShop,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from '../../../test/shop.ts';
import { openSigningTimes } from '../../../test/signing-times.ts';
import { sql } from '../../platform/db.ts';
import { bindGameAccount } from '../accounts/game-accounts.ts';

const gameId = 'solmere';
const secrets = { [gameId]: ['todays-secret', 'tomorrows-secret'], elsewhere: ['their-secret'] };

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await openTestShop({ GAME_SECRETS: JSON.stringify(secrets) });
  player = await givenPlayer(shop);
});
afterAll(() => shop.closeAll());

interface Changes {
  secret?: string;
  t?: number;
  body?: string;
  /** Replaces the valid signature; null sends none. */
  signature?: string | null;
  headers?: Record<string, string>;
}

const freshT = openSigningTimes();

const bodyOf = (asked: object = {}) =>
  JSON.stringify({ gameId, gameAccountId: player.gameAccountId, ...asked });

/** Asks as a game's back end does: no cookie, no origin, a signature. */
async function issue(changes: Changes = {}) {
  const { secret = 'todays-secret', t = freshT(), body = bodyOf(), headers = {} } = changes;
  const digest = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const { signature = `t=${t},v1=${digest}` } = changes;
  const reply = await callRaw(shop.url + issueTicket.path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(signature === null ? {} : { 'pointgate-signature': signature }),
      ...headers,
    },
    body,
  });
  return { status: reply.status, said: reply.json(), headers: reply.headers };
}

const unauthorized = { status: 401, said: { result: 'unauthorized' } };
const notFound = {
  status: 200,
  said: { result: 'refused', reason: 'game_account_not_found' },
};

describe("tickets for a game's back end", () => {
  test.each(secrets[gameId] ?? [])(
    "a game's back end that signs with %s gets a ticket that signs its player in",
    async (secret) => {
      const { status, said, headers } = await issue({ secret });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
      expect(headers).not.toHaveProperty('set-cookie');
      const { ticket } = z.object({ result: z.literal('ok'), ticket: z.string() }).parse(said);
      expect(issueTicket.reply.safeParse(said).success).toBe(true);
      const arrived = await send(shop, '/api/user/info', { headers: { 'x-token': ticket } });
      expect(arrived.data).toMatchObject({ login: true, accountId: player.accountId });
    },
  );

  test('a sign-in ticket request for an unknown player of a game that makes no accounts is refused and makes none', async () => {
    const asked = { gameAccountId: 'ga_nobody', displayName: 'Nobody' };
    expect(await issue({ body: bodyOf(asked) })).toMatchObject(notFound);
    const { count } = await shop.db.one(
      z.object({ count: z.int() }),
      sql`select count(*)::int as count from accounts where origin = 'arrival'`,
    );
    expect(count).toBe(0);
  });

  test("a sign-in ticket request of another game is refused on this game's site", async () => {
    const gameAccountId = `elsewhere_${player.loginName}`;
    await shop.db.transaction(async (tx) => {
      await tx.run(sql`
        insert into games (id, name, subtitle, api_url)
        select 'elsewhere', name, subtitle, api_url from games where id = ${gameId}`);
      await bindGameAccount(tx, {
        accountId: player.accountId,
        gameId: 'elsewhere',
        gameAccountId,
      });
    });
    const body = bodyOf({ gameId: 'elsewhere', gameAccountId });
    expect(await issue({ body, secret: 'their-secret' })).toMatchObject(notFound);
  });

  test("a game's sign-in ticket request to an unknown host name is answered with 404", async () => {
    const { status } = await issue({ headers: { host: 'nobody.example' } });
    expect(status).toBe(404);
  });
});

describe('unauthorized ticket requests', () => {
  test.each<[string, Changes]>([
    ['without a signature', { signature: null }],
    ['with an empty signature', { signature: '' }],
    ["signed with another game's secret", { secret: 'their-secret' }],
    ['signed with an empty secret', { secret: '' }],
    ['signed six minutes ago', { t: Math.floor(Date.now() / 1000) - 360 }],
    ['signed six minutes in the future', { t: Math.floor(Date.now() / 1000) + 360 }],
    ['for the game "constructor"', { body: '{"gameId":"constructor"}', secret: '' }],
    ['that is not JSON', { body: 'gameId=solmere' }],
  ])("a game's sign-in ticket request %s is refused as unauthorized", async (_what, changes) => {
    expect(await issue(changes)).toMatchObject(unauthorized);
  });

  test("a game's sign-in ticket request with a changed body or timestamp is refused as unauthorized", async () => {
    const t = freshT();
    const digest = createHmac('sha256', 'todays-secret').update(`${t}.${bodyOf()}`).digest('hex');
    const other = bodyOf({ gameAccountId: 'ga_other' });
    expect(await issue({ body: other, signature: `t=${t},v1=${digest}` })).toMatchObject(
      unauthorized,
    );
    expect(await issue({ signature: `t=${t + 1},v1=${digest}` })).toMatchObject(unauthorized);
  });

  test('a replayed sign-in ticket request of a game is refused, even concurrently and with a rewritten signature header', async () => {
    const t = freshT();
    const digest = createHmac('sha256', 'todays-secret').update(`${t}.${bodyOf()}`).digest('hex');
    const headers = [
      `t=${t},v1=${digest}`,
      `v1=${digest},t=${t}`,
      ` t=${t} , v1=${'0'.repeat(64)}, v1=${digest}`,
      `t=${t},v1=${digest},v2=x`,
    ];
    const replies = await Promise.all(headers.map((signature) => issue({ signature })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    // The same body with a new signing time is a new request.
    expect(await issue()).toMatchObject({ status: 200, said: { result: 'ok' } });
  });

  test("a call that the shop signed for a game is refused when it is sent back as the game's sign-in ticket request", async () => {
    const body = bodyOf({ sandbox: true, serverId: 's12' });
    expect(await issue({ body })).toMatchObject({ status: 400, said: { result: 'malformed' } });
  });

  test('a sign-in ticket request with a player session and no signature is refused as unauthorized', async () => {
    const cookie = await signIn(shop, player);
    const headers = { cookie, 'sec-fetch-site': 'same-origin', version: 'test' };
    expect(await issue({ signature: null, headers })).toMatchObject(unauthorized);
  });
});
