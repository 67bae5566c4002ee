import { arrivalSources } from '@pointgate/contract/arrivals.ts';
import { eventParams } from '@pointgate/contract/log-events.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { arrival, pageLoad } from './arrival-facts.ts';

afterEach(() => vi.restoreAllMocks());

function givenResources(...resources: { name: string; startTime: number; duration: number }[]) {
  const entries = resources.map((resource) => ({
    ...resource,
    entryType: 'resource',
    toJSON: () => {},
  }));
  performance.getEntriesByType = () => entries;
}

describe('[S7.37] page load event', () => {
  const info = 'https://shop.example/api/user/info';
  const timesOf = () => eventParams.web_payment_page_load.parse(pageLoad().p);

  test('the page load time in analytics ends with the user/info response and includes the duration of that request', () => {
    givenResources(
      { name: 'https://shop.example/assets/shell.js', startTime: 10, duration: 900 },
      { name: info, startTime: 310.4, duration: 120.2 },
      { name: 'https://shop.example/api/epoint/overage', startTime: 500, duration: 80 },
    );
    expect(timesOf()).toEqual({ loading_request_time: 120, loading_time: 431 });
  });

  test('the page load time in analytics ends with the last user/info response when that request was retried', () => {
    givenResources(
      { name: info, startTime: 300, duration: 60_000 },
      { name: info, startTime: 61_000, duration: 200 },
    );
    expect(timesOf()).toEqual({ loading_request_time: 200, loading_time: 61_200 });
  });

  test('the page load time in analytics is performance.now() without resource timings, and one hour at most', () => {
    givenResources();
    vi.spyOn(performance, 'now').mockReturnValue(1_234.6);
    expect(timesOf()).toEqual({ loading_request_time: 1_235, loading_time: 1_235 });
    givenResources({ name: info, startTime: 5_000_000, duration: 4_000_000 });
    expect(timesOf()).toEqual({ loading_request_time: 3_600_000, loading_time: 3_600_000 });
  });
});

describe('[S7.39] user info event', () => {
  const factsOf = () => eventParams.web_payment_user_info.parse(arrival().p);
  const givenReferrer = (referrer: string) =>
    vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);

  test.each(arrivalSources)(
    'a page load with the URL parameter from=%s reports that traffic source to analytics',
    (from) => {
      window.history.replaceState(null, '', `/main/home?from=${from}&ticket=tk_secret`);
      expect(factsOf().traffic_source).toBe(from);
    },
  );

  test('a page load with an unrecognised from parameter reports the traffic source "unknown" to analytics', () => {
    window.history.replaceState(null, '', '/main/home?from=pia@example.com');
    expect(factsOf().traffic_source).toBe('unknown');
  });

  test('a page load without from parameter and referrer reports source "unknown" and link "/" to analytics', () => {
    window.history.replaceState(null, '', '/main/home');
    expect(factsOf()).toEqual({ traffic_source: 'unknown', link: '/' });
  });

  test.each([
    ['https://forum.example/users/pia?token=x#y', 'https://forum.example/'],
    ['http://localhost:8080/', 'http://localhost:8080/'],
    ['https://xn--n8j6ds53l.example/a', 'https://xn--n8j6ds53l.example/'],
    ['android-app://com.example.game/', '/'],
    ['https://pia:secret@forum.example/', '/'],
    ['https://[2001:db8::1]/', '/'],
    ['https://192.168.100.200/', '/'],
    ['https://u13800138000.example/', '/'],
    [`https://${'a'.repeat(201)}.example/`, '/'],
    ['about:blank', '/'],
    ['', '/'],
  ])('the referrer "%s" is reported to analytics as the link %s', (referrer, link) => {
    givenReferrer(referrer);
    expect(factsOf().link).toBe(link);
  });
});
