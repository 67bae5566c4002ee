import { expect, test } from 'vitest';
import { waitForServerMs } from './delivery.jobs.ts';

const now = Date.UTC(2026, 11, 1, 5);
const until = (ms: number | null) => ({
  maintenanceUntil: ms === null ? null : new Date(now + ms),
});

test('a delivery waits for the known end of a maintenance, and looks every five minutes for an earlier one', () => {
  expect(waitForServerMs(until(90_000), now)).toBe(90_000);
  expect(waitForServerMs(until(6 * 60 * 60_000), now)).toBe(5 * 60_000);
  expect(waitForServerMs(until(null), now)).toBe(60_000);
  expect(waitForServerMs(until(-1), now)).toBe(0);
});
