import { RefundReason } from '@pointgate/contract/orders.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  callsOf,
  givenBalance,
  givenOrder,
  givenPointsOrder,
  givenShop,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';

const detailPath = '/api/payment/order/detail';
const spendPath = '/api/payment/order/epoint/pay';
const balancePath = '/api/epoint/overage';
const address = `/main/recharge/detail/${orderId}`;
const at = '2026-11-15T10:01:00.000Z';

const paid = { status: 'FullyPaid', record: 2, shown: 'Paid', paidAt: at };
const arrived = { ...paid, record: 4, shown: 'Fulfilled', arrivedAt: at };
const refunded = { ...paid, status: 'Refunded', record: 5, shown: 'Refunded' };
const inPoints = { method: 'epoint', amountMinor: '500', currency: 'EPOINT' };

function givenRefund(other: object = {}) {
  const amount = { amountMinor: '199', currency: 'USD' };
  return { refundId: 're_1', ...amount, reason: 'goodwill', state: 'done', at, ...other };
}

async function openOrder(order: object, other: object = {}) {
  const calls = givenShop({ [detailPath]: order, ...other });
  await open(address);
  return { calls, status: await screen.findByRole('status') };
}

const steps = () =>
  within(screen.getByRole('region', { name: 'What happened' }))
    .getAllByRole('listitem')
    .map((item) => item.querySelector('span')?.textContent);

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('the timeline of the order page shows past steps, the next delivery attempt and the promised delivery time', async () => {
  const timeline = ['created', 'paid', 'accepted', 'delivery_retry'].map((step) => ({ step, at }));
  const nextDeliveryAt = '2026-11-15T10:11:00.000Z';
  const promisedAt = '2026-11-16T10:01:00.000Z';
  const { status } = await openOrder(givenOrder({ ...paid, timeline, nextDeliveryAt, promisedAt }));
  expect(status.textContent).toContain('Paid');
  expect(steps()).toEqual([
    'Delivered by then, or refunded automatically',
    'Next delivery attempt',
    'Delivery is being tried again',
    'On its way to the game',
    'Payment received',
    'Order placed',
  ]);
  screen.getByText('Your payment is safe. Nothing more for you to do.');
  screen.getByText(/^Next delivery attempt: Nov 15, 2026/);
  screen.getByText(/^If it has not arrived by Nov 16, 2026.*, you are refunded automatically\.$/);
});

test('the order page shows the promised delivery time of a delivery without retries only in its timeline', async () => {
  await openOrder(givenOrder({ ...paid, promisedAt: '2026-11-16T10:01:00.000Z' }));
  expect(steps()[0]).toBe('Delivered by then, or refunded automatically');
  expect(screen.queryByText(/If it has not arrived/)).toBeNull();
});

test('the order page of a delivered order shows no promised delivery time and no next delivery attempt', async () => {
  await openOrder(givenOrder({ ...arrived, promisedAt: at, nextDeliveryAt: at }));
  expect(steps()).toEqual(['Order placed']);
});

test.each([
  ['pending', 'On its way'],
  ['done', 'Refunded'],
  ['failed', 'Did not go through'],
])(
  'the order page shows a refund in state %s as "%s" with amount and reason',
  async (state, words) => {
    await openOrder(givenOrder({ ...arrived, refunds: [givenRefund({ state })] }));
    const card = screen.getByRole('region', { name: 'Refunds' });
    within(card).getByText('$1.99');
    within(card).getByText(words);
    within(card).getByText('A goodwill refund from us.');
    const isWorrying = within(card).queryByText(/has not reached you yet/) !== null;
    expect(isWorrying).toBe(state === 'failed');
  },
);

test('the order page shows a text of its own for every refund reason', async () => {
  const reasons = Object.values(RefundReason.def.entries);
  const refunds = reasons.map((reason) => givenRefund({ refundId: reason, reason }));
  await openOrder(givenOrder({ ...arrived, refunds }));
  const card = screen.getByRole('region', { name: 'Refunds' });
  const texts = within(card)
    .getAllByRole('listitem')
    .map((item) => item.querySelectorAll('p')[1]?.textContent);
  expect(new Set(texts).size).toBe(reasons.length);
});

test('the order page keeps its status after a partial refund and lists the refund in the payment details', async () => {
  const timeline = ['created', 'paid', 'arrived', 'partly_refunded'].map((step) => ({ step, at }));
  const { status } = await openOrder(
    givenOrder({ ...arrived, timeline, refundedMinor: '199', refunds: [givenRefund()] }),
  );
  expect(status.textContent).toContain('Fulfilled');
  expect(steps()[0]).toBe('Partly refunded');
  const facts = screen.getByRole('region', { name: 'Payment details' });
  expect(within(facts).getByText('Refunded').nextElementSibling?.textContent).toBe('$1.99');
});

