import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  givenOrder,
  givenPointsOrder,
  givenShop,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';

const receiptPath = '/api/payment/order/receipt';
const address = `/main/recharge/receipt/${orderId}`;
const at = '2026-11-15T10:01:00.000Z';
const arrived = { status: 'FullyPaid', record: 4, shown: 'Fulfilled', paidAt: at, arrivedAt: at };

function givenRefund(other: object = {}) {
  const amount = { amountMinor: '199', currency: 'USD' };
  return { refundId: 're_1', ...amount, reason: 'goodwill', state: 'done', at, ...other };
}

async function openReceipt(order: object) {
  const parties = { seller: 'Omni', buyer: 'aveline', paymentReference: 'pi_123' };
  givenShop({ [receiptPath]: { ...parties, order } });
  await open(address);
  return within(await screen.findByRole('article'));
}

/** The rows of the receipt with their amounts. */
const lines = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => [
      row.firstElementChild?.firstChild?.textContent,
      row.lastElementChild?.textContent,
    ]);

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a receipt shows seller, buyer, order, payment, date, item, game character and amount', async () => {
  const receipt = await openReceipt(givenOrder(arrived));
  const facts = Object.fromEntries(
    receipt
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );
  expect(facts).toMatchObject({
    Seller: 'Omni',
    Buyer: 'aveline',
    'Order number': orderId,
    'Payment reference': 'pi_123',
    'Date of payment': expect.stringContaining('November 15, 2026'),
    'Payment method': 'Visa card',
    Game: 'Solmere',
    Role: 'Aveline · Dawnreach',
  });
  expect(lines()).toEqual([
    ['60 Lumen Shards', '$4.99'],
    ['Total', '$4.99'],
  ]);
});

test('a receipt shows a coupon as a separate line between price and total', async () => {
  const coupon = { couponName: 'Welcome', discountMinor: '74', priceBeforeMinor: '499' };
  const receipt = await openReceipt(givenOrder({ ...arrived, ...coupon, amountMinor: '425' }));
  expect(lines()).toEqual([
    ['60 Lumen Shards', '$4.99'],
    ['Coupon', '-$0.74'],
    ['Total', '$4.25'],
  ]);
  receipt.getByText('Welcome');
});

test('completed refunds are subtracted on a receipt, and a pending refund is only mentioned', async () => {
  const refunds = [
    givenRefund(),
    givenRefund({ refundId: 're_2', state: 'pending', amountMinor: '100' }),
    givenRefund({ refundId: 're_3', state: 'failed', amountMinor: '50' }),
  ];
  const receipt = await openReceipt(givenOrder({ ...arrived, refunds, refundedMinor: '199' }));
  expect(lines()).toEqual([
    ['60 Lumen Shards', '$4.99'],
    ['Refund', '-$1.99'],
    ['Total after refunds', '$3.00'],
  ]);
  receipt.getByText('A refund of $1.00 is on its way.');
});

test('a receipt with a duplicate payment and its refund adds up to a single payment', async () => {
  const refunds = [
    givenRefund({ reason: 'duplicate', amountMinor: '499' }),
    // The refund of a surplus payment in another currency is not part of the sum.
    givenRefund({ refundId: 're_2', reason: 'misfit', currency: 'EUR' }),
  ];
  await openReceipt(givenOrder({ ...arrived, refunds }));
  expect(lines()).toEqual([
    ['60 Lumen Shards', '$4.99'],
    ['Paid in addition', '$4.99'],
    ['Refund', '-$4.99'],
    ['Total after refunds', '$4.99'],
  ]);
});

test('the receipt of a pack paid with E Points has amounts in E Points, and that of bought E Points names no game character', async () => {
  await openReceipt(
    givenOrder({ ...arrived, method: 'epoint', amountMinor: '500', currency: 'EPOINT' }),
  );
  expect(lines()).toEqual([
    ['60 Lumen Shards', '500 E Points'],
    ['Total', '500 E Points'],
  ]);
  cleanup();

  const receipt = await openReceipt(givenPointsOrder(arrived));
  expect(lines()[0]).toEqual(['500 E Points', '$4.99']);
  expect(receipt.queryByText('Role')).toBeNull();
});

test('a receipt has a print button and a link back to its order', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  await openReceipt(givenOrder(arrived));
  fireEvent.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledTimes(1);
  const back = screen.getByRole('link', { name: 'Your order' });
  expect(back.getAttribute('href')).toBe(`/main/recharge/detail/${orderId}`);
  expect(document.title).toBe('Receipt - Omni');
});

test('the page of a paid order links to its receipt, and the page of an unpaid order has no receipt link', async () => {
  for (const [order, isThere] of [
    [givenOrder(arrived), true],
    [givenOrder(), false],
  ] as const) {
    givenShop({ '/api/payment/order/detail': order });
    await open(`/main/recharge/detail/${orderId}`);
    await screen.findByRole('status');
    const link = screen.queryByRole('link', { name: 'Receipt' });
    expect(link?.getAttribute('href') ?? null).toBe(isThere ? address : null);
    cleanup();
  }
});

test.each([
  [orderId, 'OrderNotPaid', 'This order has not been paid'],
  [orderId, 'PaymentIdWrong', 'Payment order number is wrong'],
  ['not-an-order', 'SystemBusy', 'Payment order number is wrong'],
] as const)(
  'the receipt page of the order number "%s", refused with the error code %s, shows "%s"',
  async (id, code, words) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    givenShop({ [receiptPath]: refused(code) });
    await open(`/main/recharge/receipt/${id}`);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to get the receipt');
    expect(alert.textContent).toContain(words);
    // A retry helps neither with a missing order nor with an unpaid one.
    const isMissing = words === 'Payment order number is wrong';
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    const ways = screen
      .getAllByRole('link')
      .filter((link) => link.className.includes('primary'))
      .map((link) => [link.textContent, link.getAttribute('href')]);
    expect(ways).toEqual([
      isMissing
        ? ['See your orders', '/main/account/recharge']
        : ['Go to your order', `/main/recharge/detail/${id}`],
    ]);
  },
);

test('the receipt page offers a retry button when its receipt fails to load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  givenShop({ [receiptPath]: refused('SystemBusy', 503) });
  await open(address);
  await screen.findByRole('button', { name: 'Try again' });
});
