import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callRaw, type RawReply } from '../../test/raw-call.ts';
import { largeAmount, openSmallApp, type SmallApp } from '../../test/small-app.ts';
import { log } from './log.ts';

let small: SmallApp;
beforeAll(async () => {
  log.level = 'silent';
  small = await openSmallApp();
});
afterAll(() => small.app.close());
beforeEach(() => {
  small.handled.length = 0;
});

const good = { quantity: 1, name: 'gem 💎' };

/** A refusal in the form of the specification, with the status in the body as well. */
function refusal(status: number, code: string, msg: string) {
  return { isSuccess: false, data: null, msg, code, status };
}

function expectRefusal(reply: RawReply, status: number, code: string, msg: string): void {
  expect(reply.json()).toEqual(refusal(status, code, msg));
  expect(reply.status).toBe(status);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
}

function expectMalformed(reply: RawReply, status = 400): void {
  expectRefusal(reply, status, 'InvalidParams', 'Parameter exception');
  expect(small.handled).toEqual([]);
}

describe('a call that works', () => {
  test('answers the envelope with its data and no code', async () => {
    const reply = await small.post(good, { 'accept-language': 'de-AT,en;q=0.5' });
    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual({
      isSuccess: true,
      data: { ...good, locale: 'de-DE' },
      msg: '',
      code: null,
      status: 200,
    });
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  });

  test('has an id of its own that a player can quote', async () => {
    const ids = [await small.post(good), await small.post(good)].map(({ headers }) =>
      z.uuidv7().parse(headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('twice is answered alike to the last byte', async () => {
    const [one, other] = [await small.post(good), await small.post(good)];
    expect(one.text).toBe(other.text);
  });

  test('answers large amounts with every digit', async () => {
    const reply = await callRaw(`${small.url}/api/test/balance`);
    expect(reply.json()).toMatchObject({ data: { amountMinor: largeAmount.toString() } });
  });

  test('takes English when no language is asked for', async () => {
    expect((await small.post(good)).json()).toMatchObject({ data: { locale: 'en-US' } });
  });
});

describe('a call that is refused', () => {
  test('by the rules is HTTP 200 with the code and its words', async () => {
    const reply = await small.post({ ...good, name: 'refuse' });
    expectRefusal(reply, 200, 'ItemNotForSale', 'This item is not for sale');
  });

  test.each([
    ['with a code it does not list', 'refuse unlisted'],
    ['by a bug', 'break'],
    ['with a reply that says too much', 'reply too much'],
    ['with a reply that says too little', 'reply too little'],
  ])('%s is HTTP 500 and tells nothing of the inside', async (_how, name) => {
    const reply = await small.post({ ...good, name });
    expectRefusal(reply, 500, 'InternalError', 'unknown error');
    expect(reply.text).not.toMatch(/swordfish|PaymentIdWrong|zod/i);
  });

  test('because the shop is overloaded is HTTP 503', async () => {
    const reply = await small.post({ ...good, name: 'be busy' });
    expectRefusal(reply, 503, 'SystemBusy', 'The system is busy');
  });

  test.each(['lose the database', 'lose the connection'])(
    'because the database is away is HTTP 503: %s',
    async (name) => {
      const reply = await small.post({ ...good, name });
      expectRefusal(reply, 503, 'SystemBusy', 'The system is busy');
    },
  );

  test('because there is nothing at its address is HTTP 404', async () => {
    const nothing = await callRaw(`${small.url}/api/nothing`, { method: 'POST' });
    expectRefusal(nothing, 404, 'NotFound', 'There is nothing at this address');
    const wrongMethod = await callRaw(`${small.url}/api/test/echo`);
    expectRefusal(wrongMethod, 404, 'NotFound', 'There is nothing at this address');
  });

  test('because its host is no site is HTTP 404, whatever the host is', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', 'constructor', '[::1]']) {
      const reply = await callRaw(`${small.url}/api/test/balance`, { headers: { host } });
      expectRefusal(reply, 404, 'NotFound', 'There is nothing at this address');
    }
  });

  test('because its address cannot be read is HTTP 400, in the same form', async () => {
    expectMalformed(await callRaw(`${small.url}/api/%E0%A4%A`));
  });
});

describe('the host name', () => {
  test('is taken in any case', async () => {
    const { port } = new URL(small.url);
    const headers = { host: `LOCALHOST:${port}` };
    expect((await callRaw(`${small.url}/api/test/balance`, { headers })).status).toBe(200);
  });
});

describe('a malformed body is refused before anybody handles it:', () => {
  test.each([
    ['an unknown field', { ...good, price: 0 }],
    ['a missing field', { quantity: 1 }],
    ['text where a number belongs', { ...good, quantity: '1' }],
    ['true where a number belongs', { ...good, quantity: true }],
    ['a fraction', { ...good, quantity: 1.5 }],
    ['a number beyond exactness', '{"quantity":9007199254740993,"name":"a"}'],
    ['an endless number', '{"quantity":1e999,"name":"a"}'],
    ['a number where text belongs', { ...good, name: 1 }],
    ['null', 'null'],
    ['a list', '[]'],
    ['text', '"text"'],
    ['nothing', ''],
    ['broken JSON', '{"quantity":1,'],
    ['two documents', '{}{}'],
    ['a NUL', '{"quantity":1,"name":"a\\u0000b"}'],
    ['half of a surrogate pair', '{"quantity":1,"name":"a\\ud83d"}'],
    ['the other half', '{"quantity":1,"name":"\\udc8e"}'],
    ['__proto__', '{"quantity":1,"name":"a","__proto__":{"isAdmin":true}}'],
    ['constructor.prototype', '{"quantity":1,"name":"a","constructor":{"prototype":{}}}'],
    ['30,000 lists in each other', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['10,000 objects in each other', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['a deep field', `{"quantity":1,"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('%s', async (_what, body) => {
    expectMalformed(await small.post(body));
  });

  test('one that is larger than 64 KiB, but not one of exactly that', async () => {
    const around = JSON.stringify({ ...good, name: '' }).length;
    const name = 'x'.repeat(64 * 1024 - around);
    expect((await small.post({ ...good, name })).status).toBe(200);
    small.handled.length = 0;
    expectMalformed(await small.post({ ...good, name: `${name}x` }), 413);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'json',
  ])('one that calls itself %s', async (type) => {
    expectMalformed(await small.post(good, { 'content-type': type }), 415);
  });

  test('one that does not say what it is', async () => {
    const reply = await callRaw(`${small.url}/api/test/echo`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(good),
    });
    expect(reply.json()).toMatchObject({ isSuccess: false, code: 'InvalidParams' });
    expect(small.handled).toEqual([]);
  });
});

describe('a call from somewhere else', () => {
  const post = (headers: Record<string, string>) =>
    callRaw(`${small.url}/api/test/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(good),
    });

  test.each([
    ['a foreign page', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a foreign page that adds our header', { 'sec-fetch-site': 'cross-site', version: '1' }],
    ['an older browser on a foreign page', { origin: 'https://evil.example' }],
    ['an older browser, our header added', { origin: 'https://evil.example', version: '1' }],
    ['a page that hides where it is', { origin: 'null', version: '1' }],
    ['something that says nothing at all', {}],
  ])('from %s is refused with HTTP 403', async (_from, headers) => {
    const reply = await post({ ...headers });
    const words = 'This call is only accepted from the shop itself';
    expectRefusal(reply, 403, 'ForeignOrigin', words);
    expect(small.handled).toEqual([]);
  });

  test.each([
    ['our own page', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['our own page in an older browser', () => ({ origin: small.url })],
    ['an old webview that sends our header', () => ({ version: '1' })],
  ])('%s is welcome', async (_from, headers) => {
    expect((await post(headers())).status).toBe(200);
  });
});

describe('a call that needs a player', () => {
  const call = (headers: Record<string, string>) =>
    callRaw(`${small.url}/api/test/player`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      body: '{}',
    });

  test('knows who is calling from the session', async () => {
    const reply = await call({ 'x-session': 'live', accountid: 'somebody-else' });
    expect(reply.json()).toMatchObject({ isSuccess: true, data: { accountId: 'aveline' } });
  });

  test.each(['ended', 'none'])('answers HTTP 203 that nobody may cache: %s', async (session) => {
    expectRefusal(await call({ 'x-session': session }), 203, 'InvalidToken', 'illegal token');
    expect(small.handled).toEqual([]);
  });
});

test('a server that is told to stop answers what is under way and does not wait for its line', async () => {
  const stopping = await openSmallApp();
  const agent = new Agent({ keepAlive: true });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const body = JSON.stringify({ ...good, name: 'wait' });
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    request(`${stopping.url}/api/test/echo`, { method: 'POST', agent, headers }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode));
    })
      .on('error', reject)
      .end(body);
  });
  await expect.poll(() => stopping.handled).toHaveLength(1);
  const closed = stopping.app.close();
  await expect.poll(() => stopping.app.server.listening).toBe(false);
  stopping.goOn();
  expect(await answered).toBe(200);
  await closed;
  agent.destroy();
});

test.each<[string, string, string, number]>([
  ['a call that works', 'GET', '/api/test/balance', 200],
  ['a refusal', 'POST', '/api/test/player', 403],
  ['an address that is not there', 'GET', '/nothing', 404],
  ['an address that cannot be read', 'GET', '/%zz', 400],
  ['TRACE, which no call answers', 'TRACE', '/api/test/balance', 404],
])(
  'every answer says what browsers may do with it, whatever it is: %s',
  async (_what, method, path, status) => {
    const reply = await callRaw(small.url + path, { method });
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );
  },
);

test('TRACE does not send a request back to its sender', async () => {
  const reply = await callRaw(`${small.url}/api/test/balance`, {
    method: 'TRACE',
    headers: { cookie: 'sid=swordfish' },
  });
  expect(reply.text).not.toContain('swordfish');
  expect(reply.status).toBe(404);
});

test('a request whose length is said in two ways is refused', async () => {
  const { hostname, port } = new URL(small.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify(good);
  socket.end(
    'POST /api/test/echo HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\n' +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `transfer-encoding: chunked\r\n\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  expect(small.handled).toEqual([]);
});

describe('a caller who is slow', () => {
  test.each([
    ['with the headers', 'POST /api/test/echo HTTP/1.1\r\nhost: localhost\r\n'],
    [
      'with the body',
      'POST /api/test/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
        'content-length: 100\r\n\r\n{"quantity"',
    ],
  ])('%s is answered 408 and hung up on', async (_with, begun) => {
    const hasty = await openSmallApp({ requestMs: 200 });
    const { hostname, port } = new URL(hasty.url);
    const socket = connect(Number(port), hostname);
    socket.write(begun);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(hasty.handled).toEqual([]);
    await hasty.app.close();
  });
});
