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

describe('each event of the specification is taken', () => {
  test.each(Object.entries(examples))('%s', (n, p) => {
    const sent = event({ n, p });
    expect(sort(sent)).toEqual({
      known: [{ event: sent, happenedAt: new Date(nowMs), step: expect.toBeOneOf(steps) }],
      quarantined: [],
    });
  });

  test('and there is no other', () => {
    expect(Object.keys(eventParams)).toEqual(Object.keys(examples));
  });
});

describe('what is no event of ours is kept aside, with the reason', () => {
  const stay = { page, page_duration: 3_000 };
  const n = 'web_payment_user_info';
  const link = (text: string) => ({ n, p: { traffic_source: 'game', link: text } });
  test.each([
    ['nothing', null, 'malformed', null],
    ['a word', 'hello', 'malformed', null],
    ['a list', [], 'malformed', null],
    ['no name', { ...event(), n: undefined }, 'malformed', null],
    ['no id', { ...event(), id: undefined }, 'malformed', null],
    ['an id in capitals', event({ id: randomUUID().toUpperCase() }), 'malformed', null],
    ['an event of tomorrow', event({ n: 'web_payment_dance' }), 'unknown_event', null],
    ['a property of objects', event({ n: 'constructor' }), 'unknown_event', null],
    ['a prototype', event({ n: '__proto__' }), 'unknown_event', null],
    ['a new field', event({ p: { ...stay, mood: 'good' } }), 'unknown_field', 'p.mood'],
    ['a field beside', event({ extra: 1 }), 'unknown_field', 'extra'],
    ['a nasty field', event({ "'; drop table": 1 }), 'unknown_field', null],
    ['a missing field', event({ p: { page } }), 'invalid_field', 'p.page_duration'],
    [
      'a short stay',
      event({ p: { page, page_duration: 2_000 } }),
      'invalid_field',
      'p.page_duration',
    ],
    [
      'a fraction',
      event({ p: { page, page_duration: 3_000.5 } }),
      'invalid_field',
      'p.page_duration',
    ],
    ['a page with query', event({ p: { ...stay, page: '/a?b=c' } }), 'invalid_field', 'p.page'],
    ['a page with words', event({ p: { ...stay, page: '/张三' } }), 'invalid_field', 'p.page'],
    ['a link with query', event(link('https://x.example/?a=b')), 'invalid_field', 'p.link'],
    ['a link with fragment', event(link('https://x.example/#a')), 'invalid_field', 'p.link'],
    ['a script', event(link('javascript:alert(1)')), 'invalid_field', 'p.link'],
    ['an index below zero', event({ i: -1 }), 'invalid_field', 'i'],
    ['another way to write time', event({ t: '2026-11-15T09:30:00Z' }), 'invalid_field', 't'],
    ['the 31st of February', event({ t: '2026-02-31 00:00:00' }), 'invalid_field', 't'],
    ['a 25th hour', event({ t: '2026-11-15 25:00:00' }), 'invalid_field', 't'],
  ])('%s', (_what, raw, reason, field) => {
    expect(sort(raw).known).toEqual([]);
    expect(asideOf(raw)).toMatchObject({ reason, field, content: raw });
  });

  test('what looks private is not kept, wherever it stands', () => {
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

  test('text that no database can store is not kept either', () => {
    for (const text of ['a\0b', '\ud800']) {
      const raw = event({ p: { ...stay, page: text } });
      expect(asideOf(raw)).toMatchObject({ reason: 'invalid_field', content: null });
    }
  });
});

describe('[S9.03] time', () => {
  const hour = 3_600_000;
  test.each([
    ['24 hours ago', -24 * hour, true],
    ['a second more', -24 * hour - 1_000, false],
    ['ten minutes ahead', hour / 6, true],
    ['a second more than that', hour / 6 + 1_000, false],
  ])('%s', (_when, after, isKnown) => {
    const raw = event({ t: timeText(nowMs + after) });
    expect(sort(raw).known.length).toBe(isKnown ? 1 : 0);
    if (!isKnown) expect(asideOf(raw)).toMatchObject({ reason: 'clock', field: 't' });
  });
});

test('an event that comes twice in a batch is one, the first', () => {
  const first = event();
  const again = { ...first, i: 2 };
  expect(sort(first, again).known.map(({ event: { i } }) => i)).toEqual([1]);
  const strange = event({ extra: 1 });
  expect(sort(strange, strange).quarantined).toHaveLength(1);
});

test('what has no id of its own has the same one each time, and another in another place', () => {
  const ids = sort('a', 'b').quarantined.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  expect(sort('a', 'b').quarantined.map(({ id }) => id)).toEqual(ids);
  const [other] = sortEvents(['a'], { nowMs, batchKey: ['another batch'] }).quarantined;
  expect(ids).not.toContain(other?.id);
});

describe('steps on the way to a purchase', () => {
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
  ])('%s %o is %s', (n, p, step) => {
    expect(stepOf({ n, p })).toBe(step);
  });
});
