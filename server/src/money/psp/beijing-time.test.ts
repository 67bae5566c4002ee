import { expect, test } from 'vitest';
import { beijingDays, beijingTime, endOfBeijingDay, readBeijingTime } from './beijing-time.ts';

test('the days in Beijing whose bills a settlement needs are all days that overlap the settlement period', () => {
  const days = (from: string, until: string) =>
    beijingDays({ from: new Date(from), until: new Date(until) }, 2);
  expect(days('2026-11-15T16:00:00Z', '2026-11-16T16:00:00Z')).toEqual(['2026-11-16']);
  expect(days('2026-11-15T15:59:59Z', '2026-11-15T16:00:01Z')).toEqual([
    '2026-11-15',
    '2026-11-16',
  ]);
  expect(days('2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z')).toEqual([
    '2026-11-15',
    '2026-11-16',
  ]);
  expect(days('2026-11-15T00:00:00Z', '2026-11-17T00:00:00Z')).toBeUndefined();
});

test('a time is written for Alipay and WeChat in Beijing time, eight hours ahead of UTC, and is read back as the same moment', () => {
  const at = new Date('2026-11-15T16:30:00Z');
  expect(beijingTime(at)).toBe('2026-11-16 00:30:00');
  expect(readBeijingTime('2026-11-16 00:30:00')).toEqual(at);
  expect(readBeijingTime('2026-11-16 00:3')).toBeUndefined();
  expect(readBeijingTime('2026-13-16 00:30:00')).toBeUndefined();
  expect(new Date(endOfBeijingDay('2026-11-15')).toISOString()).toBe('2026-11-15T16:00:00.000Z');
});
