import { LogEvent } from '@pointgate/contract/log-events.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newEventId } from './event-ids.ts';
import { timeText } from './event-time.ts';

test('[S9.03] the time of an analytics event is formatted as YYYY-MM-DD HH:mm:ss in UTC', () => {
  expect(timeText(Date.UTC(2026, 10, 5, 9, 3, 7, 999))).toBe('2026-11-05 09:03:07');
  expect(timeText(0)).toBe('1970-01-01 00:00:00');
});

test('the ids of analytics events are unique UUIDs of version 7 that contain the event time', () => {
  const at = 1_763_200_000_000;
  const ids = Array.from({ length: 500 }, () => newEventId(at));
  expect(new Set(ids).size).toBe(500);
  for (const id of ids) {
    expect(id).toMatch(/^019a86e8-e000-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
  expect(new Set(ids.map((id) => id.charAt(19)))).toEqual(new Set(['8', '9', 'a', 'b']));
});

test('an analytics event at any point in time matches the event schema of the API contract', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (at) => {
      const p = { page: '/main/home', pop: 'expired' };
      const event = { id: newEventId(at), i: 0, t: timeText(at), n: 'web_payment_show_pop', p };
      return LogEvent.safeParse(event).success;
    }),
  );
});
