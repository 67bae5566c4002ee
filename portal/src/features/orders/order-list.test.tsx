import { locales } from '@pointgate/contract/locales.ts';
import { orderList } from '@pointgate/contract/orders.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import { givenListedOrder, givenListedPointsOrder, orderNumber } from '../../../test/orders.ts';
import { callsOf, expectAddress, givenShop, open, orderId, refused } from '../../../test/shop.tsx';

const { path } = orderList;
const address = '/main/account/recharge';
const now = Date.parse('2026-11-15T10:00:00.000Z');

interface Asked {
  shown: string | null;
  kind: string | null;
  gameId: string | null;
  from: string | null;
  until: string | null;
  after: string | null;
  limit: number;
}
type Page = { orders: object[]; nextAfter: string | null };

const page = (orders: object[], nextAfter: string | null = null): Page => ({ orders, nextAfter });

/** Answers the order list and the unpaid orders, which the page queries with the same endpoint. */
function givenOrders(
  list: (asked: Asked) => object | Response | Promise<object | Response>,
  unpaid: () => object | Response | Promise<object | Response> = () => page([]),
) {
  return givenShop({
    [path]: ({ body }) => {
      const asked = orderList.body.parse(body);
      return asked.limit === 10 ? unpaid() : list(asked);
    },
  });
}

const listCalls = (calls: ReturnType<typeof givenShop>) =>
  callsOf(calls, path)
    .map(({ body }) => orderList.body.parse(body))
    .filter(({ limit }) => limit === 20);

const cards = async () =>
  within(await screen.findByRole('list', { name: 'Orders' })).getAllByRole('listitem');

const factsOf = (card: HTMLElement | undefined) =>
  Object.fromEntries(
    [...(card?.querySelectorAll('dl > div') ?? [])].map((row) => [
      row.querySelector('dt')?.textContent,
      row.querySelector('dd')?.textContent,
    ]),
  );

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(async () => {
  cleanup();
  givenWindowWidth(1440);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await i18next.changeLanguage('en-US');
});

test('[S2.13] /main/account/recharge shows the recharge record and its page title', async () => {
  givenOrders(() => page([givenListedOrder()]));
  await open(address);
  await screen.findByRole('heading', { name: 'Recharge record', level: 1 });
  await waitFor(() => expect(document.title).toBe('Recharge record - Omni'));
  expect(await cards()).toHaveLength(1);
});

test('[S3.04] an order card of the recharge record page shows goods, status, type, method, game, character, uid, amount, time, number', async () => {
  const paid = { shown: 'Fulfilled', status: 'FullyPaid', record: 4 };
  givenOrders(() => page([givenListedOrder(paid)]));
  await open(address);
  const [card] = await cards();
  expect(card?.textContent).toContain('60 Shards +6 bonus');
  expect(card?.textContent).toContain('$4.99');
  expect(card?.textContent).toContain('Visa card');
  expect(card?.querySelector('time')?.dateTime).toBe('2026-11-15T10:00:00.000Z');
  expect(card?.querySelector('.order-chip')?.textContent).toBe('Fulfilled');
  expect(card?.querySelector('.order-chip svg')).not.toBeNull();
  expect(factsOf(card)).toEqual({
    Game: 'Solmere',
    Server: 'Dawnreach',
    Role: 'Aveline',
    'Account ID': 'g-1',
    'Order type': 'International',
    'Order number': orderId,
  });
});

test('[S3.04] the recharge record page shows the order type "internal" as "Mainland China"', async () => {
  givenOrders(() => page([givenListedOrder({ orderType: 'internal' })]));
  await open(address);
  const [card] = await cards();
  expect(factsOf(card)['Order type']).toBe('Mainland China');
});

test('the recharge record page shows the account id, but no game, server or character, for an order of E Points', async () => {
  givenOrders(() => page([givenListedPointsOrder()]));
  await open(address);
  const [card] = await cards();
  expect(card?.textContent).toContain('500 E Points +25 bonus');
  expect(factsOf(card)).toEqual({
    'Account ID': 'u-1',
    'Order type': 'International',
    'Order number': orderId,
  });
});

