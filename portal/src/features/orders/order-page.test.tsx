import { recordLabels } from '@pointgate/contract/orders.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { callsOf, givenOrder, givenShop, open, orderId, refused } from '../../../test/shop.tsx';
import { intentFor, notePlaced } from '../../entities/payment/order-intent.ts';

const detailPath = '/api/payment/order/detail';
const payPath = '/api/payment/order/pay';
const address = `/main/recharge/detail/${orderId}`;
const provider = {
  action: { kind: 'redirect', url: `${window.location.origin}${address}#provider` },
};

const paid = { status: 'FullyPaid', record: 2, shown: 'Paid', paidAt: '2026-11-15T10:01:00.000Z' };
const closed = { record: 3, shown: 'PaymentFailed', closedReason: 'expired' };

async function openOrder(order: object, other: object = {}) {
  const calls = givenShop({ [detailPath]: givenOrder(order), [payPath]: provider, ...other });
  await open(address);
  return { calls, status: await screen.findByRole('status') };
}

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("[S4.03] the page of an unpaid order shows 'Please pay in time', a countdown and a pay button", async () => {
  const expireAt = new Date(Date.now() + 90_000).toISOString();
  const { calls, status } = await openOrder({ expireAt });
  expect(status.textContent).toContain('Unpaid');
  expect(status.textContent).toContain('Please pay in time');
  expect(screen.getByRole('timer').textContent).toMatch(/01:(30|[12]\d)/);
  fireEvent.click(screen.getByRole('button', { name: 'Pay $4.99' }));
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  expect(callsOf(calls, payPath).map(({ body }) => body)).toEqual([{ paymentId: orderId }]);
});

test('[S4.08] the page of a pending order shows Processing, and its refresh button reads the order again', async () => {
  let order = givenOrder({ status: 'Pending', shown: 'Processing' });
  const { status } = await openOrder({}, { [detailPath]: () => order });
  expect(status.textContent).toContain('Processing');
  // The player may as well have cancelled, or the card was declined.
  expect(status.textContent).toContain(
    'If not, or if the payment was declined, you can continue it.',
  );
  expect(status.textContent).not.toContain('charged');
  screen.getByRole('button', { name: 'Continue payment' });

  order = givenOrder(paid);
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(status.textContent).toContain('Paid'));
  expect(screen.getByRole('status')).toBe(status);
});

test('[S4.05] the page of a paid order shows congratulations and links to the top-up page and the personal center', async () => {
  const { status } = await openOrder(paid);
  expect(status.textContent).toContain('Paid');
  expect(status.textContent).toContain('Congratulations');
  expect(screen.getByRole('link', { name: 'Continue topping up' })).toHaveProperty(
    'pathname',
    '/main/recharge',
  );
  expect(screen.getByRole('link', { name: 'Personal center' })).toHaveProperty(
    'pathname',
    '/main/account/user',
  );
  expect(screen.queryByRole('button', { name: /Pay|Continue payment/ })).toBeNull();
});

test('the page of a paid order with a delayed delivery still shows Paid and says that the payment is safe', async () => {
  const { status } = await openOrder({ ...paid, isDeliveryDelayed: true });
  expect(status.textContent).toContain('Paid');
  expect(status.textContent).toContain('Delivery delayed');
  expect(status.textContent).not.toContain('team');
  screen.getByText('Your payment is safe. Nothing more for you to do.');
});

test('[S4.06] the page of a delivered order shows Fulfilled with the goods and the game character', async () => {
  const { status } = await openOrder({ ...paid, record: 4, shown: 'Fulfilled' });
  expect(status.textContent).toContain('Fulfilled');
  expect(status.textContent).toContain('delivered to Aveline in the game');
  expect(status.textContent).toContain('66');
});

test('[S4.04] the page of an expired order shows Payment failed, the timeout as reason and a resubmit link', async () => {
  const { status } = await openOrder(closed);
  expect(status.textContent).toContain('Payment failed');
  expect(status.textContent).toContain('timed out unpaid');
  expect(status.textContent).toContain('it counts for this order');
  expect(status.textContent).not.toContain('refund');
  const resubmit = screen.getByRole('link', { name: 'Resubmit' });
  expect(resubmit.getAttribute('href')).toBe('/main/recharge?item=shards_60');
  fireEvent.click(resubmit);
  await screen.findByRole('radio', { name: /^60 Shards/, checked: true });
});

test('[S4.07] the page of a refunded order shows Refunded', async () => {
  const { status } = await openOrder({ ...paid, status: 'Refunded', record: 5, shown: 'Refunded' });
  expect(status.textContent).toContain('Refunded');
});

test('the page of an order with a pending refund shows Processing and offers no payment', async () => {
  const { status } = await openOrder({ ...paid, shown: 'Processing' });
  expect(status.textContent).toContain('Processing');
  expect(status.textContent).toContain('refund');
  expect(screen.queryByRole('button', { name: 'Continue payment' })).toBeNull();
});

