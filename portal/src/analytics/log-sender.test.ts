import { batchBytesMax, type LogEvent } from '@pointgate/contract/log-events.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { givenBeacons, openBatch, pageKey } from '../../test/logger.ts';
import { callsOf, givenShop } from '../../test/shop.tsx';
import { noteServerTime } from '../api/server-clock.ts';
import { batchEvents, keptEventsMax } from './log-queue.ts';
import { openLogSender, tickMs, triesMax } from './log-sender.ts';
import { openLogSession } from './log-session.ts';
import type { Told } from './track.ts';

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

/** What the network has seen, opened as the collector opens it. */
function listening(reply: () => Response | Promise<Response> = taken, more = {}) {
  const calls = givenShop({ [collect]: reply, ...more });
  const texts = () => callsOf(calls, collect).map(({ body }) => JSON.stringify(body));
  return { calls, texts, batches: () => texts().map((text) => openBatch(text)) };
}

const click: Told = {
  n: 'web_payment_click_button',
  p: { page: '/main/recharge', button: 'pay' },
};
const tell = (sender: ReturnType<typeof open>, times = 1) => {
  for (let time = 0; time < times; time += 1) sender.tell({ ...click, at: Date.now() });
};
const idsOf = (batches: readonly { events: readonly LogEvent[] }[]) =>
  batches.flatMap(({ events }) => events.map(({ id }) => id));
const tick = (times = 1) => vi.advanceTimersByTime(tickMs * times);

describe('[S7.36] events go to the logger', () => {
  test('signed, in one batch after ten seconds, with their place in the session', async () => {
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
      ...{ v: 1, kid: pageKey.kid, did: pageKey.did, brandId: 'omni', gameId: 'solmere' },
      ...{ seq: 0, sent_at: now + tickMs, offset_ms: 3_600_200, env: [], lng: 'en-US' },
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

  test(`at once when there are ${batchEvents}`, async () => {
    const heard = listening();
    tell(open(), batchEvents + 1);
    await until(() => heard.texts().length === 1);
    expect(heard.batches()[0]?.events).toHaveLength(batchEvents);
  });

  test('elsewhere as plain text that needs no leave, and without waiting for an answer', async () => {
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

test('the longest events there can be fit into a batch', async () => {
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

describe('a batch that is lost', () => {
  test('is sent again as the same batch, at longer and longer intervals, and then given up', async () => {
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
    ['the network is down', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['too many were sent', answer(429)],
  ])('is taken later, because %s', async (_why, reply) => {
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

  test('is not sent again where it would be refused again', async () => {
    const heard = listening(answer(400));
    tell(open());
    tick();
    await until(() => heard.texts().length === 1);
    await settled();
    tick(100);
    expect(heard.texts()).toHaveLength(1);
  });

  test('is signed with a key of today, when its key is not one of the shop any more', async () => {
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

describe('offline', () => {
  test('nothing is tried, a bounded number is kept, and sent when the network is back', async () => {
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
    // The gap says how many were left out.
    expect(heard.batches().at(-1)?.events).toMatchObject([{ i: keptEventsMax + 7 }]);
  });
});

describe('a page that is left', () => {
  test('hands everything to the browser, at once and only once', async () => {
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

  test('leaves to the next page of the tab what it had no time to sign', async () => {
    const heard = listening();
    const first = open();
    tell(first, 2);
    first.flush();
    // It is gone before the signature is there.
    const unsent = sessionStorage.getItem('pointgate.log-unsent') ?? '';
    first.close();
    await until(() => beacons.length === 1);
    sessionStorage.setItem('pointgate.log-unsent', unsent);

    open();
    await until(() => heard.texts().length === 1);
    // Should both have come through, the collector knows them again by their ids.
    expect(idsOf(heard.batches())).toEqual(idsOf(beacons.map((text) => openBatch(text))));
    expect(heard.batches()[0]?.seq).toBe(0);
    await until(() => openLogSession().unsent().length === 0);
  });

  test('keeps what the browser does not take', async () => {
    givenBeacons(() => false);
    listening();
    const sender = open();
    tell(sender);
    sender.flush();
    await settled();
    expect(openLogSession().unsent()).toMatchObject([{ seq: 0, events: [{ i: 0 }] }]);
  });
});

test('a browser that cannot sign after all breaks nothing', async () => {
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

// Signing takes a real moment, whatever the clock of the test says.
const moment = () => new Promise((resolve) => setTimeout(resolve, 2));

async function until(isThere: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !isThere(); turn += 1) await moment();
  expect(isThere()).toBe(true);
}

/** Long enough for whatever was begun: a signature, an answer, and what follows from it. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await moment();
}