// Label and record numbers differ: 'type' + record would label a paid order as failed.
test.each([
  [1, 'Processing', 'type1'],
  [2, 'Paid', 'type3'],
  [3, 'PaymentFailed', 'type2'],
  [4, 'Fulfilled', 'type4'],
  [5, 'Refunded', 'type5'],
] as const)(
  '[S4.02] the recharge record page shows an order of record status %i, %s, with the label %s',
  async (record, shown, label) => {
    for (const locale of locales) {
      givenOrders(() => page([givenListedOrder({ record, shown })]));
      await i18next.changeLanguage(locale);
      await open(address);
      const [card] = await cards();
      expect(card?.querySelector('.order-chip')?.textContent).toBe(
        i18next.t(`RechargeDetail.${label}`),
      );
      cleanup();
    }
  },
);

test.each([
  ['card', 'USD', 'Visa card', '$4.99'],
  ['epoint', 'EPOINT', 'E Points', '499 E Points'],
])(
  'the recharge record page shows an order paid by %s in %s with the method "%s" and the amount "%s"',
  async (method, currency, word, amount) => {
    givenOrders(() => page([givenListedOrder({ method, currency })]));
    await open(address);
    const [card] = await cards();
    expect(card?.querySelector('.order-card-method')?.textContent).toBe(word);
    expect(card?.querySelector('.order-card-amount')?.textContent).toBe(amount);
  },
);

test('an order card of the recharge record page links to the page of its order', async () => {
  givenOrders(() => page([givenListedOrder()]));
  await open(address);
  const link = await screen.findByRole('link', { name: '60 Shards +6 bonus' });
  expect(link.getAttribute('href')).toBe(`/main/recharge/detail/${orderId}`);
});

test('the recharge record page copies the order number to the clipboard on a click', async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', Object.assign(navigator, { clipboard: { writeText } }));
  givenOrders(() => page([givenListedOrder()]));
  await open(address);
  fireEvent.click(await screen.findByRole('button', { name: 'Copy order number' }));
  await screen.findByText('Order number copied');
  expect(writeText).toHaveBeenCalledWith(orderId);
});

test('the recharge record page shows a partial refund beside the amount of an order, but not a full refund', async () => {
  const part = { refundedMinor: '100', paymentId: orderNumber(2), shown: 'Paid', record: 2 };
  const whole = { refundedMinor: '499', shown: 'Refunded', status: 'Refunded', record: 5 };
  givenOrders(() => page([givenListedOrder(part), givenListedOrder(whole)]));
  await open(address);
  const [first, second] = await cards();
  expect(first?.textContent).toContain('$1.00 refunded');
  expect(second?.querySelector('.order-card-refunded')).toBeNull();
});

test('the recharge record page highlights an unpaid order and shows its remaining time and a pay link', async () => {
  const expireAt = new Date(now + 12 * 60_000).toISOString();
  givenOrders(() => page([givenListedOrder({ expireAt })]));
  await open(address);
  const [card] = await cards();
  if (card === undefined) throw new Error('no card');
  expect(card.dataset.status).toBe('Unpaid');
  within(card).getByText('12 min left to pay');
  const pay = within(card).getByRole('link', { name: 'Pay $4.99' });
  expect(pay.getAttribute('href')).toBe(`/main/recharge/detail/${orderId}`);
});

test('the recharge record page shows no pay link for orders in any status but Unpaid', async () => {
  const others = ['Processing', 'Paid', 'Fulfilled', 'PaymentFailed', 'Refunded'];
  const orders = others.map((shown, count) =>
    givenListedOrder({ shown, paymentId: orderNumber(count) }),
  );
  givenOrders(() => page(orders));
  await open(address);
  expect(await cards()).toHaveLength(5);
  expect(screen.queryByRole('link', { name: /^Pay/ })).toBeNull();
});

test('the recharge record page announces an unpaid order that is not in its list above the list, with a pay link', async () => {
  givenOrders(
    () => page([givenListedOrder({ paymentId: orderNumber(7), shown: 'Fulfilled' })]),
    () => page([givenListedOrder()]),
  );
  await open(address);
  const notice = (await screen.findByText('1 order is waiting for your payment')).closest(
    'div',
  )?.parentElement;
  if (!(notice instanceof HTMLElement)) throw new Error('no notice');
  within(notice).getByText('66 Shards: pay in time, or the order closes by itself.');
  const pay = within(notice).getByRole('link', { name: 'Pay $4.99' });
  expect(pay.getAttribute('href')).toBe(`/main/recharge/detail/${orderId}`);
});

