import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../../../test/browser.ts';
import {
  callsOf,
  expectAddress,
  givenItem,
  givenOrder,
  givenPointPack,
  givenShop,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';

const createPath = '/api/payment/order/create';
const createPointsPath = '/api/payment/order/create/epoint';
const payPath = '/api/payment/order/pay';
const spendPath = '/api/payment/order/epoint/pay';
const itemsPath = '/api/recharge/v2/items';
const packsPath = '/api/e-recharge/items';
const detailPath = '/api/payment/order/detail';

const oldQuote = 'quote-of-these-tests';
const newQuote = 'quote-that-holds-now';
const provider = () => ({
  action: { kind: 'redirect', url: `${window.location.href.replace(/#.*/, '')}#provider` },
});

const quote = (other: object = {}) => ({
  quoteId: newQuote,
  itemId: 'shards_300',
  quantity: '300',
  giftQuantity: '0',
  price: { amountMinor: '599', currency: 'USD' },
  pricePoints: '600',
  ...other,
});
const changed = (other: object = {}) => refused('PriceChanged', 200, quote(other));
const renewed = {
  ...givenItem(300n),
  quoteId: newQuote,
  gift: null,
  price: { amountMinor: '599', currency: 'USD' },
  pricePoints: '600',
};
const listOf = (...items: object[]) => ({
  countedFor: null,
  groups: [{ groupId: 'shards', name: 'Shards', items }],
});

/** A server whose offer changed after the list was read: only the new quote is accepted. */
function givenChangedShop(other: Parameters<typeof givenShop>[0] = {}) {
  const calls = givenShop({
    [itemsPath]: () =>
      callsOf(calls, createPath).length === 0 ? listOf(givenItem(300n)) : listOf(renewed),
    [createPath]: ({ body }) =>
      Object(body).quoteId === newQuote ? givenOrder({ amountMinor: '599' }) : changed(),
    [payPath]: provider,
    ...other,
  });
  return calls;
}

/** Waits until the pay button is enabled: an earlier click would be ignored. */
const payButton = () =>
  waitFor(() => {
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /^Pay/ });
    expect(button.disabled).toBe(false);
    return button;
  });
const changeDialog = () => screen.findByRole('dialog', { name: 'The offer has changed' });
const quotesOf = (calls: ReturnType<typeof givenShop>, path: string) =>
  callsOf(calls, path).map(({ body }) => Object(body).quoteId);

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await i18next.changeLanguage('en-US');
});

