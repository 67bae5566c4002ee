import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { givenPlatform, platformConfig } from '../../../test/platform.ts';
import {
  callsOf,
  givenItem,
  givenOrder,
  givenShop,
  open,
  siteConfig,
} from '../../../test/shop.tsx';
import { rememberStart, takeStart } from '../../entities/session/started-sign-in.ts';
import { forget, forgetTab, keep, keepText, readKept, readText } from './kept.ts';

const places = ['localStorage', 'sessionStorage'] as const;

/** Some webviews throw on any access to the storage. */
function givenNoStorage(): void {
  for (const place of places) {
    vi.spyOn(window, place, 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
  }
}

afterEach(() => {
  cleanup();
  for (const name of ['currency', 'system', 'game']) forget('localStorage', `pointgate.${name}`);
  forgetTab();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe.each(places)('texts that the portal stores in %s', (place) => {
  test('a text that the portal puts into browser storage can be read there until the portal removes it', () => {
    expect(readText(place, 'a')).toBeNull();
    expect(keepText(place, 'a', 'one')).toBe(true);
    expect(window[place].getItem('a')).toBe('one');
    expect(readText(place, 'a')).toBe('one');
    forget(place, 'a');
    expect([readText(place, 'a'), window[place].getItem('a')]).toEqual([null, null]);
  });

  test('a text that the browser refuses to store is kept in the memory of the portal as long as the page is open', () => {
    givenNoStorage();
    expect(readText(place, 'a')).toBeNull();
    expect(keepText(place, 'a', 'one')).toBe(false);
    expect(readText(place, 'a')).toBe('one');
    forget(place, 'a');
    expect(readText(place, 'a')).toBeNull();
  });

  test('a text that a full browser storage refuses is read from the memory of the portal, not the older text from the storage', () => {
    keepText(place, 'a', 'one');
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(keepText(place, 'a', 'two')).toBe(false);
    expect(readText(place, 'a')).toBe('two');
    full.mockRestore();
    expect(keepText(place, 'a', 'three')).toBe(true);
    expect([readText(place, 'a'), window[place].getItem('a')]).toEqual(['three', 'three']);
  });

  test('the portal reads a malformed value in browser storage as null', () => {
    keep(place, 'a', { one: 1 });
    expect(readKept(place, 'a')).toEqual({ one: 1 });
    keepText(place, 'a', '{');
    expect(readKept(place, 'a')).toBeNull();
    forget(place, 'a');
    expect(readKept(place, 'a')).toBeNull();
  });
});

test('the portal function forgetTab() clears session storage and its copy in memory but not local storage', () => {
  keepText('localStorage', 'a', 'stays');
  keepText('sessionStorage', 'a', 'goes');
  forgetTab();
  expect([readText('localStorage', 'a'), readText('sessionStorage', 'a')]).toEqual(['stays', null]);
  givenNoStorage();
  keepText('sessionStorage', 'b', 'goes');
  forgetTab();
  expect(readText('sessionStorage', 'b')).toBeNull();
});

describe('browser without storage', () => {
  test('the top-up page in a browser without storage keeps the chosen currency and continues the same order on a retry', async () => {
    const currencies: typeof siteConfig.currencies = ['USD', 'EUR'];
    const inEuro = { ...givenItem(300n), price: { amountMinor: '479', currency: 'EUR' } };
    let isCut = true;
    const calls = givenShop({
      '/api/recharge/v2/items': ({ body }: { body: unknown }) => {
        const item = Object(body).currency === 'EUR' ? inEuro : givenItem(300n);
        return { countedFor: null, groups: [{ groupId: 'shards', name: 'Shards', items: [item] }] };
      },
      '/api/payment/order/create': () =>
        isCut ? Promise.reject(new TypeError('cut')) : givenOrder(),
      '/api/payment/order/pay': () => ({
        action: { kind: 'redirect', url: `${window.location.href.replace(/#.*/, '')}#provider` },
      }),
    });
    givenNoStorage();
    await open('/main/recharge', { ...siteConfig, currencies });
    const picker = await screen.findByRole('combobox', { name: 'Currency' });
    fireEvent.change(picker, { target: { value: 'EUR' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Pay €4.79' }));
    await screen.findByRole('alert');
    isCut = false;
    fireEvent.click(screen.getByRole('button', { name: 'Pay €4.79' }));
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    const created = callsOf(calls, '/api/payment/order/create').map(
      ({ body }) => Object(body).clientOrderId,
    );
    expect(created).toHaveLength(2);
    expect(new Set(created).size).toBe(1);
  });

  test('a game hub in a browser without storage keeps the operating system chosen on its home page', async () => {
    givenPlatform();
    givenNoStorage();
    await open('/dream/home', platformConfig);
    fireEvent.click(await screen.findByRole('radio', { name: 'iOS' }));
    fireEvent.click(await screen.findByRole('link', { name: /^Lantern Court/ }));
    await screen.findByRole('radio', { name: /^60 Shards/ });
    expect(new URLSearchParams(window.location.search).get('system')).toBe('ios');
  });

  test('the sign-in page shows its form in a browser without storage and keeps a started provider sign-in in memory', async () => {
    givenShop({ '/api/user/info': { login: false } });
    givenNoStorage();
    await open('/login');
    await screen.findByLabelText('Account');
    const started = { method: 'FACEBOOK_AUTH', state: 's', back: '/main' } as const;
    rememberStart(started);
    expect(takeStart()).toEqual(started);
    expect(takeStart()).toBeNull();
  });
});