test('the notice of the recharge record page about several unpaid orders shows their number and filters the list by Unpaid', async () => {
  const unpaid = [1, 2].map((count) => givenListedOrder({ paymentId: orderNumber(count) }));
  const calls = givenOrders(
    ({ shown }) => page(shown === 'Unpaid' ? unpaid : []),
    () => page(unpaid),
  );
  await open(`${address}?status=Refunded&kind=points`);
  await screen.findByText('2 orders are waiting for your payment');
  fireEvent.click(screen.getByRole('button', { name: 'Show them' }));
  await waitFor(() => expectAddress(`${address}?status=Unpaid`));
  await waitFor(() => expect(listCalls(calls).at(-1)?.shown).toBe('Unpaid'));
  await cards();
  // The list itself shows the unpaid orders now.
  expect(screen.queryByText('2 orders are waiting for your payment')).toBeNull();
});

test('the notice of the recharge record page about more unpaid orders than one page shows "10+"', async () => {
  const unpaid = Array.from({ length: 10 }, (_, count) =>
    givenListedOrder({ paymentId: orderNumber(count) }),
  );
  givenOrders(
    () => page([]),
    () => page(unpaid, orderNumber(9)),
  );
  await open(address);
  await screen.findByText('10+ orders are waiting for your payment');
});

test('the recharge record page announces no unpaid order that is in its list, and only the first of them has a primary button', async () => {
  const unpaid = [1, 2].map((count) => givenListedOrder({ paymentId: orderNumber(count) }));
  givenOrders(
    () => page(unpaid),
    () => page(unpaid),
  );
  await open(address);
  await cards();
  expect(screen.queryByText(/waiting for your payment/)).toBeNull();
  const buttons = screen.getAllByRole('link', { name: 'Pay $4.99' });
  expect(buttons.map(({ className }) => className)).toEqual(['button primary', 'button secondary']);
});

