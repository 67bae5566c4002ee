import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import {
  callsOf,
  expectAddress,
  givenBalance,
  givenItem,
  givenOrder,
  givenPointPack,
  givenShop,
  open,
  orderId,
  refused,
  siteConfig,
} from '../../../test/shop.tsx';

const balancePath = '/api/epoint/overage';
const createPath = '/api/payment/order/create';
const spendPath = '/api/payment/order/epoint/pay';
const detailPath = '/api/payment/order/detail';
const itemsPath = '/api/recharge/v2/items';

const inPoints = { method: 'epoint', amountMinor: '500', currency: 'EPOINT' };
const paid = givenOrder({
  ...inPoints,
  status: 'FullyPaid',
  record: 2,
  shown: 'Paid',
  paidAt: '2026-11-15T10:01:00.000Z',
});
const spendable = {
  [createPath]: givenOrder(inPoints),
  [spendPath]: paid,
  [detailPath]: paid,
};

async function choosePoints() {
  fireEvent.click(await screen.findByRole('radio', { name: 'E Points' }));
}

async function openDialog() {
  await open('/main/recharge');
  await choosePoints();
  fireEvent.click(screen.getByRole('button', { name: 'Pay 500 E Points' }));
  return await screen.findByRole('dialog', { name: 'Pay with E Points' });
}

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the top-up page shows prices in E Points once E Points are selected, except for packs sold for money only', async () => {
  const moneyOnly = { ...givenItem(980n), pricePoints: null };
  givenShop({
    [itemsPath]: {
      countedFor: null,
      groups: [{ groupId: 'shards', name: 'Shards', items: [givenItem(300n), moneyOnly] }],
    },
  });
  await open('/main/recharge?item=shards_300');
  await choosePoints();
  await screen.findByRole('radio', { name: '300 Shards, +30 bonus = 330, 500 E Points' });
  screen.getByRole('radio', { name: '980 Shards, +98 bonus = 1,078, $4.99' });
  screen.getByText('Balance now');

  fireEvent.click(screen.getByRole('radio', { name: /^980 Shards/ }));
  expect(screen.queryByRole('radio', { name: 'E Points' })).toBeNull();
  screen.getByRole('button', { name: 'Pay $4.99' });
});

test('the top-up page of a site that does not accept E Points does not offer E Points as a payment method', async () => {
  givenShop();
  await open('/main/recharge', { ...siteConfig, methods: ['card'] });
  await screen.findByRole('radio', { name: 'Visa card' });
  expect(screen.queryByRole('radio', { name: 'E Points' })).toBeNull();
});

test('[S7.20] an E Point payment on the top-up page needs a confirmation that shows the balance after, and opens the order', async () => {
  const calls = givenShop(spendable);
  const dialog = await openDialog();
  expect(callsOf(calls, createPath)).toEqual([]);
  within(dialog).getByText('330 Shards');
  within(dialog).getByText('Aveline · Dawnreach');
  const rows = within(dialog)
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(rows).toEqual([
    ['Balance now', '1,240'],
    ['This order', '-500'],
    ['Balance after', '740'],
  ]);

  fireEvent.click(within(dialog).getByRole('button', { name: 'Pay 500 E Points' }));
  await waitFor(() => expectAddress(`/main/recharge/detail/${orderId}`));
  await screen.findByText('Paid');
  expect(callsOf(calls, createPath).map(({ body }) => body)).toMatchObject([
    { itemId: 'shards_300', method: 'epoint', roleId: 'r1', quantity: 1 },
  ]);
  expect(callsOf(calls, spendPath).map(({ body }) => body)).toEqual([{ paymentId: orderId }]);
  expect(screen.queryByText(/already paid/)).toBeNull();
});

test('a double click on Pay in the E Point dialog of the top-up page creates one order and pays once', async () => {
  const calls = givenShop(spendable);
  const dialog = await openDialog();
  const pay = within(dialog).getByRole('button', { name: 'Pay 500 E Points' });
  fireEvent.click(pay);
  fireEvent.click(pay);
  await waitFor(() => expectAddress(`/main/recharge/detail/${orderId}`));
  expect(callsOf(calls, createPath)).toHaveLength(1);
  expect(callsOf(calls, spendPath)).toHaveLength(1);
});

test('the Cancel button of the E Point dialog of the top-up page creates no order', async () => {
  const calls = givenShop(spendable);
  const dialog = await openDialog();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(callsOf(calls, createPath)).toEqual([]);
});

test.each([
  [{ basicNum: 100, presentNum: 140 }, 260, /^300 E Points/],
  [{ basicNum: 100, presentNum: 100 }, 300, /^300 E Points/],
  [{ basicNum: 0, presentNum: 0 }, 500, /^300 E Points/],
  [{ basicNum: 200, presentNum: 195 }, 105, /^100 E Points/],
])(
  'the E Point top-up link preselects the smallest pack that covers the missing E Points, or the largest: %o',
  async (balance, missing, pack) => {
    givenShop({
      ...spendable,
      [balancePath]: givenBalance(balance),
      '/api/e-recharge/items': { packs: [100n, 200n, 300n].map(givenPointPack) },
    });
    await open('/main/recharge');
    await choosePoints();
    fireEvent.click(await screen.findByRole('link', { name: 'Top up E Points' }));
    expectAddress(`/main/recharge?to=epoint&need=${missing}`);
    await screen.findByRole('radio', { name: pack, checked: true });
    fireEvent.click(screen.getByRole('radio', { name: /^200 E Points/ }));
    expectAddress('/main/recharge?to=epoint&item=points_200');
  },
);

