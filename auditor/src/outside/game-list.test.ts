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
  ...{ paymentId: idOf(1), gameId: 'solmere', serverId: 's12', roleId: 'r', gameAccountId: 'ga' },
  ...{ items: [{ sku: 'gems', quantity: 60 }], what: 'given', at: '2026-10-01T12:00:00Z' },
  ...changes,
});
const range = {
  ...{ from: idOf(0), until: idOf(99), month: '2026-10', state: 'present' as const },
};

async function list() {
  const game = { gameId: 'solmere', apiUrl, secret: 'a-secret-of-the-game', isSandbox: true };
  const grants: string[] = [];
  for await (const part of listRecharges(game, range)) {
    grants.push(part.grants.map(({ paymentId }) => paymentId).join(' '));
  }
  return grants;
}

test('what is said of one payment stays together, although it stands on two pages', async () => {
  const [first, second, third] = [1, 2, 3].map((nth) => entry({ paymentId: idOf(nth) }));
  answer = ({ cursor }) =>
    cursor === null
      ? { entries: [first, second], next: 'more' }
      : { entries: [second, third], next: null };
  expect(await list()).toEqual([idOf(1), [idOf(2), idOf(2), idOf(3)].join(' ')]);
});

test('a call is signed with the secret of the game, anew each time', async () => {
  answer = (_asked, nth) => (nth === 0 ? 503 : { entries: [], next: null });
  expect(await list()).toEqual(['']);
  expect(signatures).toHaveLength(2);
  for (const signature of signatures) expect(signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
});

test.each<[string, Answer, string]>([
  ['refuses the signature', () => 401, 'HTTP 401'],
  ['is broken for good', () => 500, 'HTTP 500'],
  ['knows no such call', () => 404, 'HTTP 404'],
  ['answers no JSON', () => '<html>', 'an answer outside the contract: all of it'],
  ['answers something else', () => ({ grants: [] }), 'outside the contract: entries, next'],
  ['gives a payment no id', () => page([entry({ paymentId: 'one' })]), 'entries.0.paymentId'],
  ['lists for another game', () => page([entry({ gameId: 'other' })]), 'entries of another game'],
  [
    'lists what was not asked for',
    () => page([entry({ paymentId: idOf(99) })]),
    'entries that were not asked for',
  ],
  [
    'lists in no order',
    () => page([entry({ paymentId: idOf(2) }), entry({ paymentId: idOf(1) })]),
    'entries in another order',
  ],
  [
    'lists the future',
    () => page([entry({ at: '2999-01-01T00:00:00Z' })]),
    'entries of the future',
  ],
  [
    'lists more than was asked for',
    () => page(Array.from({ length: 501 }, () => entry())),
    'outside the contract: entries',
  ],
  ['gives the same cursor twice', () => page([entry()], 'again'), 'the same cursor twice'],
  ['has empty pages', (_asked, nth) => page([], `page ${nth}`), 'an empty page before the last'],
  [
    'never ends with one payment',
    (_asked, nth) =>
      page(
        Array.from({ length: 500 }, () => entry()),
        `page ${nth}`,
      ),
    'too much for one payment',
  ],
  ['answers endlessly', () => 'x'.repeat(17 * 1024 * 1024), 'a reply of more than'],
])('a game that %s could not be asked', async (_what, said, reason) => {
  answer = said;
  await expect(list()).rejects.toThrow(reason);
});

function page(entries: object[], next: string | null = null) {
  return { entries, next };
}

test('a game that is not there could not be asked', async () => {
  const game = { gameId: 'solmere', apiUrl: 'http://127.0.0.1:1', secret: 's', isSandbox: true };
  const listed = listRecharges(game, range);
  await expect(listed.next()).rejects.toThrow('ECONNREFUSED');
});
