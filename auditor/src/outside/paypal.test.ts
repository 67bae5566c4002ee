import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPaypal } from './paypal.ts';

type Answer = (asked: URLSearchParams, times: number) => object | number | string;

let server: Server;
let url: string;
let answer: Answer;
let times = 0;
let tokens = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    if (pathname === '/v1/oauth2/token') {
      tokens += 1;
      response.end(JSON.stringify({ access_token: `token-${tokens}` }));
      return;
    }
    const said = answer(searchParams, times);
    times += 1;
    if (typeof said === 'number') response.writeHead(said).end('{}');
    else if (typeof said === 'string') response.writeHead(400).end(JSON.stringify({ name: said }));
    else response.end(JSON.stringify(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${Object(server.address()).port}`;
});
beforeEach(() => {
  times = 0;
  tokens = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const moved = (id: string, changes: object = {}) => ({
  transaction_info: {
    transaction_id: id,
    transaction_event_code: 'T0006',
    transaction_status: 'S',
    transaction_initiation_date: '2026-10-01T12:00:00+0000',
    transaction_amount: { currency_code: 'USD', value: '4.99' },
    custom_field: 'account.payment.attempt',
    ...changes,
  },
});
const page = (entries: object[], nth = 1, pages = 1) => ({
  transaction_details: entries,
  page: nth,
  total_pages: pages,
});

const account = () =>
  openPaypal({ name: 'paypal', provider: 'paypal', url, clientId: 'id', clientSecret: 'secret' });
const span = { fromMs: Date.parse('2026-10-01'), untilMs: Date.parse('2026-10-02') };

async function charges() {
  const all = [];
  for await (const listed of account().charges(span)) all.push(...listed);
  return all;
}

test('the auditor reads PayPal captures of all pages with their payment ids and leaves out other transactions', async () => {
  answer = (query) =>
    query.get('page') === '1'
      ? page([moved('A'), moved('B', { transaction_event_code: 'T0403' })], 1, 2)
      : page([moved('C', { transaction_status: 'P' }), moved('D')], 2, 2);
  const charge = { amount: 499, currency: 'USD', created: 1_790_856_000, paymentId: 'payment' };
  expect(await charges()).toEqual([
    { id: 'A', payment_intent: 'A', ...charge },
    { id: 'D', payment_intent: 'D', ...charge },
  ]);
});

test('the auditor splits a PayPal search with too many results into two halves that do not overlap', async () => {
  const asked: string[] = [];
  answer = (query, nth) => {
    asked.push(`${query.get('start_date')} ${query.get('end_date')}`);
    return nth === 0 ? 'RESULTSET_TOO_LARGE' : page([moved(`N${nth}`)]);
  };
  expect((await charges()).map(({ id }) => id)).toEqual(['N1', 'N2']);
  expect(asked.slice(1)).toEqual([
    '2026-10-01T00:00:00.000Z 2026-10-01T11:59:59.000Z',
    '2026-10-01T12:00:00.000Z 2026-10-01T23:59:59.000Z',
  ]);
});

test('the auditor requests a new access token once when PayPal answers 401', async () => {
  answer = (_query, nth) => (nth === 0 ? 401 : page([moved('A')]));
  expect(await charges()).toHaveLength(1);
  expect(tokens).toBe(2);
});

test('the auditor converts PayPal amounts in TWD and JPY to minor units', async () => {
  const of = (currency_code: string, value: string) => ({
    transaction_amount: { currency_code, value },
  });
  answer = () => page([moved('A', of('TWD', '150')), moved('B', of('JPY', '150'))]);
  expect((await charges()).map(({ amount }) => amount)).toEqual([15_000, 150]);
});

test.each<[string, Answer, string]>([
  ['rejects every access token', () => 401, 'HTTP 401'],
  ['answers with other fields', () => ({}), 'outside the contract: page, total_pages'],
  ['answers with another page', () => page([], 2, 2), 'another page than the one asked for'],
  ['announces too many pages', () => page([], 1, 30_000), 'outside the contract: total_pages'],
  [
    'has too many results for a single minute',
    () => 'RESULTSET_TOO_LARGE',
    'too many results in one minute',
  ],
  [
    'lists an amount without a currency',
    () => page([moved('A', { transaction_amount: '4.99' })]),
    'outside the contract',
  ],
])('an audit query to PayPal fails when PayPal %s', async (_what, said, reason) => {
  answer = said;
  await expect(charges()).rejects.toThrow(reason);
});
