import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../test/browser.ts';
import { callsOf, givenOrder, givenShop, open, orderId, refused } from '../../test/shop.tsx';

const itemsPath = '/api/recharge/v2/items';
const rebatePath = '/api/e-recharge/rebate/info';
const createPath = '/api/payment/order/create';
const offline = /^You are offline\. This page catches up/;
const line = () => document.querySelector('.offline-place')?.textContent;

const cut = () => act(async () => void window.dispatchEvent(new Event('offline')));
const mend = () => act(async () => void window.dispatchEvent(new Event('online')));

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

test('a cut line shows itself, and for a moment that it is back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  givenShop();
  await open('/main/recharge');
  await screen.findByRole('button', { name: /^Pay/ });
  expect(line()).toBe('');
  await cut();
  expect(line()).toMatch(offline);
  await mend();
  expect(line()).toBe('Back online');
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  expect(line()).toBe('');
});

test('a list that was asked for offline comes by itself when the line is back', async () => {
  const calls = givenShop();
  await open('/main/recharge');
  await screen.findByRole('button', { name: /^Pay/ });
  await cut();
  fireEvent.click(screen.getByRole('tab', { name: 'E Points' }));
  await screen.findByRole('radio', { name: /^500 E Points/ });
  expect(callsOf(calls, rebatePath)).toEqual([]);
  await mend();
  await waitFor(() => expect(callsOf(calls, rebatePath)).toHaveLength(1));
});

test('what failed on a line that was breaking heals without a click', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({
    [itemsPath]: () => (isDown ? refused('SystemBusy', 503) : { countedFor: null, groups: [] }),
  });
  await open('/main/recharge');
  await screen.findByRole('alert');
  isDown = false;
  await cut();
  await mend();
  await screen.findByText('There is nothing for sale right now.');
});

test('paying offline fails at once, and does not pay by itself when the line is back', async () => {
  let isCut = false;
  const calls = givenShop({
    [createPath]: () => (isCut ? Promise.reject(new TypeError('cut')) : givenOrder()),
  });
  await open('/main/recharge');
  const pay = await screen.findByRole('button', { name: /^Pay/ });
  await cut();
  isCut = true;
  fireEvent.click(pay);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('You have not been charged.');
  isCut = false;
  await mend();
  expect(callsOf(calls, createPath)).toHaveLength(1);
});

test('an order that moves while the line is cut is true again when it is back', async () => {
  let shown = { status: 'Pending', record: 1, shown: 'Processing' };
  givenShop({ '/api/payment/order/detail': () => givenOrder(shown) });
  await open(`/main/recharge/detail/${orderId}`);
  const status = await screen.findByRole('status');
  expect(status.textContent).toContain('Processing');
  await cut();
  shown = { status: 'FullyPaid', record: 4, shown: 'Fulfilled' };
  await mend();
  await waitFor(() => expect(status.textContent).toContain('Fulfilled'));
});
