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

describe('successful calls', () => {
  test('a successful API call is answered with its data in the JSON envelope and with security headers', async () => {
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

  test('each response has an x-request-id of its own', async () => {
    const ids = [await small.post(good), await small.post(good)].map(({ headers }) =>
      z.uuidv7().parse(headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('two identical API calls are answered with the same bytes', async () => {
    const [one, other] = [await small.post(good), await small.post(good)];
    expect(one.text).toBe(other.text);
  });

  test('an API reply contains every digit of an amount that is too large for a JavaScript number', async () => {
    const reply = await callRaw(`${small.url}/api/test/balance`);
    expect(reply.json()).toMatchObject({ data: { amountMinor: largeAmount.toString() } });
  });

  test('an API call without an Accept-Language header is handled in English', async () => {
    expect((await small.post(good)).json()).toMatchObject({ data: { locale: 'en-US' } });
  });
});

describe('refused calls', () => {
  test('an API call refused with a listed error code is answered with HTTP 200, the code and its message', async () => {
    const reply = await small.post({ ...good, name: 'refuse' });
    expectRefusal(reply, 200, 'ItemNotForSale', 'This item is not for sale');
  });

  test.each([
    ['is refused with an unlisted code', 'refuse unlisted'],
    ['throws an error', 'break'],
    ['replies with an unknown field', 'reply too much'],
    ['replies without a required field', 'reply too little'],
  ])(
    'an API call whose handler fails is answered with HTTP 500 and no internal details: a call that %s',
    async (_how, name) => {
      const reply = await small.post({ ...good, name });
      expectRefusal(reply, 500, 'InternalError', 'unknown error');
      expect(reply.text).not.toMatch(/swordfish|PaymentIdWrong|zod/i);
    },
  );

  test('an API call is answered with HTTP 503 while the shop is overloaded', async () => {
    const reply = await small.post({ ...good, name: 'be busy' });
    expectRefusal(reply, 503, 'SystemBusy', 'The system is busy');
  });

  test.each(['lose the database', 'lose the connection'])(
    'an API call is answered with HTTP 503 while the database is unreachable: %s',
    async (name) => {
      const reply = await small.post({ ...good, name });
      expectRefusal(reply, 503, 'SystemBusy', 'The system is busy');
    },
  );

  test('an API call to an unknown path or with a wrong method is answered with HTTP 404', async () => {
    const nothing = await callRaw(`${small.url}/api/nothing`, { method: 'POST' });
    expectRefusal(nothing, 404, 'NotFound', 'There is nothing at this address');
    const wrongMethod = await callRaw(`${small.url}/api/test/echo`);
    expectRefusal(wrongMethod, 404, 'NotFound', 'There is nothing at this address');
  });

  test('an API call to a host name without a site is answered with HTTP 404', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', 'constructor', '[::1]']) {
      const reply = await callRaw(`${small.url}/api/test/balance`, { headers: { host } });
      expectRefusal(reply, 404, 'NotFound', 'There is nothing at this address');
    }
  });

  test('an API call with a malformed URL is answered with HTTP 400 in the JSON envelope', async () => {
    expectMalformed(await callRaw(`${small.url}/api/%E0%A4%A`));
  });
});

describe('host names', () => {
  test('the site of an API call is found by the host name of the call in any letter case', async () => {
    const { port } = new URL(small.url);
    const headers = { host: `LOCALHOST:${port}` };
    expect((await callRaw(`${small.url}/api/test/balance`, { headers })).status).toBe(200);
  });
});

describe('malformed request bodies', () => {
  test.each([
    ['an unknown field', { ...good, price: 0 }],
    ['a missing field', { quantity: 1 }],
    ['text where a number belongs', { ...good, quantity: '1' }],
    ['true where a number belongs', { ...good, quantity: true }],
    ['a fraction in place of an integer', { ...good, quantity: 1.5 }],
    ['an integer too large for a double', '{"quantity":9007199254740993,"name":"a"}'],
    ['a number that overflows to infinity', '{"quantity":1e999,"name":"a"}'],
    ['a number where text belongs', { ...good, name: 1 }],
    ['null in place of an object', 'null'],
    ['a list in place of an object', '[]'],
    ['text in place of an object', '"text"'],
    ['no content', ''],
    ['broken JSON', '{"quantity":1,'],
    ['two JSON documents', '{}{}'],
    ['a NUL character', '{"quantity":1,"name":"a\\u0000b"}'],
    ['a lone high surrogate', '{"quantity":1,"name":"a\\ud83d"}'],
    ['a lone low surrogate', '{"quantity":1,"name":"\\udc8e"}'],
    ['the field __proto__', '{"quantity":1,"name":"a","__proto__":{"isAdmin":true}}'],
    ['the field constructor.prototype', '{"quantity":1,"name":"a","constructor":{"prototype":{}}}'],
    ['30,000 nested lists', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['10,000 nested objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    [
      'a field of 30,000 nested lists',
      `{"quantity":1,"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    ],
  ])(
    'an API request body with %s is refused before the handler of the call runs',
    async (_what, body) => {
      expectMalformed(await small.post(body));
    },
  );

  test('an API request body above 64 KiB is refused, one of exactly 64 KiB is accepted', async () => {
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
  ])('an API request body of the content type %s is refused', async (type) => {
    expectMalformed(await small.post(good, { 'content-type': type }), 415);
  });

  test('an API request body without a content type is refused', async () => {
    const reply = await callRaw(`${small.url}/api/test/echo`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(good),
    });
    expect(reply.json()).toMatchObject({ isSuccess: false, code: 'InvalidParams' });
    expect(small.handled).toEqual([]);
  });
});

describe('cross-origin calls', () => {
  const post = (headers: Record<string, string>) =>
    callRaw(`${small.url}/api/test/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(good),
    });

  test.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    [
      'a page of another site that adds the version header',
      { 'sec-fetch-site': 'cross-site', version: '1' },
    ],
    ['an older browser on a page of another site', { origin: 'https://evil.example' }],
    [
      'an older browser on a page of another site that adds the version header',
      { origin: 'https://evil.example', version: '1' },
    ],
    ['a page with the origin null that adds the version header', { origin: 'null', version: '1' }],
    ['a client without any origin header', {}],
  ])(
    'an API call from outside the portal, here from %s, is refused with HTTP 403',
    async (_from, headers) => {
      const reply = await post({ ...headers });
      const words = 'This call is only accepted from the shop itself';
      expectRefusal(reply, 403, 'ForeignOrigin', words);
      expect(small.handled).toEqual([]);
    },
  );

  test.each([
    ['the page of the shop', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['the page of the shop in an older browser', () => ({ origin: small.url })],
    ['an old webview that sends the version header', () => ({ version: '1' })],
  ])('an API call from the portal, here from %s, is accepted', async (_from, headers) => {
    expect((await post(headers())).status).toBe(200);
  });
});

describe('calls with a session', () => {
  const call = (headers: Record<string, string>) =>
    callRaw(`${small.url}/api/test/player`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      body: '{}',
    });

  test('an API call acts for the account of its session even if the header accountid names another account', async () => {
    const reply = await call({ 'x-session': 'live', accountid: 'somebody-else' });
    expect(reply.json()).toMatchObject({ isSuccess: true, data: { accountId: 'aveline' } });
  });

  test.each(['ended', 'none'])(
    'an API call without a live session (session: %s) is answered with HTTP 203 and no-store',
    async (session) => {
      expectRefusal(await call({ 'x-session': session }), 203, 'InvalidToken', 'illegal token');
      expect(small.handled).toEqual([]);
    },
  );
});

test('a stopping API server answers the running request and does not wait for an idle connection', async () => {
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
  ['a successful call', 'GET', '/api/test/balance', 200],
  ['a refused call', 'POST', '/api/test/player', 403],
  ['an unknown path', 'GET', '/nothing', 404],
  ['a malformed URL', 'GET', '/%zz', 400],
  ['a TRACE request', 'TRACE', '/api/test/balance', 404],
])(
  'every response has the security headers and no CORS headers: %s',
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

test('a TRACE request is answered with HTTP 404 and does not echo the request', async () => {
  const reply = await callRaw(`${small.url}/api/test/balance`, {
    method: 'TRACE',
    headers: { cookie: 'sid=swordfish' },
  });
  expect(reply.text).not.toContain('swordfish');
  expect(reply.status).toBe(404);
});

test('a request with both Content-Length and Transfer-Encoding is refused', async () => {
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

describe('slow clients', () => {
  test.each([
    ['headers', 'POST /api/test/echo HTTP/1.1\r\nhost: localhost\r\n'],
    [
      'body',
      'POST /api/test/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
        'content-length: 100\r\n\r\n{"quantity"',
    ],
  ])(
    'a client that sends its %s too slowly is answered with HTTP 408 and disconnected',
    async (_with, begun) => {
      const hasty = await openSmallApp({ requestMs: 200 });
      const { hostname, port } = new URL(hasty.url);
      const socket = connect(Number(port), hostname);
      socket.write(begun);
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(hasty.handled).toEqual([]);
      await hasty.app.close();
    },
  );
});