test('the page of an order in review after a mismatched payment offers no payment and does not poll the server', async () => {
  const paying = { status: 'Pending', shown: 'Processing' };
  await openOrder(paying);
  expect(document.querySelector('.order-poll')).not.toBeNull();
  cleanup();

  const { status } = await openOrder({ ...paying, isInReview: true });
  expect(status.textContent).toContain('Processing');
  expect(status.textContent).toContain('It is safe, and we are looking into it.');
  expect(status.textContent).toContain('Please do not pay again.');
  expect(screen.queryByRole('button', { name: /Pay|Continue payment/ })).toBeNull();
  expect(document.querySelector('.order-poll')).toBeNull();
});

test.each([
  [{}, 'is on its way'],
  [{ record: 4, shown: 'Fulfilled' }, 'delivered to Aveline in the game'],
])(
  'the page of the paid order %o, which is in review after a surplus payment, still shows "%s"',
  async (order, words) => {
    const { status } = await openOrder({ ...paid, ...order, isInReview: true });
    expect(status.textContent).toContain(words);
    expect(status.textContent).not.toContain('not as expected');
    screen.getByRole('link', { name: 'Continue topping up' });
  },
);

test.each([
  ['1600', '6,480 Shards +1,600 bonus'],
  ['0', '6,480 Shards'],
])(
  'the page of an order with a bonus quantity of %s shows the goods as "%s"',
  async (giftQuantity, goods) => {
    await openOrder({ ...paid, itemName: '6480 Lumen Shards', quantity: '6480', giftQuantity });
    expect(screen.getByText('Item').nextElementSibling?.textContent).toBe(goods);
  },
);

test.each([
  ['first_purchase', 'Your first purchase here'],
  ['first_purchase_of_item', 'Your first purchase of this pack'],
  ['for_you', 'A gift for players like you'],
  ['limited_time', 'A gift for a limited time'],
])('the order page explains a gift with the reason %s as "%s"', async (giftReason, words) => {
  await openOrder({ ...paid, giftReason });
  expect(screen.getByText('Why this gift').nextElementSibling?.textContent).toBe(words);
});

test('the page of an order with a coupon shows coupon name, discount and price before discount', async () => {
  const coupon = { couponName: 'Welcome', discountMinor: '74', priceBeforeMinor: '499' };
  await openOrder({ ...paid, ...coupon, amountMinor: '425' });
  const factOf = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
  expect(factOf('Coupon')).toBe('Welcome');
  expect(factOf('Price before discount')).toBe('$4.99');
  expect(factOf('Discount')).toBe('-$0.74');
  expect(factOf('Amount')).toBe('$4.25');
});

test('the page of an order without a coupon shows no discount', async () => {
  await openOrder(paid);
  for (const label of ['Coupon', 'Price before discount', 'Discount']) {
    expect(screen.queryByText(label)).toBeNull();
  }
});

test.each(['bonus', null])(
  'the order page shows no explanation for a gift with the reason %s',
  async (giftReason) => {
    await openOrder({ ...paid, giftReason });
    expect(screen.queryByText('Why this gift')).toBeNull();
  },
);

test.each([
  [1, 'Processing', { status: 'Pending', shown: 'Processing' }],
  [2, 'Paid', paid],
  [3, 'Payment failed', closed],
  [4, 'Fulfilled', { ...paid, record: 4, shown: 'Fulfilled' }],
  [5, 'Refunded', { ...paid, status: 'Refunded', record: 5, shown: 'Refunded' }],
] as const)(
  '[S4.02] the page of an order of record status %i shows the status %s and no other status',
  async (record, word, order) => {
    const { status } = await openOrder({ ...order, record });
    const words = [...Object.values(recordLabels), 'order.status.Unpaid' as const];
    const said = words.map((key) => i18next.t(key)).filter((each) => screen.queryByText(each));
    expect(said).toEqual([word]);
    expect(status.querySelector('.order-word')?.textContent).toBe(word);
  },
);

test('[S2.10] [S3.05] the payment details of the order page show status, method, account, game, server and amount', async () => {
  await openOrder(paid);
  const facts = screen.getByRole('region', { name: 'Payment details' });
  const rows = within(facts)
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(Object.fromEntries(rows)).toMatchObject({
    'Order number': orderId,
    'Payment method': 'Visa card',
    'Account ID': 'g-1',
    Game: 'Solmere',
    Server: 'Dawnreach',
    Role: 'Aveline',
    Item: '60 Shards +6 bonus',
    Amount: '$4.99',
  });
});

test('the page of an open order polls the server every three seconds, and the page of a finished order does not poll', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let order = givenOrder({ status: 'Pending', shown: 'Processing' });
  const { calls } = await openOrder({}, { [detailPath]: () => order });
  const reads = () => callsOf(calls, detailPath).length;
  const before = reads();
  await vi.advanceTimersByTimeAsync(3_100);
  expect(reads()).toBe(before + 1);

  order = givenOrder({ ...paid, record: 4, shown: 'Fulfilled' });
  await vi.advanceTimersByTimeAsync(3_100);
  await screen.findByText('Fulfilled');
  const after = reads();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads()).toBe(after);
});

