import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import {
  callsOf,
  expectAddress,
  givenItem,
  givenOrder,
  givenShop,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';

const couponPath = '/api/coupon/list';
const createPath = '/api/payment/order/create';
const createPointsPath = '/api/payment/order/create/epoint';
const payPath = '/api/payment/order/pay';
const itemsPath = '/api/recharge/v2/items';
const provider = () => ({
  action: { kind: 'redirect', url: `${window.location.href.replace(/#.*/, '')}#provider` },
});
const payable = { [createPath]: givenOrder(), [payPath]: provider };

const tenth = {
  basisPoints: 1000,
  amountMinor: null,
  currency: null,
  capMinor: null,
  minimumMinor: null,
  kind: null,
  gameIds: null,
  itemIds: null,
};
const at = '2026-11-01T10:00:00.000Z';
const couponId = (number: number) => `00000000-0000-4000-8000-00000000010${number}`;
function givenCoupon(number: number, other: object = {}) {
  return {
    couponId: couponId(number),
    name: `Coupon ${number}`,
    terms: tenth,
    issuedAt: at,
    startsAt: at,
    expiresAt: null,
    state: 'usable',
    paymentId: null,
    refusal: null,
    ...other,
  };
}
const listOf = (...coupons: object[]) => ({ [couponPath]: { coupons } });
const couponsOf = (calls: ReturnType<typeof givenShop>, path = createPath) =>
  callsOf(calls, path).map(({ body }) => Object(body).couponId);

const couponButton = () => screen.findByRole('button', { name: /^Coupon/ });
const payButton = () => screen.findByRole('button', { name: /^Pay/ });
async function openSheet() {
  fireEvent.click(await couponButton());
  return within(await screen.findByRole('dialog', { name: 'Your coupons' }));
}
async function choose(name: RegExp) {
  fireEvent.click((await openSheet()).getByRole('button', { name }));
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

describe('coupons at checkout', () => {
  test('the top-up page preselects no coupon; a chosen coupon reduces the total and is sent with the order', async () => {
    const calls = givenShop({ ...payable, ...listOf(givenCoupon(1), givenCoupon(2)) });
    await open('/main/recharge');
    expect((await couponButton()).textContent).toContain('2 to use');
    screen.getByRole('button', { name: 'Pay $4.99' });
    await choose(/Coupon 1/);
    expect(screen.queryByRole('dialog')).toBeNull();
    const lineOf = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
    expect(lineOf('Price')).toBe('$4.99');
    expect((await couponButton()).textContent).toContain('-$0.49');
    expect(lineOf('Total')).toBe('$4.50');

    fireEvent.click(screen.getByRole('button', { name: 'Pay $4.50' }));
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    expect(callsOf(calls, createPath)[0]?.body).toMatchObject({
      couponId: couponId(1),
      quoteId: 'quote-of-these-tests',
    });
  });

  test('a coupon chosen on the top-up page can be deselected', async () => {
    const calls = givenShop({ ...payable, ...listOf(givenCoupon(1)) });
    await open('/main/recharge');
    await choose(/Coupon 1/);
    const sheet = await openSheet();
    expect(sheet.getByRole('button', { name: /Coupon 1/ }).getAttribute('aria-current')).toBe(
      'true',
    );
    fireEvent.click(sheet.getByRole('button', { name: 'Use no coupon' }));
    fireEvent.click(screen.getByRole('button', { name: 'Pay $4.99' }));
    await waitFor(() => expect(callsOf(calls, createPath)).toHaveLength(1));
    expect(couponsOf(calls)).toEqual([undefined]);
  });

  test('the bottom bar of the top-up page on a phone shows the total after a coupon and the full price struck through', async () => {
    givenWindowWidth(390);
    givenShop({ ...payable, ...listOf(givenCoupon(1)) });
    await open('/main/recharge');
    await choose(/Coupon 1/);
    const bar = within(await screen.findByRole('region', { name: 'Your order' }));
    expect(bar.getByText('$4.50').textContent).toContain('$4.50');
    expect(bar.getByRole('deletion').textContent).toBe('Price before discount: $4.99');
  });

  test('a coupon can be used to buy a pack of E Points', async () => {
    const calls = givenShop({
      [createPointsPath]: givenOrder(),
      [payPath]: provider,
      ...listOf(givenCoupon(1)),
    });
    await open('/main/recharge?to=epoint');
    await choose(/Coupon 1/);
    fireEvent.click(screen.getByRole('button', { name: 'Pay $4.50' }));
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    expect(couponsOf(calls, createPointsPath)).toEqual([couponId(1)]);
    expect(callsOf(calls, couponPath).map(({ body }) => body)).toEqual([{ kind: 'points' }]);
  });

  test.each([
    ['CouponNotForThis', {}, 'This coupon is not for this order'],
    ['CouponNotForThis', { terms: { ...tenth, currency: 'EUR' } }, 'Only for prices in EUR'],
    ['CouponNotStarted', { state: 'not_started' }, /^Can be used from Nov 1, 2026/],
    ['CouponUsed', { state: 'held', paymentId: orderId }, 'Reserved by an unpaid order'],
  ])(
    'the coupon list of the top-up page shows for a coupon with the refusal code %s and %o the reason "%s"',
    async (refusal, other, words) => {
      givenShop(listOf(givenCoupon(1, { refusal, ...other })));
      await open('/main/recharge');
      expect((await couponButton()).textContent).toContain('None for this');
      const sheet = await openSheet();
      sheet.getByText(words);
      expect(sheet.queryByRole('button', { name: /Coupon 1/ })).toBeNull();
      const link = sheet.queryByRole('link', { name: 'See the order' });
      expect(link?.getAttribute('href') ?? null).toBe(
        refusal === 'CouponUsed' ? `/main/recharge/detail/${orderId}` : null,
      );
    },
  );

  test('the coupon list of the top-up page shows discount, conditions and expiry of each coupon', async () => {
    const ends = '2099-12-24T18:00:00.000Z';
    const share = { ...tenth, basisPoints: 1250, currency: 'USD', capMinor: '200' };
    const amount = { ...tenth, basisPoints: null, amountMinor: '300', currency: 'USD' };
    givenShop(
      listOf(
        givenCoupon(1, { terms: share, expiresAt: ends }),
        givenCoupon(2, { terms: { ...amount, minimumMinor: '2500' } }),
      ),
    );
    await open('/main/recharge');
    const sheet = await openSheet();
    for (const words of ['-12.5%', 'Up to $2.00 off', '-$0.62', '-$3.00']) sheet.getByText(words);
    sheet.getByText('For orders from $25.00');
    sheet.getByText('This order costs too little for the coupon');
    sheet.getByText(/^Valid until Dec 24, 2099/);
  });

  test('the top-up page allows no coupon for E Point payments; back on card payment the chosen coupon applies again', async () => {
    givenShop(listOf(givenCoupon(1)));
    await open('/main/recharge');
    await choose(/Coupon 1/);
    fireEvent.click(screen.getByRole('radio', { name: 'E Points' }));
    const sheet = await openSheet();
    sheet.getByText('Coupons cannot be used when paying with E Points.');
    fireEvent.click(sheet.getByRole('button', { name: 'Close' }));
    // Back to the card, and the chosen coupon applies again.
    fireEvent.click(screen.getByRole('radio', { name: 'Visa card' }));
    screen.getByRole('button', { name: 'Pay $4.50' });
  });

  test('a payment retried on the top-up page after a lost connection and a reload continues the order with its coupon', async () => {
    const held = { state: 'held', refusal: 'CouponUsed', paymentId: orderId };
    let isCut = true;
    const calls = givenShop({
      ...payable,
      [couponPath]: () => ({
        coupons: [givenCoupon(1, callsOf(calls, createPath).length > 0 ? held : {})],
      }),
      [payPath]: () => (isCut ? Promise.reject(new TypeError('cut')) : provider()),
    });
    await open('/main/recharge');
    await choose(/Coupon 1/);
    fireEvent.click(screen.getByRole('button', { name: 'Pay $4.50' }));
    await screen.findByRole('alert');

    cleanup();
    isCut = false;
    await open('/main/recharge');
    fireEvent.click(await screen.findByRole('button', { name: 'Pay $4.50' }));
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    const created = callsOf(calls, createPath).map(({ body }) => body);
    expect(created).toHaveLength(2);
    expect(created[1]).toEqual(created[0]);
  });
});

test.each(['CouponUsed', 'CouponExpired', 'CouponNotFound'] as const)(
  'the top-up page drops a coupon refused with %s and charges the full price only after another click',
  async (code) => {
    const calls = givenShop({
      ...payable,
      [couponPath]: () => ({
        coupons: callsOf(calls, createPath).length === 0 ? [givenCoupon(1)] : [],
      }),
      [createPath]: ({ body }) => (Object(body).couponId ? refused(code) : givenOrder()),
    });
    await open('/main/recharge');
    await choose(/Coupon 1/);
    fireEvent.click(screen.getByRole('button', { name: 'Pay $4.50' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(/^This coupon .*You have not been charged\.$/);
    const full = await screen.findByRole('button', { name: 'Pay $4.99' });
    expect(screen.getByRole('alert')).toBe(alert);
    expect(callsOf(calls, createPath)).toHaveLength(1);
    expect(callsOf(calls, payPath)).toEqual([]);

    fireEvent.click(full);
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    expect(couponsOf(calls)).toEqual([couponId(1), undefined]);
    const ids = callsOf(calls, createPath).map(({ body }) => Object(body).clientOrderId);
    expect(new Set(ids).size).toBe(2);
  },
);

describe('price changes with a coupon', () => {
  const quoteId = 'quote-that-holds-now';
  const changedTo = (amountMinor: string) => {
    const price = { amountMinor, currency: 'USD' };
    const quote = { quoteId, itemId: 'shards_300', quantity: '300', giftQuantity: '0' };
    return refused('PriceChanged', 200, { ...quote, price, pricePoints: null });
  };
  const shopWith = (terms: object, amountMinor: string) =>
    givenShop({
      ...payable,
      ...listOf(givenCoupon(1, { terms: { ...tenth, ...terms } })),
      [itemsPath]: {
        countedFor: null,
        groups: [{ groupId: 'shards', name: 'Shards', items: [givenItem(300n)] }],
      },
      [createPath]: ({ body }) =>
        Object(body).quoteId === quoteId ? givenOrder() : changedTo(amountMinor),
    });
  const openChange = async () => {
    await open('/main/recharge');
    await choose(/Coupon 1/);
    fireEvent.click(await payButton());
    return within(await screen.findByRole('dialog', { name: 'The offer has changed' }));
  };

  test('the price change dialog shows both the old and the new price after the coupon discount', async () => {
    const calls = shopWith({}, '599');
    const dialog = await openChange();
    const before = dialog.getByRole('region', { name: 'Before' });
    expect(before.textContent).toBe('Before$4.50Coupon -$0.49300 Shards+30 bonus');
    const now = dialog.getByRole('region', { name: 'Now' });
    expect(now.textContent).toBe('Now$5.40Coupon -$0.59300 ShardsNo bonus');
    fireEvent.click(dialog.getByRole('button', { name: 'Buy at the new price' }));
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    expect(couponsOf(calls)).toEqual([couponId(1), couponId(1)]);
  });

  test('a coupon that does not apply to the changed price of a pack is not sent with the order', async () => {
    const calls = shopWith({ currency: 'USD', minimumMinor: '400' }, '299');
    const dialog = await openChange();
    dialog.getByText(/Your coupon does not apply to the new offer/);
    expect(dialog.getByRole('region', { name: 'Now' }).textContent).toMatch(/^Now\$2\.99300/);
    fireEvent.click(dialog.getByRole('button', { name: 'Buy at the new price' }));
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    expect(couponsOf(calls)).toEqual([couponId(1), undefined]);
  });
});

test('the top-up page shows no coupon button to a player whose only coupon is used', async () => {
  const used = { state: 'used', refusal: 'CouponUsed', paymentId: orderId };
  givenShop(listOf(givenCoupon(1, used)));
  await open('/main/recharge');
  await payButton();
  expect(screen.queryByText(/Coupon/)).toBeNull();
});

test('the top-up page shows a message when coupons fail to load, can reload them and does not block the payment', async () => {
  let isDown = true;
  const calls = givenShop({
    ...payable,
    [couponPath]: () => (isDown ? refused('SystemBusy', 503) : { coupons: [givenCoupon(1)] }),
  });
  await open('/main/recharge');
  await screen.findByText('Your coupons could not be loaded.');
  expect(await payButton()).toHaveProperty('disabled', false);
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await couponButton();
  expectAddress('/main/recharge');
  expect(callsOf(calls, couponPath)[0]?.body).toEqual({ kind: 'item', gameId: 'solmere' });
});
