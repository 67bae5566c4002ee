import { issueTicket } from '@pointgate/contract/tickets.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { sql } from '../../platform/db.ts';
import { signatureOf } from '../../publisher/games/game-signature.ts';
import { updatePassword } from '../accounts/accounts.queries.ts';

const gameId = 'solmere';
const secret = 'todays-secret';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ GAME_SECRETS: JSON.stringify({ [gameId]: [secret] }) });
});
afterAll(() => shop.closeAll());

const refused = { isSuccess: false, code: 'ArrivalRefused', cookie: undefined };

async function fetchTicket(player: TestPlayer, cookie: string): Promise<string> {
  const body = { uid: player.gameAccountId };
  const { data } = await send(shop, '/api/user/sdk/ticket/get', { cookie, body });
  return z.object({ ticket: z.string() }).parse(data).ticket;
}

const arriveWith = (ticket: string) =>
  send(shop, '/api/user/info', { headers: { 'x-token': ticket } });

async function givenPlayerWithTicket() {
  const player = await givenPlayer(shop);
  const cookie = await signIn(shop, player);
  return { player, cookie, ticket: await fetchTicket(player, cookie) };
}

async function endOf({ accountId }: TestPlayer): Promise<Date> {
  const { expires_at } = await shop.db.one(
    z.object({ expires_at: z.date() }),
    sql`select expires_at from sessions where account_id = ${accountId}`,
  );
  return expires_at;
}

/** The signing time of the last request; each request needs its own, or it counts as a replay. */
let signedMs = Date.now() - 200_000;

async function ticketOfGame({ gameAccountId }: TestPlayer): Promise<string> {
  const body = JSON.stringify({ gameId, gameAccountId });
  signedMs += 1000;
  const reply = await callRaw(shop.url + issueTicket.path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'pointgate-signature': signatureOf(secret, body, signedMs),
    },
    body,
  });
  return z.object({ ticket: z.string() }).parse(reply.json()).ticket;
}

const setPassword = ({ accountId }: TestPlayer) =>
  shop.db.transaction((tx) => updatePassword(tx, { accountId, passwordHash: 'another' }));

test('a sign-in ticket is refused after the session that requested it has signed out', async () => {
  const { cookie, ticket } = await givenPlayerWithTicket();
  await send(shop, '/api/user/logout', { cookie, body: {} });
  expect(await arriveWith(ticket)).toMatchObject(refused);
});

test('a sign-in ticket is refused after its player has signed in again', async () => {
  const { player, ticket } = await givenPlayerWithTicket();
  await signIn(shop, player);
  expect(await arriveWith(ticket)).toMatchObject(refused);
});

test('a sign-in ticket is refused after the session that requested it has expired', async () => {
  const { player, ticket } = await givenPlayerWithTicket();
  await shop.db.transaction((tx) =>
    tx.run(sql`update sessions set expires_at = now() where account_id = ${player.accountId}`),
  );
  expect(await arriveWith(ticket)).toMatchObject(refused);
});

test('a sign-in by ticket never extends the session from which the player requested the ticket', async () => {
  const { player, ticket } = await givenPlayerWithTicket();
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update sessions set expires_at = expires_at - interval '29 days'
      where account_id = ${player.accountId}`),
  );
  const end = await endOf(player);
  let next = ticket;
  for (let renewal = 1; renewal <= 3; renewal += 1) {
    const { cookie = '', isSuccess } = await arriveWith(next);
    expect(isSuccess).toBe(true);
    expect(await endOf(player)).toEqual(end);
    next = await fetchTicket(player, cookie);
  }
});

test('a new password invalidates sign-in tickets requested by the player and by the game', async () => {
  const { player, ticket } = await givenPlayerWithTicket();
  const asked = await ticketOfGame(player);
  await setPassword(player);
  expect(await arriveWith(ticket)).toMatchObject(refused);
  expect(await arriveWith(asked)).toMatchObject(refused);
  expect(await arriveWith(await ticketOfGame(player))).toMatchObject({ isSuccess: true });
});
