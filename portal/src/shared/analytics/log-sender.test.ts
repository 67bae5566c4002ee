import { batchBytesMax, type LogEvent } from '@pointgate/contract/log-events.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { givenBeacons, openBatch, pageKey } from '../../../test/logger.ts';
import { callsOf, givenShop } from '../../../test/shop.tsx';
import { noteServerTime } from '../api/server-clock.ts';
import { batchEvents, keptEventsMax } from './log-queue.ts';
import { openLogSender, tickMs, triesMax } from './log-sender.ts';
import { openLogSession } from './log-session.ts';
import type { EventInput } from './track.ts';

const now = Date.UTC(2026, 10, 15, 9, 30);
const collect = '/api/log/collect';
const taken = () => new Response(null, { status: 204 });
const answer = (status: number) => () => new Response(null, { status });

let beacons: string[] = [];
let close = () => {};

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  sessionStorage.clear();
  localStorage.clear();
  beacons = givenBeacons();
});
afterEach(() => {
  close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(url = collect, key = pageKey) {
  const origin = { brandId: 'omni', gameId: 'solmere', env: [], lng: 'en-US' as const };
  const session = openLogSession();
  const sender = openLogSender({ url, key, session, origin: () => origin });
  close = sender.close;
  return sender;
}

/** Records the batches sent and decodes them as the collector does. */
function listening(reply: () => Response | Promise<Response> = taken, more = {}) {
  const calls = givenShop({ [collect]: reply, ...more });
  const texts = () => callsOf(calls, collect).map(({ body }) => JSON.stringify(body));
  return { calls, texts, batches: () => texts().map((text) => openBatch(text)) };
}

const click: EventInput = {
  n: 'web_payment_click_button',
  p: { page: '/main/recharge', button: 'pay' },
};
const tell = (sender: ReturnType<typeof open>, times = 1) => {
  for (let time = 0; time < times; time += 1) sender.tell({ ...click, at: Date.now() });
};
const idsOf = (batches: readonly { events: readonly LogEvent[] }[]) =>
  batches.flatMap(({ events }) => events.map(({ id }) => id));
const tick = (times = 1) => vi.advanceTimersByTime(tickMs * times);

describe('[S7.36] event batches', () => {
  test('analytics events are sent as one signed batch after ten seconds, each with an index in the session', async () => {
    noteServerTime(now / 1000 + 3600, 400);
    const heard = listening();
    const sender = open();
    tell(sender, 2);
    vi.advanceTimersByTime(tickMs - 1);
    tell(sender);
    expect(heard.calls).toEqual([]);
    vi.advanceTimersByTime(1);
    await until(() => heard.texts().length === 1);
    const [batch] = heard.batches();
    expect(batch).toMatchObject({
      v: 1,
      kid: pageKey.kid,
      did: pageKey.did,
      brandId: 'omni',
      gameId: 'solmere',
      seq: 0,
      sent_at: now + tickMs,
      offset_ms: 3_600_200,
      env: [],
      lng: 'en-US',
      sid: openLogSession().sid(),
      events: [
        { ...click, i: 0, t: '2026-11-15 10:30:00' },
        { ...click, i: 1, t: '2026-11-15 10:30:00' },
        { ...click, i: 2, t: '2026-11-15 10:30:10' },
      ],
    });
    const [{ headers } = { headers: {} }] = heard.calls;
    expect(headers).toEqual({ 'content-type': 'text/plain;charset=UTF-8' });
    tick();
    tell(sender);
    tick();
    await until(() => heard.texts().length === 2);
    expect(heard.batches()[1]).toMatchObject({ seq: 1, events: [{ i: 3 }] });
  });

  test(`a batch of ${batchEvents} analytics events is sent at once`, async () => {
    const heard = listening();
    tell(open(), batchEvents + 1);
    await until(() => heard.texts().length === 1);
    expect(heard.batches()[0]?.events).toHaveLength(batchEvents);
  });

  test('analytics events for another origin are sent as no-cors plain text, and an opaque response counts as success', async () => {
    const asked: RequestInit[] = [];
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      asked.push(init);
      return { ok: false, status: 0, type: 'opaque' };
    });
    tell(open('https://logs.example/in'));
    tick();
    await until(() => asked.length === 1);
    expect(asked[0]).toMatchObject({ mode: 'no-cors', credentials: 'omit', keepalive: true });
    tick(10);
    expect(asked).toHaveLength(1);
  });
});

test('a batch of the maximum number of longest analytics events stays within the size limit of a batch', async () => {
  const heard = listening();
  const sender = open();
  const link = `https://${'a'.repeat(240)}.example/`;
  const p = { traffic_source: 'launcher', link } as const;
  for (let time = 0; time < batchEvents; time += 1) {
    sender.tell({ n: 'web_payment_user_info', p, at: now });
  }
  await until(() => heard.texts().length === 1);
  const [text = ''] = heard.texts();
  expect(Buffer.byteLength(JSON.parse(text).body)).toBeLessThan(batchBytesMax);
});

