import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openStripe } from './stripe.ts';

type Answer = (asked: URLSearchParams, times: number) => object | number;

let server: Server;
let url: string;
let answer: Answer;
let times = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    const said = answer(new URL(request.url ?? '', url).searchParams, times);
    times += 1;
    if (typeof said === 'number') response.writeHead(said).end('{}');
    else response.end(JSON.stringify(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${Object(server.address()).port}`;
});
beforeEach(() => {
  times = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const charge = (id: string, changes: object = {}) => ({
  id,
  amount: 499,
  currency: 'usd',
  created: 1_790_000_000,
  status: 'succeeded',
  payment_intent: `pi_${id}`,
  metadata: { paymentId: 'one' },
  ...changes,
});
const page = (data: object[], hasMore = false) => ({ has_more: hasMore, data });

async function charges() {
  const account = openStripe({ name: 'stripe', provider: 'stripe', url, secretKey: 'sk_test' });
  const ids: string[] = [];
  const span = { fromMs: 1_790_000_000_500, untilMs: 1_790_000_100_500 };
  for await (const listed of account.charges(span)) ids.push(...listed.map(({ id }) => id));
  return ids;
}

test('the auditor reads Stripe charges of all pages of a time range and leaves out failed charges', async () => {
  const asked: string[] = [];
  answer = (query) => {
    asked.push(`${query.get('created[gte]')} ${query.get('created[lt]')}`);
    if (query.get('starting_after') === null) return page([charge('a'), charge('b')], true);
    expect(query.get('starting_after')).toBe('b');
    return page([charge('c', { status: 'failed' }), charge('d', { payment_intent: null })]);
  };
  expect(await charges()).toEqual(['a', 'b', 'd']);
  expect(asked).toEqual(Array(2).fill('1790000000 1790000100'));
});

test.each<[string, Answer, string]>([
  ['rejects the API key', () => 401, 'HTTP 401'],
  ['always answers with HTTP 429', () => 429, 'HTTP 429'],
  ['answers with other fields', () => ({}), 'outside the contract: has_more, data'],
  [
    'lists a malformed amount',
    () => page([charge('a', { amount: '4.99' })]),
    'outside the contract: data.0.amount',
  ],
  ['repeats a cursor', () => page([charge('a')], true), 'the same cursor twice'],
  ['sends an empty page before the last', () => page([], true), 'an empty page before the last'],
])('an audit query to Stripe fails when Stripe %s', async (_what, said, reason) => {
  answer = said;
  await expect(charges()).rejects.toThrow(reason);
});
