import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const now = Date.UTC(2026, 10, 15, 9, 30);
let clock: typeof import('./server-clock.ts');

beforeEach(async () => {
  vi.useFakeTimers({ now });
  vi.resetModules();
  clock = await import('./server-clock.ts');
});
afterEach(() => vi.useRealTimers());

const dateOf = (aheadMs: number) => new Date(now + aheadMs).toUTCString();

describe("[S9.01] the shop's clock", () => {
  test('is the local one as long as no reply has said otherwise', () => {
    expect(clock.serverAheadMs()).toBeNull();
    expect(clock.serverNow()).toBe(now);
    for (const date of [null, '', 'soon']) clock.noteServerTime(date, 100);
    expect(clock.serverAheadMs()).toBeNull();
  });

  test('is what a reply says and half of the time that it took', () => {
    clock.noteServerTime(dateOf(60_000), 800);
    expect(clock.serverAheadMs()).toBe(60_400);
    expect(clock.serverNow()).toBe(now + 60_400);
    clock.noteServerTime(dateOf(-86_400_000), 301);
    expect(clock.serverAheadMs()).toBe(-86_399_849);
  });

  test('does not jump for less than the header can tell', () => {
    clock.noteServerTime(dateOf(4_000), 0);
    expect(clock.serverAheadMs()).toBe(4_000);
    expect(clock.serverNow()).toBe(now);
  });

  test('a slow reply is believed only where there is no better one', () => {
    clock.noteServerTime(dateOf(0), 20_000);
    expect(clock.serverAheadMs()).toBe(10_000);
    clock.noteServerTime(dateOf(0), 100);
    clock.noteServerTime(dateOf(0), 20_000);
    expect(clock.serverAheadMs()).toBe(50);
  });
});