test('[S8.17] the top-up page shows a message and an E Point top-up link when the E Point balance is insufficient', async () => {
  givenShop({ ...spendable, [balancePath]: givenBalance({ basicNum: 100, presentNum: 140 }) });
  await open('/main/recharge');
  await choosePoints();
  await screen.findByText(/The E-point balance is insufficient, please recharge\./);
  screen.getByText('You have 240 of 500 E Points.');
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();

  fireEvent.click(screen.getByRole('link', { name: 'Top up E Points' }));
  await screen.findByRole('radio', { name: /^500 E Points/ });
  expectAddress('/main/recharge?to=epoint&need=260');
});

test('the top-up page does not count E Points on hold as spendable', async () => {
  givenShop({ ...spendable, [balancePath]: givenBalance({ frozenNum: 1000 }) });
  await open('/main/recharge');
  await choosePoints();
  await screen.findByText('You have 240 of 500 E Points.');
});

test('the top-up page shows a debt of bought E Points as a debt despite bonus E Points', async () => {
  givenShop({ ...spendable, [balancePath]: givenBalance({ basicNum: -1, presentNum: 9000 }) });
  await open('/main/recharge');
  await choosePoints();
  await screen.findByText(/A refunded top-up left your E Point balance in debt, please recharge\./);
  screen.getByText('You owe 1 E Point.');
  const more = screen.getByRole('link', { name: 'Top up E Points' });
  expect(more.getAttribute('href')).toBe('/main/recharge?to=epoint&need=501');
});

test('the E Point dialog of the top-up page shows the new balance and a top-up link when a payment is refused for too few E Points', async () => {
  const balances = [givenBalance(), givenBalance({ basicNum: 0 })];
  const calls = givenShop({
    ...spendable,
    [balancePath]: () => balances[callsOf(calls, spendPath).length] ?? {},
    [spendPath]: refused('EPointInsufficient'),
  });
  const dialog = await openDialog();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Pay 500 E Points' }));
  await within(dialog).findByText('You have 240 of 500 E Points.');
  within(dialog).getByRole('link', { name: 'Top up E Points' });
  expect(within(dialog).queryByRole('button', { name: /^Pay/ })).toBeNull();
});

test('the E Point dialog of the top-up page does not claim that nothing was charged when the connection is lost during a payment', async () => {
  let isCut = true;
  const calls = givenShop({
    ...spendable,
    [spendPath]: () => (isCut ? Promise.reject(new TypeError('cut')) : paid),
  });
  const dialog = await openDialog();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Pay 500 E Points' }));
  const alert = await within(dialog).findByRole('alert');
  expect(alert.textContent).toContain('you will not be charged twice');
  expect(alert.textContent).not.toContain('You have not been charged.');

  isCut = false;
  fireEvent.click(within(dialog).getByRole('button', { name: 'Pay 500 E Points' }));
  await waitFor(() => expectAddress(`/main/recharge/detail/${orderId}`));
  const ids = callsOf(calls, createPath).map(({ body }) => Object(body).clientOrderId);
  expect(new Set(ids).size).toBe(1);
});

test('the E Point dialog of the top-up page disables the payment while the balance fails to load, and can reload the balance', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let reply: object = refused('SystemBusy', 503);
  givenShop({ ...spendable, [balancePath]: () => reply });
  const dialog = await openDialog();
  const alert = await within(dialog).findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the E Point balance');
  const pay = within(dialog).getByRole('button', { name: 'Pay 500 E Points' });
  expect(pay).toHaveProperty('disabled', true);

  reply = givenBalance();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(pay).toHaveProperty('disabled', false));
});

test('the top-up page on a phone opens the payment methods in a sheet that shows the E Point balance', async () => {
  givenWindowWidth(390);
  const calls = givenShop(spendable);
  await open('/main/recharge');
  fireEvent.click(await screen.findByRole('button', { name: 'Visa card, Payment method' }));
  const sheet = await screen.findByRole('dialog', { name: 'Pay with' });
  const points = within(sheet).getByRole('button', { name: /E Points/ });
  expect(points.textContent).toContain('E Point balance: 1,240');
  fireEvent.click(points);
  expect(screen.queryByRole('dialog')).toBeNull();

  fireEvent.click(screen.getByRole('button', { name: 'Pay now' }));
  const dialog = await screen.findByRole('dialog', { name: 'Pay with E Points' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Pay 500 E Points' }));
  await waitFor(() => expectAddress(`/main/recharge/detail/${orderId}`));
  expect(callsOf(calls, spendPath)).toHaveLength(1);
});
