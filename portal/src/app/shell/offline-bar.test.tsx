import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import { callsOf, givenOrder, givenShop, open, orderId, refused } from '../../../test/shop.tsx';

const itemsPath = '/api/recharge/v2/items';
const rebatePath = '/api/e-recharge/rebate/info';
const createPath = '/api/payment/order/create';
const offline = /^You are offline\. This page catches up/;
const line = () => document.querySelector('.offline-place')?.textContent;

const goOffline = () => act(async () => void window.dispatchEvent(new Event('offline')));
const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')));

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('the portal shows an offline notice while the connection is lost, and a short notice when it returns', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  givenShop();
  await open('/main/recharge');
  await screen.findByRole('button', { name: /^Pay/ });
  expect(line()).toBe('');
  await goOffline();
  expect(line()).toMatch(offline);
  await goOnline();
  expect(line()).toBe('Back online');
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  expect(line()).toBe('');
});

test('the rebate campaigns of the top-up page, when requested offline, are loaded once the connection returns', async () => {
  const calls = givenShop();
  await open('/main/recharge');
  await screen.findByRole('button', { name: /^Pay/ });
  await goOffline();
  fireEvent.click(screen.getByRole('tab', { name: 'E Points' }));
  await screen.findByRole('radio', { name: /^500 E Points/ });
  expect(callsOf(calls, rebatePath)).toEqual([]);
  await goOnline();
  await waitFor(() => expect(callsOf(calls, rebatePath)).toHaveLength(1));
});

test('the pack list of the top-up page, after it failed to load, reloads by itself when the connection returns', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({
    [itemsPath]: () => (isDown ? refused('SystemBusy', 503) : { countedFor: null, groups: [] }),
  });
  await open('/main/recharge');
  await screen.findByRole('alert');
  isDown = false;
  await goOffline();
  await goOnline();
  await screen.findByText('There is nothing for sale right now.');
});

test('a payment started offline on the top-up page fails at once and is not repeated when the connection returns', async () => {
  let isCut = false;
  const calls = givenShop({
    [createPath]: () => (isCut ? Promise.reject(new TypeError('cut')) : givenOrder()),
  });
  await open('/main/recharge');
  const pay = await screen.findByRole('button', { name: /^Pay/ });
  await goOffline();
  isCut = true;
  fireEvent.click(pay);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('You have not been charged.');
  isCut = false;
  await goOnline();
  expect(callsOf(calls, createPath)).toHaveLength(1);
});

test('the order page shows a status that changed during a lost connection when the connection returns', async () => {
  let shown = { status: 'Pending', record: 1, shown: 'Processing' };
  givenShop({ '/api/payment/order/detail': () => givenOrder(shown) });
  await open(`/main/recharge/detail/${orderId}`);
  const status = await screen.findByRole('status');
  expect(status.textContent).toContain('Processing');
  await goOffline();
  shown = { status: 'FullyPaid', record: 4, shown: 'Fulfilled' };
  await goOnline();
  await waitFor(() => expect(status.textContent).toContain('Fulfilled'));
});