test('an order page reads its order at once after a change event and closes the event stream of a finished order', async () => {
  const streams = givenStreams();
  let order = givenOrder({ status: 'Pending', shown: 'Processing' });
  const { status } = await openOrder({}, { [detailPath]: () => order });
  const opened = [`/api/payment/order/changes/${orderId}`];
  await waitFor(() => expect(streams.map(({ url }) => url)).toEqual(opened));

  order = givenOrder({ ...paid, record: 4, shown: 'Fulfilled' });
  streams[0]?.dispatchEvent(new Event('changed'));
  await waitFor(() => expect(status.textContent).toContain('Fulfilled'));
  await waitFor(() => expect(streams.every(({ isClosed }) => isClosed)).toBe(true));
});

test('an order page with a live event stream polls rarely, and often after the stream fails or goes silent', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const [stream, reads] = await openProcessing();
  vi.setTimerTickMode('manual');
  const say = (name: string) => act(() => void stream.dispatchEvent(new Event(name)));
  const readsWithin = async (ms: number) => {
    const before = reads();
    await act(() => vi.advanceTimersByTimeAsync(ms));
    return reads() - before;
  };
  // The stream is open but not confirmed: changes in another server process might not reach it.
  expect(await readsWithin(3_100)).toBe(1);
  say('heard');
  expect(await readsWithin(19_500)).toBe(0);
  expect(await readsWithin(600)).toBe(1);

  say('error');
  expect(await readsWithin(3_100)).toBe(1);
  say('heard');
  expect(await readsWithin(9_000)).toBe(0);
  // Without further events the stream counts as silent after a while.
  await readsWithin(42_000);
  expect(await readsWithin(3_100)).toBe(1);
});

test('an order page closes its event stream when the server says that a newer one replaced it, and then polls often', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const [stream, reads] = await openProcessing();
  vi.setTimerTickMode('manual');
  await act(() => void stream.dispatchEvent(new Event('heard')));
  await act(() => void stream.dispatchEvent(new Event('replaced')));
  expect(stream.isClosed).toBe(true);
  const before = reads();
  await act(() => vi.advanceTimersByTimeAsync(3_100));
  expect(reads() - before).toBe(1);
});

async function openProcessing() {
  const streams = givenStreams();
  const { calls } = await openOrder({ status: 'Pending', shown: 'Processing' });
  await waitFor(() => expect(streams).toHaveLength(1));
  const [stream] = streams;
  if (stream === undefined) throw new Error('The page opened no event stream.');
  return [stream, () => callsOf(calls, detailPath).length] as const;
}

/** The event streams that the page opens from now on. */
function givenStreams() {
  const streams: (EventTarget & { url: string; isClosed: boolean })[] = [];
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      isClosed = false;
      url: string;
      constructor(url: string) {
        super();
        this.url = url;
        streams.push(this);
      }
      close() {
        this.isClosed = true;
      }
    },
  );
  return streams;
}

test('a paid order that the order page has shown is not continued: buying the same pack again starts a new order', async () => {
  const wish = {
    kind: 'item',
    accountId: 'a',
    gameId: 'solmere',
    itemId: 'shards_60',
    quantity: 1,
    serverId: 's12',
    roleId: 'r1',
    method: 'card',
    system: 'android',
    quoteId: 'quote-of-these-tests',
  } as const;
  const { clientOrderId } = intentFor(wish);
  notePlaced({ clientOrderId, paymentId: orderId });
  expect(intentFor(wish).clientOrderId).toBe(clientOrderId);
  await openOrder(paid);
  // The intent is dropped in an effect, after the first render.
  await waitFor(() => expect(intentFor(wish).clientOrderId).not.toBe(clientOrderId));
});

test.each(['not-an-order', orderId])(
  '[S8.10] the order page for the unknown order number %s shows an error without a retry button',
  async (id) => {
    const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
    givenShop({ [detailPath]: refused('PaymentIdWrong') });
    await open(`/main/recharge/detail/${id}`);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to get order details');
    expect(alert.textContent).toContain('Payment order number is wrong');
    // A retry would not help.
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(screen.getByRole('link', { name: 'See your orders' })).toHaveProperty(
      'pathname',
      '/main/account/recharge',
    );
    complain.mockRestore();
  },
);

test('[S8.19] the order page shows an error when its order fails to load, and can be reloaded', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  await openFailing(() => (isDown ? new Response('a page of a proxy') : givenOrder()));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get order details');
  expect(alert.textContent).toContain('Some errors occurred while fetching information');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await screen.findByRole('status')).textContent).toContain('Unpaid');
  complain.mockRestore();
});

async function openFailing(answer: () => object) {
  givenShop({ [detailPath]: answer });
  await open(address);
}
