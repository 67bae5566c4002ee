import { afterAll, vi } from 'vitest';
import { log } from '../src/platform/log.ts';

// The next file runs in the same process and finds everything as this one has found it.
afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  log.level = 'info';
});
