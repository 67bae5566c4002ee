import { eventParams } from '@pointgate/contract/log-events.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { subscribe, type TrackedEvent, trackClick, trackPop } from './track.ts';

let stop = () => {};
afterEach(() => stop());

const told: TrackedEvent[] = [];
const buttonOf = ({ p }: TrackedEvent) => ('button' in p ? p.button : undefined);

test('analytics events from before a listener is registered are buffered up to a bound and keep their original time', () => {
  for (let number = 0; number < 60; number += 1) trackClick(`early-${number}`);
  const before = Date.now();
  stop = subscribe((event) => told.push(event));
  trackClick('later');
  expect(told).toHaveLength(51);
  expect([told[0], told[49], told[50]].map((one) => one && buttonOf(one))).toEqual([
    ...['early-0', 'early-49'],
    'later',
  ]);
  expect(told.slice(0, 50).every(({ at }) => at <= before)).toBe(true);
  stop();
  const again: TrackedEvent[] = [];
  stop = subscribe((event) => again.push(event));
  expect(again).toEqual([]);
});

test('an analytics event names the page that was open when the event happened', () => {
  const heard: TrackedEvent[] = [];
  stop = subscribe((event) => heard.push(event));
  window.history.replaceState(null, '', '/main/recharge/detail/1?token=x');
  trackPop('expired');
  window.history.replaceState(null, '', '/login');
  expect(heard).toMatchObject([{ p: { page: '/main/recharge/detail/id', pop: 'expired' } }]);
});

describe('[S7.41] tracked names in the page sources', () => {
  const sources = import.meta.glob('../../**/*.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const names = Object.entries(sources)
    .filter(([file]) => !file.includes('.test.'))
    .flatMap(([, text]) => [
      ...String(text).matchAll(
        /data-track="([^"]*)"|<(?:Modal|Button|ButtonLink)\s[^>]*?\bname="([^"]*)"/g,
      ),
    ])
    .map(([, tracked, name]) => tracked ?? name ?? '');

  test('all button and dialog names in the page sources match the analytics event schema, and the main ones have a name', () => {
    for (const name of new Set(names)) {
      eventParams.web_payment_show_pop.parse({ page: '/', pop: name });
    }
    expect(names).toEqual(
      expect.arrayContaining([
        ...['pay', 'pay-points', 'change-role', 'redeem', 'sign-in', 'sign-out', 'refresh'],
        ...['resubmit', 'customer-service', 'expired', 'ticket-refused', 'price-changed'],
      ]),
    );
  });
});
