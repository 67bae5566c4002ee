import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenPlatform, platformConfig } from '../../../test/platform.ts';
import {
  callsOf,
  expectAddress,
  givenOrder,
  givenPointsOrder,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';

const detail = '/api/payment/order/detail';
const address = `/dream/order/detail?paymentId=${orderId}`;

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The part of an order that a list shows. */
function givenLine() {
  const { paymentId, kind, status, record, orderType, method, gameId, gameName } = givenOrder();
  const { serverName, roleName, gameAccountId, itemName, itemArt, unit, quantity } = givenOrder();
  const { giftQuantity, amountMinor, currency, refundedMinor, createdAt } = givenOrder();
  return {
    paymentId,
    kind,
    status,
    record,
    shown: 'Fulfilled',
    orderType,
    method,
    gameId,
    gameName,
    serverName,
    roleName,
    gameAccountId,
    itemName,
    itemArt,
    unit,
    quantity,
    giftQuantity,
    amountMinor,
    currency,
    refundedMinor,
    createdAt,
    expireAt: null,
    paidAt: createdAt,
  };
}

test('[S2.20] the order list of a game hub has the orders of all games with links to their pages, and a filter by game', async () => {
  const calls = givenPlatform({
    '/api/payment/order/list': { orders: [givenLine()], nextAfter: null },
  });
  await open('/dream/order', platformConfig);
  const list = await screen.findByRole('list', { name: /orders/i });
  const links = within(list).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toContain(address);

  fireEvent.change(await screen.findByRole('combobox', { name: 'Game' }), {
    target: { value: 'lantern-court' },
  });
  await waitFor(() =>
    expect(callsOf(calls, '/api/payment/order/list').map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ gameId: 'lantern-court' }),
    ),
  );
  expectAddress('/dream/order?game=lantern-court');
});

test('[S2.20] the order list of a game hub links an account without orders to the list of games', async () => {
  givenPlatform();
  await open('/dream/order', platformConfig);
  await screen.findByText('No orders yet');
  const link = within(screen.getByRole('main')).getByRole('link', { name: 'Top-up' });
  expect(link.getAttribute('href')).toBe('/dream/home');
});

test('[S2.21] the order page of a game hub shows the order whose paymentId is in the URL, with links to its receipt and its game', async () => {
  const calls = givenPlatform({
    [detail]: givenOrder({ shown: 'Fulfilled', record: 4, paidAt: '2026-11-15T10:01:00.000Z' }),
  });
  await open(`${address}&lng=en-US`, platformConfig);
  await screen.findByText('Fulfilled');
  expect(callsOf(calls, detail)[0]?.body).toEqual({ paymentId: orderId });
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(hrefOf('Receipt')).toBe(`/dream/order/receipt?paymentId=${orderId}`);
  expect(hrefOf('Continue topping up')).toBe('/dream/recharge/solmere');
});

test('the order page of a game hub applies the theme of the game and restores the theme of the site when it is closed', async () => {
  const accent = () => document.documentElement.style.getPropertyValue('--accent-ground');
  const before = accent();
  const art = () => document.querySelector('.order-page .key-art img')?.getAttribute('src');
  givenPlatform({ [detail]: givenOrder({ gameId: 'lantern-court', gameName: 'Lantern Court' }) });
  await open(address, platformConfig);
  await screen.findByRole('status');
  await waitFor(() => expect(art()).toContain('lantern-court-hero'));
  expect(accent()).not.toBe(before);
  cleanup();
  expect(accent()).toBe(before);
});

test('the order page of a game hub shows its order even when the game list fails to load', async () => {
  givenPlatform({ [detail]: givenOrder(), '/api/game/list': refused('SystemBusy', 503) });
  await open(address, platformConfig);
  await screen.findByText('Unpaid');
  expect(document.querySelector('.order-page .key-art')).not.toBeNull();
});

test('the order page of a game hub links an expired E Point order to the E Point shop, and a delivered one to the games', async () => {
  givenPlatform({
    [detail]: givenPointsOrder({ shown: 'PaymentFailed', record: 3, closedReason: 'expired' }),
  });
  await open(address, platformConfig);
  const again = await screen.findByRole('link', { name: 'Resubmit' });
  expect(again.getAttribute('href')).toBe('/dream/epoint?item=points_500');
  cleanup();

  givenPlatform({ [detail]: givenPointsOrder({ shown: 'Fulfilled', record: 4 }) });
  await open(address, platformConfig);
  const onwards = await screen.findByRole('link', { name: 'Top up a game' });
  expect(onwards.getAttribute('href')).toBe('/dream/home');
});

test('[S2.21] the order page of a game hub shows the same error for a missing, malformed, unknown or foreign order number', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  // The server answers unknown and foreign orders alike.
  const calls = givenPlatform({ [detail]: refused('PaymentIdWrong') });
  for (const wrong of ['', '?paymentId=', '?paymentId=12', `?paymentId=${orderId}`]) {
    await open(`/dream/order/detail${wrong}`, platformConfig);
    const alert = await screen.findByRole('alert');
    within(alert).getByText('Payment order number is wrong');
    within(alert).getByRole('heading', { name: 'Failed to get order details' });
    const onwards = within(alert).getByRole('link', { name: 'See your orders' });
    expect(onwards.getAttribute('href')).toBe('/dream/order');
    cleanup();
  }
  // A malformed order number is not sent to the server.
  expect(callsOf(calls, detail).map(({ body }) => body)).toEqual([{ paymentId: orderId }]);
});

test('the receipt page of a game hub shows the receipt of an order and links back to the order', async () => {
  const order = givenOrder({ shown: 'Fulfilled', record: 4, paidAt: '2026-11-15T10:01:00.000Z' });
  givenPlatform({
    '/api/payment/order/receipt': {
      seller: 'Omni',
      buyer: 'aveline',
      paymentReference: 'pi_1',
      order,
    },
  });
  await open(`/dream/order/receipt?paymentId=${orderId}`, platformConfig);
  await screen.findByRole('heading', { name: 'Receipt' });
  expect(screen.getByRole('link', { name: 'Your order' }).getAttribute('href')).toBe(address);
});

test('a click on the E Point balance of a game hub opens the E Point shop, which requires no choice of a game', async () => {
  const calls = givenPlatform();
  await open('/dream/home', platformConfig);
  const pill = await screen.findByRole('link', { name: 'E Point balance: 1,240' });
  fireEvent.click(pill);
  await screen.findByRole('radio', { name: /^100 E Points/ });
  expectAddress('/dream/epoint');
  expect(screen.queryByRole('tab')).toBeNull();
  expect(callsOf(calls, '/api/recharge/v2/items')).toEqual([]);
});
