import { afterEach, expect, test } from 'vitest';
import { callRaw } from '../../test/raw-call.ts';
import { createHttp } from './http.ts';
import { log } from './log.ts';
import { networkOf } from './network.ts';
import { isNetwork, type TrustProxy } from './proxies.ts';

// Uses real sockets: this process is the peer, at 127.0.0.1, and sends the headers of a proxy.

log.level = 'silent';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The client data that the server derives from these headers. */
async function believed(trustProxy: TrustProxy, headers: Record<string, string | string[]>) {
  const app = await createHttp({
    trustProxy,
    loggedSource: 'none',
    countryHeader: 'x-country',
    siteOf: async () => undefined,
    authenticate: async () => 'none',
  });
  closers.push(() => app.close());
  app.get('/believed', async (request) => ({
    network: networkOf(request.ip),
    host: request.host,
    protocol: request.protocol,
    country: request.headers['x-country'] ?? null,
  }));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const reply = await callRaw(`${url}/believed`, { headers: { host: 'shop.example', ...headers } });
  expect(reply.status).toBe(200);
  return reply.json();
}

const peer = '127.0.0.0/24';

test.each<[TrustProxy, string, string]>([
  [0, '203.0.113.7', peer],
  [1, '203.0.113.7', '203.0.113.0/24'],
  [1, '198.51.100.1, 203.0.113.7', '203.0.113.0/24'],
  [2, '198.51.100.1, 203.0.113.7, 10.0.0.2', '203.0.113.0/24'],
  [['127.0.0.0/8'], '198.51.100.1, 203.0.113.7', '203.0.113.0/24'],
  [['127.0.0.1', '10.0.0.0/8'], '198.51.100.1, 203.0.113.7, 10.0.0.2', '203.0.113.0/24'],
  [['10.0.0.0/8'], '203.0.113.7', peer],
  [['fd00::/8'], '203.0.113.7', peer],
  [1, '198.51.100.1, 2001:db8:7::9', '2001:db8:7::/48'],
])(
  'the client network of a call with the setting TRUST_PROXY %j and the header X-Forwarded-For: %s is %s',
  async (trust, sent, network) => {
    expect(await believed(trust, { 'x-forwarded-for': sent })).toMatchObject({ network });
  },
);

test.each([
  '1.2.3.4:55',
  'unknown',
  '_hidden',
  '',
  ',',
  '1.2.3',
  '999.1.1.1',
  '[2001:db8::1]',
  'fe80::1%eth0',
  '203.0.113.7, 1.2.3.4:55',
  '203.0.113.7;',
])(
  'a call whose last entry in X-Forwarded-For is malformed counts as a call from the address of the proxy: %s',
  async (sent) => {
    for (const trust of [1, ['127.0.0.0/8']]) {
      expect(await believed(trust, { 'x-forwarded-for': sent })).toMatchObject({ network: peer });
    }
  },
);

test('a call whose last entry in X-Forwarded-For is overlong counts as a call from the address of the proxy', async () => {
  const tooLong = `203.0.113.7, ${'9'.repeat(8_000)}`;
  expect(await believed(1, { 'x-forwarded-for': tooLong })).toMatchObject({ network: peer });
});

test('entries in X-Forwarded-For before the entry written by the trusted proxy are ignored, even if malformed', async () => {
  for (const junk of ['1.2.3.4:55', 'junk', '', 'x'.repeat(8_000), '9.9.9.9, '.repeat(900)]) {
    const headers = { 'x-forwarded-for': `${junk}, 203.0.113.7` };
    expect(await believed(1, headers)).toMatchObject({ network: '203.0.113.0/24' });
  }
});

test('the client address of a call with two X-Forwarded-For headers is the last entry of the last header', async () => {
  const headers = { 'x-forwarded-for': ['198.51.100.1', '203.0.113.7'] };
  expect(await believed(1, headers)).toMatchObject({ network: '203.0.113.0/24' });
});

const forwarded = {
  'x-forwarded-host': 'other.example',
  'x-forwarded-proto': 'https',
  'x-country': 'DE',
};

test('the host, protocol and country of a call are those in the headers that a trusted proxy sends', async () => {
  for (const trust of [1, ['127.0.0.1']]) {
    const said = { host: 'other.example', protocol: 'https', country: 'DE' };
    expect(await believed(trust, forwarded)).toMatchObject(said);
  }
});

test('the host, protocol and country headers of a call are ignored if it does not come from a trusted proxy', async () => {
  for (const trust of [0, ['10.0.0.0/8']]) {
    const said = { host: 'shop.example', protocol: 'http', country: null };
    expect(await believed(trust, forwarded)).toMatchObject(said);
  }
});

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['fd00::/8', true],
  ['::1', true],
  ['0.0.0.0/0', false],
  ['::/0', false],
  ['10.0.0.0/33', false],
  ['fd00::/129', false],
  ['10.0.0/8', false],
  ['10.0.0.0/', false],
  ['proxy.example', false],
  ['', false],
])('the value "%s" of the setting for trusted proxy networks is accepted: %s', (text, is) => {
  expect(isNetwork(text)).toBe(is);
});
