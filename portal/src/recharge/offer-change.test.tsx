import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import german from '../../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../../test/browser.ts';
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
} from '../../test/shop.tsx';

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

/** A shop whose offer has changed since the list was read: only the new quote buys. */
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

/** Once it can be pressed: a press that comes before is lost. */
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

describe('an order for another price than was shown', () => {
  test('is not placed: the player sees both offers side by side, and nothing is bought by Not now', async () => {
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
    // The list was read anew, and shows what it would cost.
    await screen.findByRole('radio', { name: '300 Shards, $5.99' });
    expect(callsOf(calls, createPath)).toHaveLength(1);
    expect(callsOf(calls, payPath)).toEqual([]);
  });

  test('is bought with the new quote after a yes, as another order', async () => {
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

  test('that changes once more is asked about once more, from what was agreed to last', async () => {
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

  test('says in the dialog why the new one failed, too', async () => {
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

  test('is left by Escape as by Not now', async () => {
    const calls = givenChangedShop();
    await open('/main/recharge?item=shards_300');
    fireEvent.click(await payButton());
    const dialog = await changeDialog();
    expect(document.activeElement?.textContent).toBe('The offer has changed');
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(callsOf(calls, createPath)).toHaveLength(1);
  });

  test('from the balance shows both prices in points, in place of the question before', async () => {
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

  test('that is no longer sold for points cannot be bought for money by a yes to points', async () => {
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

  test('of E Points is asked about as well', async () => {
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

  test('speaks German, and the button says the words the law asks for', async () => {
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

test('the offer that has changed names its goods in the language that is spoken now', async () => {
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

describe('an order that may have been placed', () => {
  // The order took the first purchase's gift, so that the list now promises none: another quote.
  const cut = () => Promise.reject(new TypeError('cut'));

  test('is found again although the list shows another offer by now, and is looked at before it is paid', async () => {
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
    // Only the first, whose answer was lost: what costs something else is not paid unseen.
    expect(callsOf(calls, spendPath)).toHaveLength(1);
  });

  test('but was not, is placed for what is shown now', async () => {
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

test('a limit that was reached meanwhile is told, with when counting starts anew', async () => {
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
