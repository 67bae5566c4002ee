import { randomUUID } from 'node:crypto';
import { eventParams } from '@pointgate/contract/log-events.ts';
import { describe, expect, test } from 'vitest';
import { givenEvent, timeText } from '../../test/analytics.ts';
import { sortEvents } from './log-events.ts';

const nowMs = Date.UTC(2026, 10, 15, 9, 30);
const t = timeText(nowMs);
const sort = (...events: unknown[]) => sortEvents(events, { nowMs, batchKey: ['a batch'] });
const event = (changes: object = {}) => givenEvent({ t, ...changes });
const asideOf = (raw: unknown) => sort(raw).quarantined[0];

const page = '/main/home';
const examples = {
  web_payment_page_load: { loading_request_time: 12.5, loading_time: 830 },
  web_payment_page_stay: { page, page_duration: 2_001 },
  web_payment_user_info: { traffic_source: 'game', link: 'https://x.example/a' },
  web_payment_login_result: {
    page: '/login',
    type: 'EMAIL_PASSWORD_AUTH',
    region: 'US',
    result: 'success',
  },
  web_payment_show_pop: { page, pop: 'token_expired' },
  web_payment_click_button: { page, button: 'pay_now' },
};

const steps = ['arrival', 'login', null];

describe('specified events', () => {
  test.each(Object.entries(examples))(
    'the analytics event collector accepts the specified event %s',
    (n, p) => {
      const sent = event({ n, p });
      expect(sort(sent)).toEqual({
        known: [{ event: sent, happenedAt: new Date(nowMs), step: expect.toBeOneOf(steps) }],
        quarantined: [],
      });
    },
  );

  test('the analytics event names that the collector accepts are exactly those of the analytics specification', () => {
    expect(Object.keys(eventParams)).toEqual(Object.keys(examples));
  });
});

describe('quarantined events', () => {
  const stay = { page, page_duration: 3_000 };
  const n = 'web_payment_user_info';
  const link = (text: string) => ({ n, p: { traffic_source: 'game', link: text } });
  test.each([
    ['a null event', null, 'malformed', null],
    ['a plain string', 'hello', 'malformed', null],
    ['a list', [], 'malformed', null],
    ['an event without a name', { ...event(), n: undefined }, 'malformed', null],
    ['an event without an id', { ...event(), id: undefined }, 'malformed', null],
    [
      'an event with an upper-case id',
      event({ id: randomUUID().toUpperCase() }),
      'malformed',
      null,
    ],
    ['an event with an unknown name', event({ n: 'web_payment_dance' }), 'unknown_event', null],
    ['an event named constructor', event({ n: 'constructor' }), 'unknown_event', null],
    ['an event named __proto__', event({ n: '__proto__' }), 'unknown_event', null],
    [
      'an event with an unknown parameter',
      event({ p: { ...stay, mood: 'good' } }),
      'unknown_field',
      'p.mood',
    ],
    ['an event with an unknown field', event({ extra: 1 }), 'unknown_field', 'extra'],
    ['an event with SQL as a field name', event({ "'; drop table": 1 }), 'unknown_field', null],
    [
      'an event without a required parameter',
      event({ p: { page } }),
      'invalid_field',
      'p.page_duration',
    ],
    [
      'a page stay of two seconds',
      event({ p: { page, page_duration: 2_000 } }),
      'invalid_field',
      'p.page_duration',
    ],
    [
      'a page stay with a fractional duration',
      event({ p: { page, page_duration: 3_000.5 } }),
      'invalid_field',
      'p.page_duration',
    ],
    [
      'a page path with a query string',
      event({ p: { ...stay, page: '/a?b=c' } }),
      'invalid_field',
      'p.page',
    ],
    [
      'a page path with non-ASCII text',
      event({ p: { ...stay, page: '/张三' } }),
      'invalid_field',
      'p.page',
    ],
    [
      'a link with a query string',
      event(link('https://x.example/?a=b')),
      'invalid_field',
      'p.link',
    ],
    ['a link with a fragment', event(link('https://x.example/#a')), 'invalid_field', 'p.link'],
    ['a link that is a script', event(link('javascript:alert(1)')), 'invalid_field', 'p.link'],
    ['a negative event index', event({ i: -1 }), 'invalid_field', 'i'],
    [
      'an event time in ISO 8601 format',
      event({ t: '2026-11-15T09:30:00Z' }),
      'invalid_field',
      't',
    ],
    [
      'an event time on the 31st of February',
      event({ t: '2026-02-31 00:00:00' }),
      'invalid_field',
      't',
    ],
    ['an event time in the 25th hour', event({ t: '2026-11-15 25:00:00' }), 'invalid_field', 't'],
  ])(
    'the analytics event collector quarantines %s with its reason and field',
    (_what, raw, reason, field) => {
      expect(sort(raw).known).toEqual([]);
      expect(asideOf(raw)).toMatchObject({ reason, field, content: raw });
    },
  );

  test('an analytics event with a private value in any place is quarantined without its content', () => {
    for (const raw of [
      event({ p: { ...stay, page: '/main/pia@example.com' } }),
      event({ p: { ...stay, phone: 13_800_138_000 } }),
      event({ n: 'web_payment_+8613800138000' }),
      event({ 'pia@example.com': 1 }),
      event({ p: { token: `tk_${'a'.repeat(43)}` } }),
    ]) {
      const aside = asideOf(raw);
      expect(aside).toMatchObject({ reason: 'private_value', field: null, content: null });
      expect(JSON.stringify(aside)).not.toMatch(/pia|138001|tk_/);
    }
  });

  test('an analytics event with text that PostgreSQL cannot store is quarantined without its content', () => {
    for (const text of ['a\0b', '\ud800']) {
      const raw = event({ p: { ...stay, page: text } });
      expect(asideOf(raw)).toMatchObject({ reason: 'invalid_field', content: null });
    }
  });
});

