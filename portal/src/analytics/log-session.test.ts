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

describe('[S9.02] the index of events', () => {
  test('goes on over the pages of a session, and begins anew in another', () => {
    const first = openLogSession();
    expect([first.nextIndex(), first.nextIndex(), first.nextSeq()]).toEqual([0, 1, 0]);
    const second = openLogSession();
    const sid = first.sid();
    expect(second.sid()).toBe(sid);
    expect([second.nextIndex(), second.nextSeq()]).toEqual([2, 1]);
    // The page before comes back from the browser's cache.
    expect(first.nextIndex()).toBe(3);

    sessionStorage.clear();
    const third = openLogSession();
    expect(third.sid()).not.toBe(sid);
    expect([third.nextIndex(), third.nextSeq()]).toEqual([0, 0]);
  });

  test.each(['x', '{}', '[]', '{"sid":"pia","events":1,"batches":1}', '{"events":-0.5}'])(
    'begins anew where something else is kept, such as %s',
    (kept) => {
      sessionStorage.setItem('pointgate.log-session', kept);
      const session = openLogSession();
      expect(session.sid()).toMatch(/^[\da-f-]{36}$/);
      expect(session.nextIndex()).toBe(0);
    },
  );

  test('counts on when what was kept is thrown away, or nothing can be kept', () => {
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

test('a player arrives once in a session', () => {
  expect(openLogSession().isArrival()).toBe(true);
  const session = openLogSession();
  expect([session.isArrival(), session.isArrival()]).toEqual([false, false]);
});

test('what could not be sent is there for the next page, and nothing but batches is', () => {
  openLogSession().keepUnsent([{ seq: 3, events: [event] }]);
  expect(openLogSession().unsent()).toEqual([{ seq: 3, events: [event] }]);
  for (const kept of ['x', '{}', '[1, {}, {"seq":1,"events":[]}, {"seq":"1","events":[1]}]']) {
    sessionStorage.setItem('pointgate.log-unsent', kept);
    expect(openLogSession().unsent()).toEqual([]);
  }
});