describe('price change dialog', () => {
  test('the price change dialog shows the old and the new offer of a pack side by side, and "Not now" buys nothing', async () => {
    const calls = givenChangedShop();
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await payButton());
    const dialog = await changeDialog();
    expect(quotesOf(calls, createPath)).toEqual([oldQuote]);
    within(dialog).getByText(/You have not been charged/);
    const before = within(dialog).getByRole('region', { name: 'Before' });
    expect(before.textContent).toBe('Before$4.99300 Shards+30 bonus');
    const now = within(dialog).getByRole('region', { name: 'Now' });
    expect(now.textContent).toBe('Now$5.99300 ShardsNo bonus');

    fireEvent.click(within(dialog).getByRole('button', { name: 'Not now' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    // The reloaded list shows the new price.
    await screen.findByRole('radio', { name: '300 Shards, $5.99' });
    expect(callsOf(calls, createPath)).toHaveLength(1);
    expect(callsOf(calls, payPath)).toEqual([]);
  });

  test('a player who confirms the price change dialog buys at the new price with a new order', async () => {
    const calls = givenChangedShop();
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await payButton());
    const dialog = await changeDialog();
    const accept = within(dialog).getByRole('button', { name: 'Buy at the new price' });
    fireEvent.click(accept);
    fireEvent.click(accept);
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    expect(quotesOf(calls, createPath)).toEqual([oldQuote, newQuote]);
    const ids = callsOf(calls, createPath).map(({ body }) => Object(body).clientOrderId);
    expect(new Set(ids).size).toBe(2);
    expect(callsOf(calls, payPath)).toHaveLength(1);
  });

  test('the price change dialog asks again after a second price change and compares with the last confirmed price', async () => {
    const third = { quoteId: 'quote-number-three', price: { amountMinor: '699', currency: 'USD' } };
    givenChangedShop({
      [createPath]: ({ body }) => (Object(body).quoteId === newQuote ? changed(third) : changed()),
    });
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await payButton());
    fireEvent.click(
      within(await changeDialog()).getByRole('button', { name: 'Buy at the new price' }),
    );
    await screen.findByText('$6.99');
    const before = within(await changeDialog()).getByRole('region', { name: 'Before' });
    expect(before.textContent).toContain('$5.99');
  });

  test('the price change dialog shows an error that occurs after the player has confirmed the new price', async () => {
    givenChangedShop({
      [createPath]: ({ body }) =>
        Object(body).quoteId === newQuote ? refused('BudgetReached') : changed(),
    });
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await payButton());
    const dialog = await changeDialog();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Buy at the new price' }));
    const alert = await within(dialog).findByRole('alert');
    expect(alert.textContent).toContain('exceed the monthly budget');
  });

  test('the Escape key closes the price change dialog without buying', async () => {
    const calls = givenChangedShop();
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await payButton());
    const dialog = await changeDialog();
    expect(document.activeElement?.textContent).toBe('The offer has changed');
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(callsOf(calls, createPath)).toHaveLength(1);
  });

  test('the price change dialog replaces the E Point dialog when a price changed, and shows both prices in E Points', async () => {
    const spent = givenOrder({ method: 'epoint', amountMinor: '600', currency: 'EPOINT' });
    const calls = givenChangedShop({
      [createPath]: ({ body }) => (Object(body).quoteId === newQuote ? spent : changed()),
      [spendPath]: spent,
      [detailPath]: spent,
    });
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await screen.findByRole('radio', { name: 'E Points' }));
    fireEvent.click(screen.getByRole('button', { name: 'Pay 500 E Points' }));
    const asked = await screen.findByRole('dialog', { name: 'Pay with E Points' });
    fireEvent.click(within(asked).getByRole('button', { name: 'Pay 500 E Points' }));
    const dialog = await changeDialog();
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    within(dialog).getByText('500 E Points');
    within(dialog).getByText('600 E Points');
    expect(callsOf(calls, spendPath)).toEqual([]);

    fireEvent.click(within(dialog).getByRole('button', { name: 'Buy at the new price' }));
    await waitFor(() => expectAddress(`/main/recharge/detail/${orderId}`));
    expect(callsOf(calls, spendPath)).toHaveLength(1);
  });

  test('a pack no longer sold for E Points cannot be bought for money from the price change dialog', async () => {
    givenChangedShop({ [createPath]: changed({ pricePoints: null }) });
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await screen.findByRole('radio', { name: 'E Points' }));
    fireEvent.click(screen.getByRole('button', { name: 'Pay 500 E Points' }));
    const asked = await screen.findByRole('dialog', { name: 'Pay with E Points' });
    fireEvent.click(within(asked).getByRole('button', { name: 'Pay 500 E Points' }));
    const dialog = await changeDialog();
    within(dialog).getByText(/no longer sold for E Points/);
    expect(within(dialog).queryByRole('button', { name: /Buy/ })).toBeNull();
  });

  test('the price change dialog opens when the price of an E Point pack has changed', async () => {
    const newPack = quote({ itemId: 'points_500', quantity: '500', pricePoints: null });
    const calls = givenShop({
      [packsPath]: { packs: [givenPointPack(500n)] },
      [createPointsPath]: refused('PriceChanged', 200, newPack),
    });
    await open('/main/recharge?to=epoint');
    fireEvent.click(await payButton());
    const now = within(await changeDialog()).getByRole('region', { name: 'Now' });
    expect(now.textContent).toBe('Now$5.99500 E PointsNo bonus');
    expect(quotesOf(calls, createPointsPath)).toEqual([oldQuote]);
  });

  test('the German price change dialog has the button text that the law requires', async () => {
    givenShop({
      '/locales/de-DE/shell.json': Response.json(german),
      [itemsPath]: listOf(givenItem(300n)),
      [createPath]: changed(),
    });
    await open('/main/recharge?item=shards_300');
    await payButton();
    await i18next.changeLanguage('de-DE');
    fireEvent.click(await screen.findByRole('button', { name: 'Zahlungspflichtig bestellen' }));
    const dialog = await screen.findByRole('dialog', { name: 'Das Angebot hat sich geändert' });
    expect(within(dialog).getByRole('region', { name: 'Jetzt' }).textContent).toContain(
      '5,99\u00a0$',
    );
    within(dialog).getByRole('button', { name: 'Zahlungspflichtig bestellen' });
  });
});