test.each([
  ['money to the payment method', {}, 'on its way back to the payment method'],
  ['E Points to the balance', inPoints, 'The E Points are back in your balance.'],
  [
    'a chargeback through the bank',
    { refunds: [givenRefund({ reason: 'chargeback' })] },
    'Your bank has returned',
  ],
])(
  'the order page of a refunded order says where the refund went: %s',
  async (_where, order, words) => {
    const { status } = await openOrder(givenOrder({ ...refunded, ...order }));
    expect(status.textContent).toContain(words);
  },
);

test('an order page with a pending refund polls the server although the delivery is complete', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let order = givenOrder({ ...arrived, refunds: [givenRefund({ state: 'pending' })] });
  await openOrder(() => order);
  screen.getByText('On its way');
  order = givenOrder({ ...arrived, refunds: [givenRefund()], refundedMinor: '199' });
  await vi.advanceTimersByTimeAsync(20_100);
  const card = await screen.findByRole('region', { name: 'Refunds' });
  await within(card).findByText('Refunded');
});

test.each([
  ['item', givenOrder({ ...arrived, isDisputed: true }), 'You do not need to do anything here.'],
  ['points', givenPointsOrder({ ...arrived, isDisputed: true }), 'are on hold.'],
])(
  'the order page says that the payment of an order of kind %s is in dispute',
  async (_kind, order, words) => {
    await openOrder(order);
    screen.getByText('This payment is in dispute');
    screen.getByText((text) => text.startsWith('The bank has taken') && text.endsWith(words));
  },
);

test('the order page of a delivered E Point order shows the credited points and links to the game top-up', async () => {
  const timeline = ['created', 'paid', 'arrived'].map((step) => ({ step, at }));
  const { status } = await openOrder(givenPointsOrder({ ...arrived, timeline }));
  expect(status.textContent).toContain('525 E Points arrived in your account.');
  expect(status.textContent).not.toContain('game');
  expect(steps()[0]).toBe('E Points credited');
  const on = screen.getByRole('link', { name: 'Top up a game' });
  expect(on.getAttribute('href')).toBe('/main/recharge');

  const facts = screen.getByRole('region', { name: 'Payment details' });
  const labels = within(facts)
    .getAllByRole('term')
    .map((term) => term.textContent);
  expect(labels).not.toContain('Game');
  expect(labels).not.toContain('Role');
  within(facts).getByText('500 E Points');
});

test('the order page of a refunded E Point order says that the E Points were removed', async () => {
  const { status } = await openOrder(givenPointsOrder(refunded));
  expect(status.textContent).toContain('The E Points from this order have been removed.');
});

test('the order page of an expired E Point order links to a new purchase of the same pack', async () => {
  const closed = { record: 3, shown: 'PaymentFailed', closedReason: 'expired' };
  await openOrder(givenPointsOrder(closed));
  const resubmit = screen.getByRole('link', { name: 'Resubmit' });
  expect(resubmit.getAttribute('href')).toBe('/main/recharge?to=epoint&item=points_500');
});

test('the order page pays an unpaid order priced in E Points from the balance once, after a confirmation dialog', async () => {
  let order = givenOrder(inPoints);
  const { calls, status } = await openOrder(() => order, {
    [spendPath]: () => {
      order = givenOrder({ ...inPoints, ...paid });
      return order;
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Pay 500 E Points' }));
  const dialog = await screen.findByRole('dialog', { name: 'Pay with E Points' });
  await within(dialog).findByText('740');
  const pay = within(dialog).getByRole('button', { name: 'Pay 500 E Points' });
  fireEvent.click(pay);
  fireEvent.click(pay);
  await waitFor(() => expect(status.textContent).toContain('Congratulations'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(callsOf(calls, spendPath).map(({ body }) => body)).toEqual([{ paymentId: orderId }]);
  // The balance in the bar is read again.
  expect(callsOf(calls, balancePath).length).toBeGreaterThan(1);
});

test('the order page shows the new status of an order that can no longer be paid instead of an error', async () => {
  let order = givenOrder(inPoints);
  const { status } = await openOrder(() => order, {
    [spendPath]: () => {
      order = givenOrder({
        ...inPoints,
        record: 3,
        shown: 'PaymentFailed',
        closedReason: 'expired',
      });
      return refused('OrderNotPayable');
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Pay 500 E Points' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByText('740');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Pay 500 E Points' }));
  await waitFor(() => expect(status.textContent).toContain('No E Points were taken.'));
});

test('[S8.17] the order page links to the E Point top-up when the E Point balance does not cover the order', async () => {
  await openOrder(givenOrder(inPoints), { [balancePath]: givenBalance({ basicNum: 0 }) });
  await screen.findByText(/The E-point balance is insufficient, please recharge\./);
  const more = screen.getByRole('link', { name: 'Top up E Points' });
  expect(more.getAttribute('href')).toBe('/main/recharge?to=epoint&need=260');
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
});
