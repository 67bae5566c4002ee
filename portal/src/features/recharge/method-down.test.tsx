import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import { callsOf, givenOrder, givenShop, open, refused, siteConfig } from '../../../test/shop.tsx';

const createPath = '/api/payment/order/create';
const down = 'This payment method is not available right now';
const card = () => screen.queryByRole('radio', { name: 'Visa card' });
const points = () => screen.queryByRole('radio', { name: 'E Points' });

/** A server that refuses a method which it listed when the page was loaded. */
function givenShopWithout(method: string) {
  return givenShop({
    [createPath]: ({ body }: { body: unknown }) =>
      Object(body).method === method ? refused('MethodUnavailable') : givenOrder(),
    '/api/payment/order/pay': () => ({
      action: { kind: 'redirect', url: `${window.location.href.replace(/#.*/, '')}#provider` },
    }),
  });
}

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the top-up page removes an unavailable payment method with a notice and selects another without paying', async () => {
  const calls = givenShopWithout('card');
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: 'Pay $4.99' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(down);
  expect(alert.textContent).toContain('You have not been charged. Selected instead: E Points.');
  expect(card()).toBeNull();
  expect(points()).toHaveProperty('checked', true);
  screen.getByRole('button', { name: 'Pay 500 E Points' });
  expect(callsOf(calls, createPath)).toHaveLength(1);
});

test('the E Point dialog of the top-up page closes when E Points become unavailable, and the card pays with a new order', async () => {
  const calls = givenShopWithout('epoint');
  await open('/main/recharge');
  await screen.findByRole('button', { name: 'Pay $4.99' });
  const tile = points();
  if (tile === null) throw new Error('Points are not offered.');
  fireEvent.click(tile);
  fireEvent.click(screen.getByRole('button', { name: 'Pay 500 E Points' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByRole('button', { name: /^Pay/ }));
  await waitFor(() => expect(dialog.isConnected).toBe(false));
  expect((await screen.findByRole('alert')).textContent).toContain('Selected instead: Visa card.');

  fireEvent.click(screen.getByRole('button', { name: 'Pay $4.99' }));
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  const asked = callsOf(calls, createPath).map(({ body }) => Object(body));
  expect(asked.map(({ method }) => method)).toEqual(['epoint', 'card']);
  // Another payment method is another order.
  expect(asked[0].clientOrderId).not.toBe(asked[1].clientOrderId);
});

test('the only payment method of the top-up page stays selected after a refusal as unavailable, and can be retried', async () => {
  const calls = givenShopWithout('card');
  await open('/main/recharge', { ...siteConfig, methods: ['card'] });
  const pay = await screen.findByRole('button', { name: 'Pay $4.99' });
  fireEvent.click(pay);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(`${down}You have not been charged.`);
  fireEvent.click(screen.getByRole('button', { name: 'Pay $4.99' }));
  await waitFor(() => expect(callsOf(calls, createPath)).toHaveLength(2));
});

test('the top-up page reloads all payment methods after one is refused, and keeps the method that it selected instead', async () => {
  givenShop({
    [createPath]: () => refused('MethodUnavailable'),
    '/api/payment/methods': { methods: ['paypal', 'epoint'], methodsOut: ['card'] },
  });
  await open('/main/recharge', { ...siteConfig, methods: ['card', 'wechatpay', 'epoint'] });
  fireEvent.click(await screen.findByRole('button', { name: 'Pay $4.99' }));
  await screen.findByRole('radio', { name: 'PayPal card' });
  expect(card()).toBeNull();
  // The replacement stays selected whatever methods the reload brings.
  expect(points()).toHaveProperty('checked', true);
});

test('the top-up page offers a refused payment method again once the server lists that method again', async () => {
  // Fakes only the clock and intervals: promises and timeouts run in real time.
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setInterval', 'clearInterval', 'Date'],
  });
  try {
    const calls = givenShopWithout('card');
    await open('/main/recharge');
    fireEvent.click(await screen.findByRole('button', { name: 'Pay $4.99' }));
    await screen.findByRole('alert');
    await waitFor(() => expect(callsOf(calls, '/api/payment/methods')).toHaveLength(1));
    expect(card()).toBeNull();
    // The time of the next poll depends on when the first response was read.
    await waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(card()).not.toBeNull();
    });
    expect(points()).toHaveProperty('checked', true);
  } finally {
    vi.useRealTimers();
  }
});

describe('page loaded during a method outage', () => {
  const methodsPath = '/api/payment/methods';
  const whileCardIsOut = {
    ...siteConfig,
    methods: ['epoint'] as typeof siteConfig.methods,
    methodsOut: ['card'] as typeof siteConfig.methods,
  };

  /** A server that does not accept cards until `bringBack` is called. */
  function givenCardOut() {
    let isBack = false;
    const calls = givenShop({
      [methodsPath]: () =>
        isBack
          ? { methods: ['card', 'epoint'], methodsOut: [] }
          : { methods: ['epoint'], methodsOut: ['card'] },
    });
    return {
      asked: () => callsOf(calls, methodsPath).length,
      bringBack: () => {
        isBack = true;
      },
    };
  }

  beforeEach(() => {
    // Fakes only the clock and intervals: promises and timeouts run in real time.
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setInterval', 'clearInterval', 'Date'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the top-up page offers a payment method that is available again without selecting it, and stops polling', async () => {
    const { asked, bringBack } = givenCardOut();
    await open('/main/recharge', whileCardIsOut);
    await screen.findByRole('button', { name: 'Pay 500 E Points' });
    await waitFor(() => expect(asked()).toBe(1));
    await vi.advanceTimersByTimeAsync(31_000);
    await waitFor(() => expect(asked()).toBe(2));
    expect(card()).toBeNull();

    bringBack();
    await vi.advanceTimersByTimeAsync(31_000);
    await waitFor(() => expect(card()).not.toBeNull());
    // The selected method does not change by itself.
    screen.getByRole('button', { name: 'Pay 500 E Points' });
    expect(asked()).toBe(3);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(asked()).toBe(3);
  });

  test('the top-up page offers a payment method that became available again when the player comes back to the window', async () => {
    const { asked, bringBack } = givenCardOut();
    await open('/main/recharge', whileCardIsOut);
    await waitFor(() => expect(asked()).toBe(1));
    bringBack();
    // Only the clock moves: no interval fires.
    vi.setSystemTime(Date.now() + 31_000);
    fireEvent(document, new Event('visibilitychange', { bubbles: true }));
    await waitFor(() => expect(card()).not.toBeNull());
  });

  test('the top-up page without any payment method offers to pay once a payment method is available again', async () => {
    const { bringBack } = givenCardOut();
    await open('/main/recharge?to=epoint', whileCardIsOut);
    await screen.findByText('No payment method is available here right now.');
    bringBack();
    await vi.advanceTimersByTimeAsync(31_000);
    await screen.findByRole('button', { name: 'Pay $4.99' });
  });
});

test('the top-up page does not poll payment methods while all of them are available', async () => {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setInterval', 'clearInterval', 'Date'],
  });
  try {
    const calls = givenShop();
    await open('/main/recharge');
    await screen.findByRole('button', { name: 'Pay $4.99' });
    await vi.advanceTimersByTimeAsync(300_000);
    expect(callsOf(calls, '/api/payment/methods')).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('the top-up page on a phone shows the notice about an unavailable payment method beside its pay button', async () => {
  givenWindowWidth(390);
  givenShopWithout('card');
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: 'Pay now' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Selected instead: E Points.');
});