test('the price change dialog names the goods in the current language', async () => {
  let unit = 'Shards';
  givenShop({
    '/locales/de-DE/shell.json': Response.json(german),
    [itemsPath]: () => listOf({ ...givenItem(300n), unit }),
    [createPath]: changed(),
  });
  await open('/main/recharge?item=shards_300');
  fireEvent.click(await payButton());
  within(await changeDialog()).getAllByText('300 Shards');

  unit = 'Splitter';
  await act(() => i18next.changeLanguage('de-DE'));
  const dialog = await screen.findByRole('dialog', { name: 'Das Angebot hat sich geändert' });
  await within(dialog).findAllByText('300 Splitter');
  expect(within(dialog).queryByText('300 Shards')).toBeNull();
});

describe('order with a lost response', () => {
  // The placed order used the first-purchase gift, so the list without a gift has another quote.
  const cut = () => Promise.reject(new TypeError('cut'));

  test('after a lost response to an E Point payment, a retry opens the order with its old price and does not pay it', async () => {
    let isCut = true;
    const order = givenOrder({ method: 'epoint', amountMinor: '500', currency: 'EPOINT' });
    const calls = givenChangedShop({
      [createPath]: order,
      [spendPath]: () => (isCut ? cut() : order),
      [detailPath]: order,
    });
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await screen.findByRole('radio', { name: 'E Points' }));
    fireEvent.click(screen.getByRole('button', { name: 'Pay 500 E Points' }));
    const asked = await screen.findByRole('dialog');
    fireEvent.click(within(asked).getByRole('button', { name: 'Pay 500 E Points' }));
    await screen.findByRole('alert');
    await screen.findByRole('radio', { name: '300 Shards, 600 E Points' });

    isCut = false;
    fireEvent.click(within(asked).getByRole('button', { name: 'Pay 600 E Points' }));
    await waitFor(() => expectAddress(`/main/recharge/detail/${orderId}`));
    const created = callsOf(calls, createPath).map(({ body }) => Object(body));
    expect(created.map(({ quoteId }) => quoteId)).toEqual([oldQuote, oldQuote]);
    expect(created[1].clientOrderId).toBe(created[0].clientOrderId);
    // Only the first call, whose response was lost: an order at another price is not paid unseen.
    expect(callsOf(calls, spendPath)).toHaveLength(1);
  });

  test('an order that a lost connection prevented is placed on a retry at the price that the top-up page now shows', async () => {
    let isCut = true;
    const calls = givenChangedShop({
      [createPath]: ({ body }) => {
        if (isCut) return cut();
        return Object(body).quoteId === newQuote ? givenOrder() : changed();
      },
    });
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await payButton());
    await screen.findByRole('alert');
    await screen.findByRole('radio', { name: '300 Shards, $5.99' });
    isCut = false;
    fireEvent.click(await payButton());
    await waitFor(() => expect(window.location.hash).toBe('#provider'));
    expect(quotesOf(calls, createPath)).toEqual([oldQuote, oldQuote, newQuote]);
  });
});

test('the top-up page shows that a purchase limit was reached after the page had loaded, with the time of its reset', async () => {
  const resetAt = '2026-11-16T16:00:00.000Z';
  const soldOut = {
    ...givenItem(300n),
    limit: { packsMax: 1, per: 'account', period: 'day', packsLeft: 0, resetAt },
  };
  let items: object = givenItem(300n);
  givenShop({
    [itemsPath]: () => listOf(items),
    [createPath]: () => {
      items = soldOut;
      return refused('PurchaseLimitReached', 200, { resetAt });
    },
  });
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-16T10:00:00.000Z'));
  await open('/main/recharge?item=shards_300');
  fireEvent.click(await payButton());
  const alert = await screen.findByRole('alert');
  const again = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' });
  expect(alert.textContent).toBe(
    `This item cannot be bought more often for now` +
      `You can buy it again from ${again.format(new Date(resetAt))}.` +
      `You have not been charged.`,
  );
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', true),
  );
});
