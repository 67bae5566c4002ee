import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from './log.ts';
import { repeatEvery } from './schedule.ts';

beforeEach(() => {
  vi.useFakeTimers();
  log.level = 'silent';
});
afterEach(() => vi.useRealTimers());

test('a scheduled task runs at once and then at every interval', async () => {
  let runs = 0;
  const stop = repeatEvery({ name: 'sweep', everyMs: 1_000 }, async () => {
    runs += 1;
  });
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(runs).toBe(4);
  await stop();
});

test('a failed run of a scheduled task does not stop the next run', async () => {
  let runs = 0;
  const stop = repeatEvery({ name: 'sweep', everyMs: 1_000 }, async () => {
    runs += 1;
    throw new Error('the database is away');
  });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(3);
  await stop();
});

test('a scheduled task whose run takes long is not started a second time meanwhile, and stopping waits for that run', async () => {
  let runs = 0;
  let finish = () => {};
  const stop = repeatEvery({ name: 'sweep', everyMs: 10 }, () => {
    runs += 1;
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);

  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isStopped).toBe(false);
  finish();
  await stopping;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
});
