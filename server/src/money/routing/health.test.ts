import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterCall,
  afterQuestion,
  Health,
  type ProviderCall,
  standingOf,
  wellUntilNow,
  withTrial,
} from './health.ts';

const second = 1_000;
const minute = 60 * second;

const call = (at: number, isAnswered: boolean, changes: Partial<ProviderCall> = {}) => ({
  begunAt: at,
  endedAt: at,
  isAnswered,
  isFirst: true,
  ...changes,
});
/** The health after one call per second: `.` is answered, `x` is not. */
const after = (calls: string, health: Health = wellUntilNow, from = 0): Health =>
  [...calls].reduce(
    (known, each, index) => afterCall(known, call(from + index * second, each === '.')),
    health,
  );

test.each([
  ['xxxx', 'well'],
  ['xxxxx', 'failing'],
  ['.xxxx', 'well'],
  ['.xxxxx', 'failing'],
  ['x.x.x.x.x.x.x.x.x.', 'well'],
  ['..........xxxxxxx', 'well'],
  ['..........xxxxxxxx', 'failing'],
  ['......xxxx', 'well'],
])(
  'a payment provider with the call history %s (x: unanswered, dot: answered) counts as %s',
  (calls, standing) => {
    expect(standingOf(after(calls), 20 * second)).toBe(standing);
  },
);

test('only unanswered calls to a payment provider within the last five minutes count towards marking it as failing', () => {
  const seldom = [0, 1, 2, 3, 4, 5, 6].reduce(
    (known, index) => afterCall(known, call(index * 2 * minute, false)),
    wellUntilNow,
  );
  expect(seldom.out).toBeNull();
});

test('repeated calls for one payment without an answer count as one unanswered call in the health of the provider', () => {
  const again = Array.from({ length: 20 }, (_, index) =>
    call(index * second, false, { isFirst: false }),
  );
  expect(again.reduce(afterCall, after('x')).out).toBeNull();
});

const out = after('xxxxx'); // failing since 4 s; a trial is due at 34 s

test('a failing payment provider can be tried again after half a minute, by one caller at a time', () => {
  expect(standingOf(out, 33 * second)).toBe('failing');
  expect(withTrial(out, 33 * second)).toBeUndefined();
  expect(standingOf(out, 34 * second)).toBe('due');
  const tried = withTrial(out, 34 * second);
  if (tried === undefined) throw new Error('no trial was allowed');
  expect(standingOf(tried, 35 * second)).toBe('failing');
  expect(withTrial(tried, 35 * second)).toBeUndefined();
});

test('a trial call to a failing payment provider that never ends lets another caller try after a minute', () => {
  const tried = withTrial(out, 34 * second);
  if (tried === undefined) throw new Error('no trial was allowed');
  expect(standingOf(tried, 34 * second + minute)).toBe('due');
});

test('a trial call is allowed only to a failing payment provider, not to a healthy one', () => {
  expect(withTrial(wellUntilNow, 0)).toBeUndefined();
});

test('an answered trial call makes a failing payment provider fully healthy again', () => {
  const back = afterCall(out, call(40 * second, true, { isFirst: false }));
  expect(back).toEqual(wellUntilNow);
});

test("a call begun before the trial of a failing payment provider, whether answered or not, changes nothing in the provider's health", () => {
  const late = { begunAt: 3 * second, endedAt: 50 * second };
  expect(afterCall(out, call(0, true, late))).toEqual(out);
  expect(afterCall(out, call(0, false, late))).toEqual(out);
});

test('each failed trial call doubles the wait until the next trial of a payment provider, up to ten minutes', () => {
  const waits: number[] = [];
  let health = out;
  for (let tries = 0; tries < 8; tries += 1) {
    const at = health.out?.retryAt ?? Number.NaN;
    health = afterCall(health, call(at, false));
    waits.push(((health.out?.retryAt ?? Number.NaN) - at) / second);
  }
  expect(waits).toEqual([60, 120, 240, 480, 600, 600, 600, 600]);
  expect(health.out?.since).toBe(out.out?.since);
});

test("a single rejection of the shop's API key marks the payment provider as failing, even on a repeated request", () => {
  const well = after('.........');
  for (const isFirst of [true, false]) {
    const refused = afterCall(well, call(minute, false, { isKeyRefused: true, isFirst }));
    expect(refused.out).toMatchObject({ because: 'key', since: minute });
  }
});

test('an answered payment query ends an outage that a rejected API key caused, but not one that unanswered calls caused', () => {
  const asked = { begunAt: 40 * second, endedAt: 40 * second, isAnswered: true };
  const refused = afterCall(wellUntilNow, call(0, false, { isKeyRefused: true }));
  expect(afterQuestion(refused, asked)).toEqual(wellUntilNow);
  expect(afterQuestion(out, asked)).toBe(out);
  expect(afterQuestion(wellUntilNow, { ...asked, isAnswered: false })).toBe(wellUntilNow);
});

test("a payment query that the provider rejects because of the shop's key marks the provider as failing", () => {
  const asked = { begunAt: 0, endedAt: 0, isAnswered: false, isKeyRefused: true };
  expect(afterQuestion(wellUntilNow, asked).out).toMatchObject({ because: 'key' });
});

test('a provider outage that was stored without a reason counts as caused by unanswered calls', () => {
  const old = { calls: [], out: { since: 0, triesFailed: 0, retryAt: 1, trialUntil: 0 } };
  expect(Health.parse(old).out?.because).toBe('silence');
});

const anyCalls = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 2 * minute }),
    tookMs: fc.integer({ min: 0, max: 30 * second }),
    isAnswered: fc.boolean(),
    isFirst: fc.boolean(),
  }),
  { maxLength: 60 },
);

test('after any call history, a failing payment provider can be tried ten minutes after its last call, and an answer ends its outage', () => {
  fc.assert(
    fc.property(anyCalls, (calls) => {
      let now = 0;
      let health = wellUntilNow;
      for (const { afterMs, tookMs, isAnswered, isFirst } of calls) {
        const begunAt = now + afterMs;
        now = begunAt + tookMs;
        health = afterCall(health, { begunAt, endedAt: now, isAnswered, isFirst });
        expect(health.calls.length).toBeLessThanOrEqual(10);
      }
      const later = now + 10 * minute;
      expect(standingOf(health, later)).not.toBe('failing');
      expect(standingOf(afterCall(health, call(later, true)), later)).toBe('well');
    }),
  );
});
