import type { LogEvent } from '@pointgate/contract/log-events.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLogSession } from './log-session.ts';

const event: LogEvent = {
  id: '01930000-0000-7000-8000-000000000009',
  i: 0,
  t: '2026-11-15 09:30:00',
  n: 'web_payment_show_pop',
  p: { page: '/main/home', pop: 'expired' },
};

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

describe('[S9.02] event index', () => {
  test('the index of analytics events continues across the pages of a session and restarts in a new session', () => {
    const first = openLogSession();
    expect([first.nextIndex(), first.nextIndex(), first.nextSeq()]).toEqual([0, 1, 0]);
    const second = openLogSession();
    const sid = first.sid();
    expect(second.sid()).toBe(sid);
    expect([second.nextIndex(), second.nextSeq()]).toEqual([2, 1]);
    // The previous page is restored from the back/forward cache.
    expect(first.nextIndex()).toBe(3);

    sessionStorage.clear();
    const third = openLogSession();
    expect(third.sid()).not.toBe(sid);
    expect([third.nextIndex(), third.nextSeq()]).toEqual([0, 0]);
  });

  test.each(['x', '{}', '[]', '{"sid":"pia","events":1,"batches":1}', '{"events":-0.5}'])(
    'a malformed stored analytics session is replaced by a new session: %s',
    (kept) => {
      sessionStorage.setItem('pointgate.log-session', kept);
      const session = openLogSession();
      expect(session.sid()).toMatch(/^[\da-f-]{36}$/);
      expect(session.nextIndex()).toBe(0);
    },
  );

  test('the index of analytics events keeps counting when sessionStorage is cleared or unavailable', () => {
    const session = openLogSession();
    session.nextIndex();
    const sid = session.sid();
    sessionStorage.clear();
    expect(session.nextIndex()).toBe(1);
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect([session.nextIndex(), session.nextIndex()]).toEqual([2, 3]);
    expect(session.sid()).toBe(sid);
  });
});

test('an analytics session reports the arrival of its player on the site only once', () => {
  expect(openLogSession().isArrival()).toBe(true);
  const session = openLogSession();
  expect([session.isArrival(), session.isArrival()]).toEqual([false, false]);
});

test('unsent analytics batches are available to the next page, and malformed stored entries are ignored', () => {
  openLogSession().keepUnsent([{ seq: 3, events: [event] }]);
  expect(openLogSession().unsent()).toEqual([{ seq: 3, events: [event] }]);
  for (const kept of ['x', '{}', '[1, {}, {"seq":1,"events":[]}, {"seq":"1","events":[1]}]']) {
    sessionStorage.setItem('pointgate.log-unsent', kept);
    expect(openLogSession().unsent()).toEqual([]);
  }
});
