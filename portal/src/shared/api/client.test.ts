import { encryptionKeys, logout } from '@pointgate/contract/accounts.ts';
import { bulletinDetail } from '@pointgate/contract/bulletins.ts';
import { itemGroups } from '@pointgate/contract/catalogue.ts';
import { gameInfo } from '@pointgate/contract/characters.ts';
import { endpoints } from '@pointgate/contract/endpoints.ts';
import { supportLink } from '@pointgate/contract/support.ts';
import { serverTime } from '@pointgate/contract/time.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, identifyCaller, timeoutMs } from './client.ts';
import { onSessionEvent } from './session-events.ts';

let sent: { url: string; init: RequestInit }[] = [];

function givenReply(body: unknown, status = 200): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, init });
    return new Response(text, { status });
  });
}

beforeEach(() => {
  sent = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('[S5.06] the portal accepts an API reply with isSuccess, or without it if data is present, and rejects any other', async () => {
  givenReply({ isSuccess: true, data: { ts: 7 } });
  expect(await call(serverTime, {})).toEqual({ ts: 7 });
  givenReply({ data: { ts: 8 } });
  expect(await call(serverTime, {})).toEqual({ ts: 8 });

  givenReply({ data: null, code: 'AuthFail', msg: 'no' });
  await expect(call(serverTime, {})).rejects.toMatchObject({ code: 'AuthFail', message: 'no' });
  givenReply({ isSuccess: false, data: { left: 2 }, code: 'SystemBusy', msg: 'busy' });
  await expect(call(serverTime, {})).rejects.toMatchObject({
    code: 'SystemBusy',
    message: 'busy',
    data: { left: 2 },
  });
});

test('[S7.01] all API calls of the portal go through one client, which sends JSON and times out after 60000 ms', async () => {
  const sources = import.meta.glob('../../**/*.{ts,tsx}', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const callers = Object.entries(sources)
    .filter(([file, text]) => !file.includes('.test.') && /(?<!\w)fetch\(/.test(String(text)))
    .map(([file]) => file)
    .sort();
  // Besides the client: event batches go to a logger of any origin, and the config is a file.
  expect(callers).toEqual([
    '../analytics/log-transport.ts',
    '../config/site-config.tsx',
    './client.ts',
  ]);

  const posts = endpoints.filter(({ method }) => method === 'POST');
  expect(posts.length).toBeGreaterThan(endpoints.length / 2);

  givenReply({ isSuccess: true, data: { countedFor: null, groups: [] } });
  await call(itemGroups, { gameId: 'solmere', system: 'ios' });
  expect(sent[0]?.init).toMatchObject({
    method: 'POST',
    body: '{"gameId":"solmere","system":"ios"}',
    headers: { 'content-type': 'application/json' },
  });
  givenReply({ isSuccess: true, data: { keys: [], ts: 1 } });
  await call(encryptionKeys, {});
  expect(sent[1]?.init).toMatchObject({ method: 'GET' });
  expect(sent[1]?.init).not.toHaveProperty('body');

  vi.useFakeTimers();
  vi.stubGlobal('fetch', givenSilence);
  let outcome: unknown = 'waiting';
  call(serverTime, {}).catch((error: unknown) => {
    outcome = error;
  });
  expect(timeoutMs).toBe(60_000);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(outcome).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toMatchObject({ status: 500, code: -1 });
});

/** A server that never answers. */
function givenSilence(_url: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

test('[S7.02] every API request of the portal carries version, hversion, accountid, gameid and userid headers', async () => {
  givenReply({ isSuccess: true, data: {} });
  identifyCaller({
    hversion: 'build-7',
    accountId: 'a',
    gameId: 'solmere',
    userId: 'u',
    locale: 'de-DE',
  });
  await call(logout, {});
  expect(sent[0]?.init.headers).toMatchObject({
    version: '0.1.0',
    hversion: 'build-7',
    accountid: 'a',
    gameid: 'solmere',
    userid: 'u',
    'accept-language': 'de-DE',
  });

  identifyCaller({ accountId: '', userId: '' });
  givenReply({ isSuccess: true, data: { ts: 1 } });
  await call(serverTime, {});
  expect(Object.keys(sent[1]?.init.headers ?? {})).toEqual(
    expect.arrayContaining(['version', 'hversion', 'accountid', 'gameid', 'userid']),
  );
});

test("[S8.01] an API error in the portal has status, code and message, and the default message is 'unknown error'", async () => {
  givenReply({ isSuccess: false });
  await expect(call(serverTime, {})).rejects.toMatchObject({
    status: 200,
    code: -1,
    message: 'unknown error',
  });
});

test('[S8.02] an API call resolves on status 200, rejects on 203 as an expired session, and on others with the status', async () => {
  const reply = { isSuccess: true, data: { ts: 7 } };
  givenReply(reply, 200);
  expect(await call(serverTime, {})).toEqual({ ts: 7 });

  const onExpired = vi.fn();
  const stop = onSessionEvent('expired', onExpired);
  givenReply(reply, 203);
  await expect(call(serverTime, {})).rejects.toMatchObject({ status: 203, code: 'InvalidToken' });
  givenReply({ ...reply, status: 203 }, 200);
  await expect(call(serverTime, {})).rejects.toMatchObject({ status: 203, code: 'InvalidToken' });
  expect(onExpired).toHaveBeenCalledTimes(2);

  for (const status of [201, 202, 206, 400, 401, 403, 404, 429, 500, 502, 503]) {
    givenReply(reply, status);
    await expect(call(serverTime, {})).rejects.toMatchObject({ status });
  }
  expect(onExpired).toHaveBeenCalledTimes(2);
  stop();
});

test("[S8.03] the error of a failed API request has code and msg of the response, or else -1 and 'request error'", async () => {
  givenReply({ code: 'SystemBusy', msg: 'try later' }, 503);
  await expect(call(serverTime, {})).rejects.toMatchObject({
    status: 503,
    code: 'SystemBusy',
    message: 'try later',
  });
  for (const body of ['{}', '<html>Bad gateway</html>', '', 'null', '"text"']) {
    givenReply(body, 502);
    await expect(call(serverTime, {})).rejects.toMatchObject({
      status: 502,
      code: -1,
      message: 'request error',
    });
  }
});

test('[S8.04] the error of an API request without a response has status 500, code -1 and the message of the cause', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(call(serverTime, {})).rejects.toMatchObject({
    status: 500,
    code: -1,
    message: 'Failed to fetch',
  });
});

test('the portal rejects an API reply that violates the API contract', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
  givenReply({ isSuccess: true, data: { gameId: 'solmere' } });
  await expect(call(gameInfo, { gameId: 'solmere' })).rejects.toMatchObject({ code: -1 });
  expect(complain).toHaveBeenCalledOnce();
  complain.mockRestore();
});

test('amounts of any size in API replies are parsed as exact bigints', async () => {
  const price = { amountMinor: '900719925474099301', currency: 'VND' };
  const item = {
    itemId: 'a',
    name: 'A',
    quantity: '1',
    unit: 'Shards',
    gift: null,
    price,
    pricePoints: null,
    badge: null,
    tier: 'sun',
    art: 'shard1',
    quoteId: 'quote-of-these-tests',
    saleFrom: null,
    saleUntil: null,
    limit: null,
    rebatePoints: null,
  };
  givenReply({
    isSuccess: true,
    data: { countedFor: null, groups: [{ groupId: 'g', name: 'G', items: [item] }] },
  });
  const { groups } = await call(itemGroups, { gameId: 'solmere', system: 'android' });
  expect(groups[0]?.items[0]?.price.amountMinor).toBe(900719925474099301n);
});

test('path and query parameters of an API call are encoded into the request URL', async () => {
  identifyCaller({ cgi: '' });
  givenReply({ isSuccess: false, code: 'BulletinMissing', msg: 'missing' });
  await expect(call(bulletinDetail, {}, {}, { id: 'tide fall' })).rejects.toThrow('missing');
  await expect(call(supportLink, {}, {}, { paymentId: 'p1' })).rejects.toThrow('missing');
  expect(sent.map(({ url }) => url)).toEqual([
    '/api/bulletin/detail/tide%20fall',
    '/api/crm/url/get?paymentId=p1',
  ]);
});
