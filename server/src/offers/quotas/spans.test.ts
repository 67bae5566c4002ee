import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Period, spanAt } from './spans.ts';

const at = (text: string) => new Date(text);
const shanghai = 'Asia/Shanghai';
const berlin = 'Europe/Berlin';

describe('purchase limit periods', () => {
  test.each<[Period, string, string, string, string]>([
    ['day', shanghai, '2026-11-15T15:59:59.999Z', 'day:2026-11-15', '2026-11-15T16:00:00.000Z'],
    ['day', shanghai, '2026-11-15T16:00:00.000Z', 'day:2026-11-16', '2026-11-16T16:00:00.000Z'],
    ['day', 'UTC', '2026-11-15T23:59:59.999Z', 'day:2026-11-15', '2026-11-16T00:00:00.000Z'],
    ['day', 'UTC', '2026-11-16T00:00:00.000Z', 'day:2026-11-16', '2026-11-17T00:00:00.000Z'],
    // A week runs from Monday to Sunday.
    ['week', shanghai, '2026-11-15T15:59:59.999Z', 'week:2026-11-09', '2026-11-15T16:00:00.000Z'],
    ['week', shanghai, '2026-11-15T16:00:00.000Z', 'week:2026-11-16', '2026-11-22T16:00:00.000Z'],
    ['month', shanghai, '2026-12-31T15:59:59.999Z', 'month:2026-12-01', '2026-12-31T16:00:00.000Z'],
    ['month', shanghai, '2026-12-31T16:00:00.000Z', 'month:2027-01-01', '2027-01-31T16:00:00.000Z'],
    ['month', 'UTC', '2028-02-29T12:00:00.000Z', 'month:2028-02-01', '2028-03-01T00:00:00.000Z'],
    // Days of 23 and of 25 hours.
    ['day', berlin, '2026-03-29T12:00:00.000Z', 'day:2026-03-29', '2026-03-29T22:00:00.000Z'],
    ['day', berlin, '2026-03-28T22:59:59.999Z', 'day:2026-03-28', '2026-03-28T23:00:00.000Z'],
    ['day', berlin, '2026-10-25T12:00:00.000Z', 'day:2026-10-25', '2026-10-25T23:00:00.000Z'],
    ['day', berlin, '2026-10-24T12:00:00.000Z', 'day:2026-10-24', '2026-10-24T22:00:00.000Z'],
    // If daylight saving skips midnight, the day begins at one; if it repeats midnight, at the
    // first.
    [
      'day',
      'Africa/Cairo',
      '2026-04-23T12:00:00.000Z',
      'day:2026-04-23',
      '2026-04-23T22:00:00.000Z',
    ],
    [
      'day',
      'America/Havana',
      '2026-10-31T12:00:00.000Z',
      'day:2026-10-31',
      '2026-11-01T04:00:00.000Z',
    ],
  ])(
    'the purchase limit period "%s" in the time zone %s at %s is named %s and ends at %s',
    (period, timeZone, moment, name, endsAt) => {
      expect(spanAt(period, at(moment), timeZone)).toEqual({ name, endsAt: at(endsAt) });
    },
  );

  test('a purchase limit with the period "ever" never resets', () => {
    expect(spanAt('ever', at('2026-11-15T00:00:00Z'), 'UTC')).toEqual({
      name: 'ever',
      endsAt: null,
    });
  });
});

test('each purchase limit period ends exactly when the next one begins, for random times and time zones', () => {
  const zones = [shanghai, berlin, 'UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
  fc.assert(
    fc.property(
      fc.date({
        min: at('2024-01-01T00:00:00Z'),
        max: at('2034-01-01T00:00:00Z'),
        noInvalidDate: true,
      }),
      fc.constantFrom(...zones),
      fc.constantFrom<Period[]>('day', 'week', 'month'),
      (moment, timeZone, period) => {
        const { name, endsAt } = spanAt(period, moment, timeZone);
        if (endsAt === null) throw new Error('the period has no end');
        expect(endsAt.getTime()).toBeGreaterThan(moment.getTime());
        const last = new Date(endsAt.getTime() - 1);
        expect(spanAt(period, last, timeZone)).toEqual({ name, endsAt });
        expect(spanAt(period, endsAt, timeZone).name).not.toBe(name);
      },
    ),
    { numRuns: 2_000 },
  );
});
