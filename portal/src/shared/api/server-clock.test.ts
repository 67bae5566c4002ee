import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callsOf, givenShop, refused } from '../../../test/shop.tsx';

const now = Date.UTC(2026, 10, 15, 9, 30);
let clock: typeof import('./server-clock.ts');

beforeEach(async () => {
  vi.useFakeTimers({ now });
  vi.resetModules();
  clock = await import('./server-clock.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('[S9.01] server clock', () => {
  test('the server clock of the portal equals the local clock until a server time is known', () => {
    expect(clock.serverAheadMs()).toBeNull();
    expect(clock.serverNow()).toBe(now);
  });

  test('the server clock of the portal adds half of the round-trip time to the server time', () => {
    clock.noteServerTime(now / 1000 + 60, 800);
    expect(clock.serverAheadMs()).toBe(60_400);
    expect(clock.serverNow()).toBe(now + 60_400);
    clock.noteServerTime(now / 1000 - 86_400, 301);
    expect(clock.serverAheadMs()).toBe(-86_399_849);
  });

  test('the server clock of the portal corrects offsets of less than a second', () => {
    clock.noteServerTime(now / 1000, 1_400);
    expect(clock.serverNow()).toBe(now + 700);
  });
});

describe('[S7.35] [S9.01] server time request', () => {
  const ask = async () => {
    const { serverTimeQuery } = await import('./server-time.ts');
    const { createQueryClient } = await import('./query-client.ts');
    await createQueryClient().prefetchQuery(serverTimeQuery);
  };

  test('the server time request of the portal sets its server clock, corrected by half of the round-trip time', async () => {
    const calls = givenShop({
      '/api/time': async () => {
        await vi.advanceTimersByTimeAsync(600);
        return { ts: now / 1000 + 3600 };
      },
    });
    await ask();
    expect(callsOf(calls, '/api/time')).toHaveLength(1);
    expect(clock.serverAheadMs()).toBe(3_600_000 + 300 - 600);
  });

  test('a failed server time request leaves the portal on the local clock', async () => {
    givenShop({ '/api/time': refused('SystemBusy', 503) });
    await ask();
    expect(clock.serverAheadMs()).toBeNull();
    expect(clock.serverNow()).toBe(Date.now());
  });
});