test('[S8.10] the recharge record page shows an error above its list when unpaid orders fail to load, and can reload them', async () => {
  let isDown = true;
  givenOrders(
    () => page([givenListedOrder({ paymentId: orderNumber(7), shown: 'Fulfilled' })]),
    () => (isDown ? refused('SystemBusy', 503) : page([givenListedOrder()])),
  );
  await open(address);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get unpaid orders');
  expect(alert.textContent).toContain('The system is busy');
  expect(await cards()).toHaveLength(1);
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('1 order is waiting for your payment');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('[S8.10] the recharge record page shows an error when its order list fails to load, and can reload the list', async () => {
  let isDown = true;
  givenOrders(() => (isDown ? refused('SystemBusy', 503) : page([givenListedOrder()])));
  await open(address);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the order list');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await cards()).toHaveLength(1);
  expect(document.activeElement?.contains((await cards())[0] ?? null)).toBe(true);
  expect(document.activeElement).not.toBe(document.body);
});

test('the recharge record page shows skeletons and its filters while the order list is loading', async () => {
  givenOrders(() => new Promise(() => {}));
  await open(address);
  await screen.findByRole('button', { name: 'Unpaid' });
  await waitFor(() => expect(document.querySelectorAll('.order-card-skeleton')).toHaveLength(4));
});

test('the recharge record page shows its list only after the unpaid orders above it, to avoid a layout shift', async () => {
  let answer: ((reply: object) => void) | undefined;
  givenOrders(
    () => page([givenListedOrder({ shown: 'Fulfilled' })]),
    () =>
      new Promise<object>((resolve) => {
        answer = resolve;
      }),
  );
  await open(address);
  await waitFor(() => expect(document.querySelectorAll('.order-card-skeleton')).toHaveLength(4));
  expect(screen.queryByRole('list', { name: 'Orders' })).toBeNull();
  await waitFor(() => expect(answer).toBeDefined());
  answer?.(page([]));
  expect(await cards()).toHaveLength(1);
});

test('the recharge record page of an account without orders links to the top-up page', async () => {
  givenOrders(() => page([]));
  await open(address);
  const empty = (await screen.findByText('No orders yet')).parentElement;
  if (empty === null) throw new Error('no empty state');
  const link = within(empty).getByRole('link', { name: 'Top-up' });
  expect(link.getAttribute('href')).toBe('/main/recharge');
});

test('the recharge record page keeps its filters in the URL beside other parameters and sends them to the server', async () => {
  const calls = givenOrders(() => page([givenListedOrder()]));
  await open(`${address}?from=mail`);
  await cards();
  expect(listCalls(calls).at(-1)).toMatchObject({ shown: null, kind: null, from: null });

  fireEvent.click(screen.getByRole('button', { name: 'Paid' }));
  fireEvent.change(await screen.findByRole('combobox', { name: 'Kind' }), {
    target: { value: 'points' },
  });
  fireEvent.change(screen.getByRole('combobox', { name: 'Time' }), { target: { value: '30d' } });

  await waitFor(() => expectAddress(`${address}?from=mail&status=Paid&kind=points&time=30d`));
  await waitFor(() =>
    expect(listCalls(calls).at(-1)).toEqual({
      shown: 'Paid',
      kind: 'points',
      gameId: null,
      from: '2026-10-16T10:00:00.000Z',
      until: null,
      after: null,
      limit: 20,
    }),
  );
  expect(screen.getByRole('button', { name: 'Paid' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('false');
});

test('the recharge record page applies filters from the URL and ignores unknown filter values', async () => {
  const calls = givenOrders(() => page([givenListedOrder()]));
  await open(`${address}?status=Refunded&kind=gold&time=tomorrow`);
  await cards();
  expect(listCalls(calls)).toMatchObject([{ shown: 'Refunded', kind: null, from: null }]);
});

test('the recharge record page on a phone scrolls the selected status filter into view', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetLeft', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(100);
  givenOrders(() => page([givenListedOrder()]));
  await open(`${address}?status=Refunded`);
  await cards();
  const row = screen.getByRole('group', { name: 'Status' });
  expect(row.scrollLeft).toBe(600);
});

test('the recharge record page shows a message and a button that clears the filters when no order matches', async () => {
  givenOrders(({ shown }) => page(shown === 'Refunded' ? [] : [givenListedOrder()]));
  await open(`${address}?status=Refunded&from=mail`);
  await screen.findByText('No orders match these filters');
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await cards()).toHaveLength(1);
  expectAddress(`${address}?from=mail`);
});

test('the recharge record page loads further orders on demand with the cursor of the last page', async () => {
  const orders = Array.from({ length: 3 }, (_, count) =>
    givenListedOrder({ paymentId: orderNumber(9 - count), shown: 'Fulfilled' }),
  );
  const calls = givenOrders(({ after }) =>
    after === null ? page(orders.slice(0, 2), orderNumber(8)) : page(orders.slice(2)),
  );
  await open(address);
  expect(await cards()).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(async () => expect(await cards()).toHaveLength(3));
  expect(listCalls(calls).map(({ after }) => after)).toEqual([null, orderNumber(8)]);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('the recharge record page keeps loaded orders when the next page fails, and that page can be retried', async () => {
  let isDown = true;
  givenOrders(({ after }) => {
    const first = givenListedOrder({ paymentId: orderNumber(9), shown: 'Fulfilled' });
    if (after === null) return page([first], orderNumber(9));
    return isDown ? refused('SystemBusy', 503) : page([givenListedOrder({ shown: 'Fulfilled' })]);
  });
  await open(address);
  await cards();
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the order list');
  expect(await cards()).toHaveLength(1);
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(async () => expect(await cards()).toHaveLength(2));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the recharge record page on a phone hides the details of an order behind the names of character and server', async () => {
  givenWindowWidth(390);
  givenOrders(() => page([givenListedOrder()]));
  await open(address);
  const [card] = await cards();
  const details = card?.querySelector('details');
  expect(details?.open).toBe(false);
  expect(details?.querySelector('summary')?.textContent).toBe('Aveline · Dawnreach');
  expect(factsOf(card)).toMatchObject({ Role: 'Aveline', 'Order number': orderId });
});
