import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listRecharges } from './game-list.ts';

type Answer = (asked: { cursor: string | null }, times: number) => object | string | number;

let server: Server;
let apiUrl: string;
let answer: Answer;
let times = 0;
let signatures: unknown[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    signatures.push(request.headers['pointgate-signature']);
    const said = answer(JSON.parse(body), times);
    times += 1;
    if (typeof said === 'number') response.writeHead(said).end();
    else response.end(typeof said === 'string' ? said : JSON.stringify(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  apiUrl = `http://127.0.0.1:${Object(server.address()).port}`;
});
beforeEach(() => {
  times = 0;
  signatures = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const idOf = (nth: number) => `0000000a-0000-7000-8000-${String(nth).padStart(12, '0')}`;
const entry = (changes: object = {}) => ({
  paymentId: idOf(1),
  gameId: 'solmere',
  serverId: 's12',
  roleId: 'r',
  gameAccountId: 'ga',
  items: [{ sku: 'gems', quantity: 60 }],
  what: 'given',
  at: '2026-10-01T12:00:00Z',
  ...changes,
});
const range = {
  from: idOf(0),
  until: idOf(99),
  month: '2026-10',
  state: 'present' as const,
};

async function list() {
  const game = { gameId: 'solmere', apiUrl, secret: 'a-secret-of-the-game', isSandbox: true };
  const grants: string[] = [];
  for await (const part of listRecharges(game, range)) {
    grants.push(part.grants.map(({ paymentId }) => paymentId).join(' '));
  }
  return grants;
}

test('the auditor joins the grants of one payment that a game lists partly on one page and partly on the next', async () => {
  const [first, second, third] = [1, 2, 3].map((nth) => entry({ paymentId: idOf(nth) }));
  answer = ({ cursor }) =>
    cursor === null
      ? { entries: [first, second], next: 'more' }
      : { entries: [second, third], next: null };
  expect(await list()).toEqual([idOf(1), [idOf(2), idOf(2), idOf(3)].join(' ')]);
});

test('the auditor signs every request to a game for its list of grants with a timestamp, also when it repeats the request', async () => {
  answer = (_asked, nth) => (nth === 0 ? 503 : { entries: [], next: null });
  expect(await list()).toEqual(['']);
  expect(signatures).toHaveLength(2);
  for (const signature of signatures) expect(signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
});

test.each<[string, Answer, string]>([
  ['rejects the signature', () => 401, 'HTTP 401'],
  ['always answers with HTTP 500', () => 500, 'HTTP 500'],
  ['does not have the list call', () => 404, 'HTTP 404'],
  [
    'answers with HTML instead of JSON',
    () => '<html>',
    'an answer outside the contract: all of it',
  ],
  ['answers with other fields', () => ({ grants: [] }), 'outside the contract: entries, next'],
  [
    'lists a malformed payment id',
    () => page([entry({ paymentId: 'one' })]),
    'entries.0.paymentId',
  ],
  [
    'lists entries of another game',
    () => page([entry({ gameId: 'other' })]),
    'entries of another game',
  ],
  [
    'lists entries outside the requested range',
    () => page([entry({ paymentId: idOf(99) })]),
    'entries outside the requested range',
  ],
  [
    'lists entries out of order',
    () => page([entry({ paymentId: idOf(2) }), entry({ paymentId: idOf(1) })]),
    'entries out of order',
  ],
  [
    'lists entries with a future time',
    () => page([entry({ at: '2999-01-01T00:00:00Z' })]),
    'entries with a future time',
  ],
  [
    'lists more entries than the page limit',
    () => page(Array.from({ length: 501 }, () => entry())),
    'outside the contract: entries',
  ],
  ['repeats a cursor', () => page([entry()], 'again'), 'the same cursor twice'],
  [
    'sends an empty page before the last',
    (_asked, nth) => page([], `page ${nth}`),
    'an empty page before the last',
  ],
  [
    'lists endless entries of one payment',
    (_asked, nth) =>
      page(
        Array.from({ length: 500 }, () => entry()),
        `page ${nth}`,
      ),
    'too many entries of one payment',
  ],
  [
    'sends a reply above the size limit',
    () => 'x'.repeat(17 * 1024 * 1024),
    'a reply of more than',
  ],
])('an audit query to the game fails when the game %s', async (_what, said, reason) => {
  answer = said;
  await expect(list()).rejects.toThrow(reason);
});

function page(entries: object[], next: string | null = null) {
  return { entries, next };
}

test('an audit query to the game fails when the connection is refused', async () => {
  const game = { gameId: 'solmere', apiUrl: 'http://127.0.0.1:1', secret: 's', isSandbox: true };
  const listed = listRecharges(game, range);
  await expect(listed.next()).rejects.toThrow('ECONNREFUSED');
});