describe('lost batches', () => {
  test('an analytics batch answered with 503 is retried unchanged at growing intervals and then dropped', async () => {
    const heard = listening(answer(503));
    const sender = open();
    tell(sender, 2);
    for (const [tries, ticks] of [1, 1, 2, 5, 14].entries()) {
      tick(ticks - 1);
      await settled();
      expect(heard.texts()).toHaveLength(tries);
      tick();
      await until(() => heard.texts().length === tries + 1);
      await settled();
    }
    expect(heard.texts()).toHaveLength(triesMax);
    const batches = heard.batches();
    expect(new Set(idsOf(batches)).size).toBe(2);
    expect(new Set(batches.map(({ seq }) => seq))).toEqual(new Set([0]));
    tick(500);
    await settled();
    expect(heard.texts()).toHaveLength(triesMax);
  });

  test.each([
    ['a network failure', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['an answer with status 429', answer(429)],
  ])('an analytics batch is sent once more after %s', async (_why, reply) => {
    let isDown = true;
    const heard = listening(() => (isDown ? reply() : taken()));
    tell(open());
    tick();
    await until(() => heard.texts().length === 1);
    isDown = false;
    await settled();
    tick();
    await until(() => heard.texts().length === 2);
    await settled();
    tick(100);
    await settled();
    expect(heard.texts()).toHaveLength(2);
  });

  test('an analytics batch answered with 400 is not retried', async () => {
    const heard = listening(answer(400));
    tell(open());
    tick();
    await until(() => heard.texts().length === 1);
    await settled();
    tick(100);
    expect(heard.texts()).toHaveLength(1);
  });

  test('an analytics batch refused because of an expired signing key is sent again with a renewed key', async () => {
    const renewed = { ...pageKey, kid: 'k2', key: 'ab'.repeat(32) };
    const statuses = [401, 204];
    const heard = listening(() => answer(statuses.shift() ?? 500)(), { '/api/log/key': renewed });
    tell(open());
    tick();
    await until(() => callsOf(heard.calls, '/api/log/key').length === 1);
    await settled();
    tick();
    await until(() => heard.texts().length === 2);
    const [first = '', second = ''] = heard.texts();
    const [before, after] = [openBatch(first), openBatch(second, renewed)];
    expect(after.kid).toBe('k2');
    expect(after.events).toEqual(before.events);
  });
});

describe('offline buffering', () => {
  test('an offline browser buffers a bounded number of analytics events and sends them once back online', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const heard = listening();
    const sender = open();
    tell(sender, keptEventsMax + 7);
    tick(5);
    await settled();
    expect(heard.calls).toEqual([]);
    online.mockReturnValue(true);
    window.dispatchEvent(new Event('online'));
    await until(() => heard.texts().length === keptEventsMax / batchEvents);
    const events = heard.batches().flatMap((batch) => batch.events);
    expect(events.map(({ i }) => i)).toEqual(events.map((_event, index) => index));
    await settled();
    tell(sender);
    tick();
    await until(() => heard.texts().length === keptEventsMax / batchEvents + 1);
    // The gap in the index shows how many events were dropped.
    expect(heard.batches().at(-1)?.events).toMatchObject([{ i: keptEventsMax + 7 }]);
  });
});

describe('page unload', () => {
  test('a page unload hands all unsent analytics events to sendBeacon exactly once', async () => {
    const heard = listening();
    const sender = open();
    tell(sender, 3);
    sender.flush();
    sender.flush();
    await until(() => beacons.length === 1);
    expect(openBatch(beacons[0] ?? '').events).toHaveLength(3);
    await settled();
    tick(5);
    await settled();
    expect(heard.calls).toEqual([]);
    expect(openLogSession().unsent()).toEqual([]);
  });

  test('a page that is closed before its analytics batch is signed leaves the batch to the next page of the tab', async () => {
    const heard = listening();
    const first = open();
    tell(first, 2);
    first.flush();
    // The page closes before the signature is computed.
    const unsent = sessionStorage.getItem('pointgate.log-unsent') ?? '';
    first.close();
    await until(() => beacons.length === 1);
    sessionStorage.setItem('pointgate.log-unsent', unsent);

    open();
    await until(() => heard.texts().length === 1);
    // If both batches arrive, the collector drops the duplicates by event id.
    expect(idsOf(heard.batches())).toEqual(idsOf(beacons.map((text) => openBatch(text))));
    expect(heard.batches()[0]?.seq).toBe(0);
    await until(() => openLogSession().unsent().length === 0);
  });

  test('an analytics batch that sendBeacon rejects is kept for the next page', async () => {
    givenBeacons(() => false);
    listening();
    const sender = open();
    tell(sender);
    sender.flush();
    await settled();
    expect(openLogSession().unsent()).toMatchObject([{ seq: 0, events: [{ i: 0 }] }]);
  });
});

test('a browser whose crypto.subtle.sign fails sends no analytics events and throws no error', async () => {
  vi.spyOn(crypto.subtle, 'sign').mockRejectedValue(new Error('no'));
  const heard = listening();
  const sender = open();
  tell(sender);
  sender.flush();
  tick();
  await settled();
  expect(heard.calls).toEqual([]);
  expect(beacons).toEqual([]);
});

// Signing takes real time: fake timers do not advance WebCrypto.
const moment = () => new Promise((resolve) => setTimeout(resolve, 2));

async function until(isThere: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !isThere(); turn += 1) await moment();
  expect(isThere()).toBe(true);
}

/** Waits long enough for pending signatures and responses to be handled. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await moment();
}
