import { eventParams } from '@pointgate/contract/log-events.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { showPage } from '../../../test/logger.ts';
import { openPageStay } from './page-stay.ts';
import { subscribe, type TrackedEvent } from './track.ts';

let told: TrackedEvent[] = [];
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  stop = subscribe((event) => told.push(event));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const stays = () => told.map(({ p }) => eventParams.web_payment_page_stay.parse(p));

describe('[S4.20] [S7.38] page stay', () => {
  test.each([
    [2_000, []],
    [2_000.9, []],
    [2_001, [{ page: '/main/home', page_duration: 2_001 }]],
    [60_000, [{ page: '/main/home', page_duration: 60_000 }]],
    [86_400_001, []],
  ])('a stay of %d ms on a page reports %j to analytics', (ms, expected) => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(500.5);
    const stay = openPageStay();
    stay.enter('/main/home');
    clock.mockReturnValue(500.5 + ms);
    stay.end();
    expect(stays()).toEqual(expected);
  });

  test('the stay on a page that is reported to analytics ends when the next page is entered', () => {
    const stay = openPageStay();
    stay.enter('/main/home');
    vi.advanceTimersByTime(3_000);
    stay.enter('/main/recharge');
    vi.advanceTimersByTime(5_000);
    stay.enter('/login');
    vi.advanceTimersByTime(10);
    stay.end();
    stay.end();
    expect(stays()).toEqual([
      { page: '/main/home', page_duration: 3_000 },
      { page: '/main/recharge', page_duration: 5_000 },
    ]);
  });

  test('the stay on a page that is reported to analytics counts only the time while the page is visible', () => {
    const stay = openPageStay();
    showPage('hidden');
    stay.enter('/main/home');
    vi.advanceTimersByTime(60_000);
    showPage('visible');
    stay.begin();
    vi.advanceTimersByTime(4_000);
    stay.begin();
    stay.end();
    vi.advanceTimersByTime(60_000);
    stay.begin();
    vi.advanceTimersByTime(3_000);
    stay.end();
    expect(stays().map(({ page_duration }) => page_duration)).toEqual([4_000, 3_000]);
  });

  test('the time that the portal is visible before its first page is entered is not reported to analytics', () => {
    const stay = openPageStay();
    stay.begin();
    vi.advanceTimersByTime(5_000);
    stay.end();
    expect(told).toEqual([]);
  });
});
