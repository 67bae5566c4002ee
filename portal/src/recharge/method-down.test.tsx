import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../test/browser.ts';
import { callsOf, givenOrder, givenShop, open, refused, siteConfig } from '../../test/shop.tsx';

const createPath = '/api/payment/order/create';
const down = 'This payment method is not available right now';
const card = () => screen.queryByRole('radio', { name: 'Visa card' });
const points = () => screen.queryByRole('radio', { name: 'E Points' });

/** A shop that stopped taking a method after the page was loaded. */
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

test('a method that is down says so and goes, another is chosen, and nothing is paid by itself', async () => {
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

test('the question whether to pay in points ends with the points, and the card pays', async () => {
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
  // Another way to pay is another order.
  expect(asked[0].clientOrderId).not.toBe(asked[1].clientOrderId);
});

test('the only method stays where it is, says why it does not work, and can be tried again', async () => {
  const calls = givenShopWithout('card');
  await open('/main/recharge', { ...siteConfig, methods: ['card'] });
  const pay = await screen.findByRole('button', { name: 'Pay $4.99' });
  fireEvent.click(pay);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(`${down}You have not been charged.`);
  fireEvent.click(screen.getByRole('button', { name: 'Pay $4.99' }));
  await waitFor(() => expect(callsOf(calls, createPath)).toHaveLength(2));
});

test('the shop is asked what it takes now: what else is gone goes, and what is new is there', async () => {
  givenShop({
    [createPath]: () => refused('MethodUnavailable'),
    '/api/payment/methods': { methods: ['paypal', 'epoint'], methodsOut: ['card'] },
  });
  await open('/main/recharge', { ...siteConfig, methods: ['card', 'wechatpay', 'epoint'] });
  fireEvent.click(await screen.findByRole('button', { name: 'Pay $4.99' }));
  await screen.findByRole('radio', { name: 'PayPal card' });
  expect(card()).toBeNull();
  // What was chosen instead stays chosen, whatever else there is now.
  expect(points()).toHaveProperty('checked', true);
});

test('a method that was refused is back when the shop has taken it again for a while', async () => {
  // Only the clock and what repeats by it; all else takes the time it takes.
  vi.useFakeTimers({
    ...{ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'Date'] },
  });
  try {
    const calls = givenShopWithout('card');
    await open('/main/recharge');
    fireEvent.click(await screen.findByRole('button', { name: 'Pay $4.99' }));
    await screen.findByRole('alert');
    await waitFor(() => expect(callsOf(calls, '/api/payment/methods')).toHaveLength(1));
    expect(card()).toBeNull();
    // When the next question comes depends on when the answer to the first was read.
    await waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(card()).not.toBeNull();
    });
    expect(points()).toHaveProperty('checked', true);
  } finally {
    vi.useRealTimers();
  }
});

describe('a page that was loaded while a method was out', () => {
  const methodsPath = '/api/payment/methods';
  const whileCardIsOut = {
    ...siteConfig,
    methods: ['epoint'] as typeof siteConfig.methods,
    methodsOut: ['card'] as typeof siteConfig.methods,
  };

  /** The shop takes cards again from the moment this is called. */
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
    // Only the clock and what repeats by it; all else takes the time it takes.
    vi.useFakeTimers({
      ...{ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'Date'] },
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('has it as soon as it is back, keeps what is chosen, and asks no more', async () => {
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
    // Nothing changes under the player's finger.
    screen.getByRole('button', { name: 'Pay 500 E Points' });
    expect(asked()).toBe(3);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(asked()).toBe(3);
  });

  test('has it when the player comes back to the window', async () => {
    const { asked, bringBack } = givenCardOut();
    await open('/main/recharge', whileCardIsOut);
    await waitFor(() => expect(asked()).toBe(1));
    bringBack();
    // The clock alone: nothing that repeats by it has its turn.
    vi.setSystemTime(Date.now() + 31_000);
    fireEvent(document, new Event('visibilitychange', { bubbles: true }));
    await waitFor(() => expect(card()).not.toBeNull());
  });

  test('where there was no way to pay at all, there is one', async () => {
    const { bringBack } = givenCardOut();
    await open('/main/recharge?to=epoint', whileCardIsOut);
    await screen.findByText('No payment method is available here right now.');
    bringBack();
    await vi.advanceTimersByTimeAsync(31_000);
    await screen.findByRole('button', { name: 'Pay $4.99' });
  });
});

test('where nothing is out nobody asks', async () => {
  vi.useFakeTimers({
    ...{ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'Date'] },
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

test('a phone shows the same beside its pay button', async () => {
  givenWindowWidth(390);
  givenShopWithout('card');
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: 'Pay now' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Selected instead: E Points.');
});
