import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  givenPlayer,
  openTestShop,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

let shop: TestShop;
let player: TestPlayer;
let cookie: string;
beforeAll(async () => {
  shop = await openTestShop({ TRUST_PROXY: '1' });
  player = await givenPlayer(shop);
  cookie = await signIn(shop, player);
});
afterAll(() => shop.closeAll());

const from = (network: number) => ({ 'x-forwarded-for': `203.0.${network}.9` });
const ticketFrom = (network: number) =>
  send(shop, '/api/user/sdk/ticket/get', {
    cookie,
    body: { uid: player.gameAccountId },
    headers: from(network),
  });
const arriveFrom = (network: number, given: string) =>
  send(shop, '/api/user/info', { headers: { ...from(network), 'x-token': given } });
const startFrom = (network: number) =>
  send(shop, '/api/user/login/start', {
    body: { method: 'FACEBOOK_AUTH', redirect: '/' },
    headers: from(network),
  });

const codesOf = async (replies: Promise<{ code: string | null }>[]) => {
  const counts: Record<string, number> = {};
  for (const { code } of await Promise.all(replies)) {
    counts[String(code)] = (counts[String(code)] ?? 0) + 1;
  }
  return counts;
};
const times = <T>(count: number, call: () => T) => Array.from({ length: count }, call);

test('a network is throttled after 120 requests for sign-in tickets, and another network still gets a ticket', async () => {
  const codes = await codesOf(times(125, () => ticketFrom(1)));
  expect(codes).toEqual({ null: 120, SignInThrottled: 5 });
  expect(await ticketFrom(2)).toMatchObject({ isSuccess: true });
});

test('entries that a caller adds to X-Forwarded-For do not change which network is throttled', async () => {
  let sent = 0;
  const forged = () => {
    sent += 1;
    const entries = [`198.51.${sent}.1`, 'junk', '1.2.3.4:55', ''];
    return send(shop, '/api/user/login/start', {
      body: { method: 'FACEBOOK_AUTH', redirect: '/' },
      headers: { 'x-forwarded-for': `${entries[sent % 4]}, 203.0.5.9` },
    });
  };
  expect(await codesOf(times(125, forged))).toEqual({
    LoginMethodNotOffered: 120,
    SignInThrottled: 5,
  });
  expect(await startFrom(6)).toMatchObject({ code: 'LoginMethodNotOffered' });
});

test('a call with an unreadable X-Forwarded-For address is handled like any other call', async () => {
  const unreadable = ['1.2.3.4:55', 'unknown', 'x'.repeat(5_000)].map((address) =>
    send(shop, '/api/user/login/start', {
      body: { method: 'FACEBOOK_AUTH', redirect: '/' },
      headers: { 'x-forwarded-for': address },
    }),
  );
  expect(await codesOf(unreadable)).toEqual({ LoginMethodNotOffered: 3 });
});

test('a network is throttled after 120 starts of a provider sign-in, and another network is not', async () => {
  // This shop has no Facebook client, but the limit is checked first.
  const codes = await codesOf(times(125, () => startFrom(3)));
  expect(codes).toEqual({ LoginMethodNotOffered: 120, SignInThrottled: 5 });
  expect(await startFrom(4)).toMatchObject({ code: 'LoginMethodNotOffered' });
});

test('a network with 100 refused sign-in tickets is throttled for an hour, even with a valid ticket', async () => {
  const { ticket } = z.object({ ticket: z.string() }).parse((await ticketFrom(5)).data);
  const codes = await codesOf(times(105, () => arriveFrom(6, `tk_${'a'.repeat(43)}`)));
  expect(codes).toEqual({ ArrivalRefused: 100, SignInThrottled: 5 });
  const throttled = await arriveFrom(6, ticket);
  expect(throttled).toMatchObject({ code: 'SignInThrottled', cookie: undefined });
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update limit_counters set ends_at = ends_at - interval '1 hour'
      where key = 'arrival:network:203.0.6.0/24'`),
  );
  // The ticket was not used up meanwhile.
  const arrived = await arriveFrom(6, ticket);
  expect(arrived).toMatchObject({ isSuccess: true, data: { accountId: player.accountId } });
});

test('a successful sign-in by ticket does not count toward the limit of refused tickets', async () => {
  for (let time = 0; time < 3; time += 1) {
    const own = await signIn(shop, player);
    const body = { uid: player.gameAccountId };
    const headers = from(10 + time);
    const { data } = await send(shop, '/api/user/sdk/ticket/get', { cookie: own, body, headers });
    const { ticket } = z.object({ ticket: z.string() }).parse(data);
    expect(await arriveFrom(7, ticket)).toMatchObject({ isSuccess: true });
  }
  await arriveFrom(7, randomUUID());
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`select count from limit_counters where key = 'arrival:network:203.0.7.0/24'`,
  );
  expect(count).toBe(1);
});