describe('[S9.03] event times', () => {
  const hour = 3_600_000;
  test.each([
    ['of 24 hours ago is accepted', -24 * hour, true],
    ['of 24 hours and a second ago is quarantined', -24 * hour - 1_000, false],
    ['of ten minutes ahead is accepted', hour / 6, true],
    ['of ten minutes and a second ahead is quarantined', hour / 6 + 1_000, false],
  ])('the time limits for analytics events: an event %s', (_when, after, isKnown) => {
    const raw = event({ t: timeText(nowMs + after) });
    expect(sort(raw).known.length).toBe(isKnown ? 1 : 0);
    if (!isKnown) expect(asideOf(raw)).toMatchObject({ reason: 'clock', field: 't' });
  });
});

test('two analytics events with the same id in one batch: the first is kept and the second is dropped', () => {
  const first = event();
  const again = { ...first, i: 2 };
  expect(sort(first, again).known.map(({ event: { i } }) => i)).toEqual([1]);
  const strange = event({ extra: 1 });
  expect(sort(strange, strange).quarantined).toHaveLength(1);
});

test('a quarantined analytics event without an id gets an id derived from its batch and position', () => {
  const ids = sort('a', 'b').quarantined.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(sort('a', 'b').quarantined.map(({ id }) => id)).toEqual(ids);
  const [other] = sortEvents(['a'], { nowMs, batchKey: ['another batch'] }).quarantined;
  expect(ids).not.toContain(other?.id);
});

describe('funnel steps', () => {
  const stepOf = (changes: object) => sort(event(changes)).known[0]?.step;
  const login = { page: '/login', type: 'MOBILE_AUTH', region: '', result: 'success' };
  test.each([
    ['web_payment_page_load', { loading_request_time: 1, loading_time: 2 }, 'arrival'],
    ['web_payment_user_info', { traffic_source: 'ad', link: '/main' }, 'arrival'],
    ['web_payment_login_result', login, 'login'],
    ['web_payment_login_result', { ...login, result: 'InvalidPassword' }, null],
    ['web_payment_page_stay', { page: '/main/recharge', page_duration: 5_000 }, 'top_up'],
    ['web_payment_show_pop', { page: '/dream/recharge/solmere', pop: 'roles' }, 'top_up'],
    ['web_payment_click_button', { page: '/main/recharge/', button: 'pay' }, 'top_up'],
    ['web_payment_page_stay', { page: '/dream/epoint', page_duration: 5_000 }, 'top_up'],
    ['web_payment_page_stay', { page: '/dream/account/epoint', page_duration: 5_000 }, null],
    ['web_payment_click_button', { page: '/main/recharge/detail/x', button: 'pay' }, null],
    ['web_payment_click_button', { page: '/main/home', button: 'top_up' }, null],
    ['web_payment_click_button', { page: '/dream/recharge', button: 'back' }, null],
  ])('the analytics event %s with the parameters %j counts as the funnel step %s', (n, p, step) => {
    expect(stepOf({ n, p })).toBe(step);
  });
});
