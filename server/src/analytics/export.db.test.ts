import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenBatch, givenEvent, timeText } from '../../test/analytics.ts';
import { collectorAt, tell } from '../../test/analytics-db.ts';
import { openScratch, type Scratch } from '../../test/scratch.ts';
import { eventually } from '../../test/shop.ts';
import { log } from '../platform/log.ts';
import { insertEvents } from './analytics.queries.ts';
import { type ExportedEvent, exportEvents, firstPosition, isPosition } from './analytics.ts';
import { sortEvents } from './log-events.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch({ connectionsMax: 10 });
});
afterAll(() => scratch.close());

async function readAfter(after: string, eventsMax = 1_000_000): Promise<ExportedEvent[]> {
  const events: ExportedEvent[] = [];
  for await (const event of exportEvents(scratch.db, { after, eventsMax })) events.push(event);
  return events;
}

/**
 * All events after a position once the given ids are among them; open transactions may delay that.
 */
async function readAll(ids: readonly string[], after = firstPosition): Promise<ExportedEvent[]> {
  return await eventually(async () => {
    const events = await readAfter(after);
    const seen = new Set(events.map(({ id }) => id));
    return ids.every((id) => seen.has(id)) ? events : undefined;
  });
}

/** A transaction that has inserted an event and not committed yet. */
async function givenOpenBatch() {
  const now = new Date();
  const event = givenEvent({ t: timeText(now.getTime()) });
  const { known } = sortEvents([event], { nowMs: now.getTime(), batchKey: [] });
  const batch = givenBatch({ kid: 'now', did: randomUUID() }, [event]);
  const [written, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
  const ended = scratch.db.transaction(async (tx) => {
    await insertEvents(tx, known, { batch, siteId: 'solmere', now });
    written.resolve();
    if (!(await mayEnd.promise)) throw new Error('rolled back by the test');
  });
  await Promise.race([written.promise, ended]);
  return {
    id: event.id,
    commit: async () => {
      mayEnd.resolve(true);
      await ended;
    },
    rollBack: async () => {
      mayEnd.resolve(false);
      await expect(ended).rejects.toThrow('rolled back by the test');
    },
  };
}

const now = () => collectorAt(scratch.db, Date.now());

test('the analytics event export, started at any position, returns every later event in full', async () => {
  const ids = await tell(now(), [{}, {}, {}]);
  const events = await readAll(ids);
  expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect(events[0]).toEqual({
    position: expect.toSatisfy(isPosition),
    id: expect.any(String),
    name: 'web_payment_page_stay',
    happened_at: expect.any(Date),
    received_at: expect.any(Date),
    site_id: 'solmere',
    game_id: 'solmere',
    device_id: expect.any(String),
    session_id: expect.any(String),
    session_index: 1,
    locale: 'en-US',
    browser: ['android', 'webview'],
    params: { page: '/main/recharge', page_duration: 3_000 },
  });
  for (const [index, { position }] of events.entries()) {
    expect(await readAfter(position)).toEqual(events.slice(index + 1));
  }
  expect(await readAfter(firstPosition, 2)).toEqual(events.slice(0, 2));
});

// Covers the watermark: the first writer has the lower position and commits last.
test('the analytics event export stops before events of a transaction that has not committed yet', async () => {
  const start = (await readAll(await tell(now(), [{}]))).at(-1)?.position ?? '';
  const slow = await givenOpenBatch();
  const [fast = ''] = await tell(now(), [{}]);
  expect(await readAfter(start)).toEqual([]);
  await slow.commit();
  const events = await readAll([slow.id, fast], start);
  expect(events.map(({ id }) => id)).toEqual([slow.id, fast]);
});

test('a rolled-back transaction with new analytics events does not block the analytics event export', async () => {
  const start = (await readAll(await tell(now(), [{}]))).at(-1)?.position ?? '';
  const given = await givenOpenBatch();
  const ids = await tell(now(), [{}]);
  await given.rollBack();
  expect((await readAll(ids, start)).map(({ id }) => id)).toEqual(ids);
});

test('the analytics event export misses and repeats no event that concurrent transactions write', async () => {
  let position = (await readAll(await tell(now(), [{}]))).at(-1)?.position ?? '';
  const told: string[] = [];
  let isWriting = true;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let round = 0; round < 15; round += 1) {
      if ((writer + round) % 5 === 0) {
        const slow = await givenOpenBatch();
        told.push(...(await tell(now(), [{}])));
        if (round % 2 === 0) await slow.rollBack();
        else {
          told.push(slow.id);
          await slow.commit();
        }
      } else told.push(...(await tell(now(), [{}, {}, {}])));
    }
  });
  const read: string[] = [];
  const readOn = async () => {
    for (const event of await readAfter(position, 7)) {
      read.push(event.id);
      position = event.position;
    }
  };
  const reader = (async () => {
    while (isWriting) await readOn();
  })();
  await Promise.all(writers);
  isWriting = false;
  await reader;
  await eventually(async () => {
    await readOn();
    return read.length >= told.length;
  });
  expect(told.length).toBeGreaterThan(100);
  expect(read.toSorted()).toEqual(told.toSorted());
  expect(await readAfter(position)).toEqual([]);
});

test.each(['', '1', '1-', '-1', '1-2-3', 'x-1', "1-1'", '1'.repeat(30)])(
  'the analytics event export refuses the malformed start position "%s"',
  async (text) => {
    expect(isPosition(text)).toBe(false);
    await expect(readAfter(text)).rejects.toThrow('malformed position');
  },
);
