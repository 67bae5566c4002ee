import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../../../test/browser.ts';
import {
  callsOf,
  givenItem,
  givenOrder,
  givenShop,
  open,
  siteConfig,
} from '../../../test/shop.tsx';

const itemsPath = '/api/recharge/v2/items';
const packsPath = '/api/e-recharge/items';
const createPath = '/api/payment/order/create';
const config = { ...siteConfig, currencies: ['USD', 'EUR', 'JPY'] as typeof siteConfig.currencies };

const inEuro = {
  ...givenItem(300n),
  quoteId: 'quote-in-euro-of-tests',
  price: { amountMinor: '479', currency: 'EUR' },
};
const shop = {
  [itemsPath]: ({ body }: { body: unknown }) => {
    const item = Object(body).currency === 'EUR' ? inEuro : givenItem(300n);
    return { countedFor: null, groups: [{ groupId: 'shards', name: 'Shards', items: [item] }] };
  },
  [createPath]: givenOrder(),
  '/api/payment/order/pay': () => ({
    action: { kind: 'redirect', url: `${window.location.href.replace(/#.*/, '')}#provider` },
  }),
};
const picker = () => screen.findByRole('combobox', { name: 'Currency' });
const choose = async (value: string) => fireEvent.change(await picker(), { target: { value } });

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(async () => {
  cleanup();
  localStorage.removeItem('pointgate.currency');
  vi.unstubAllGlobals();
  await i18next.changeLanguage('en-US');
});

test('a change of currency on the top-up page reloads the prices, and the order is placed in that currency', async () => {
  const calls = givenShop(shop);
  await open('/main/recharge', config);
  await screen.findByRole('button', { name: 'Pay $4.99' });
  await choose('EUR');
  fireEvent.click(await screen.findByRole('button', { name: 'Pay €4.79' }));
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  expect(callsOf(calls, createPath)[0]?.body).toMatchObject({
    currency: 'EUR',
    quoteId: 'quote-in-euro-of-tests',
  });
});

test('the top-up page keeps the chosen currency for the next visit and applies it to E Point packs', async () => {
  givenShop(shop);
  await open('/main/recharge', config);
  await choose('EUR');
  cleanup();
  const calls = givenShop(shop);
  await open('/main/recharge?to=epoint', config);
  await waitFor(() =>
    expect(callsOf(calls, packsPath)[0]?.body).toMatchObject({ currency: 'EUR' }),
  );
  expect(callsOf(calls, itemsPath)[0]?.body).toMatchObject({ currency: 'EUR' });
});

test('the top-up page formats prices and currency names in the current language', async () => {
  givenShop(shop);
  await open('/main/recharge', config);
  i18next.addResourceBundle('de-DE', 'shell', german);
  await i18next.changeLanguage('de-DE');
  fireEvent.change(await screen.findByRole('combobox', { name: 'Währung' }), {
    target: { value: 'EUR' },
  });
  await screen.findByRole('radio', { name: /4,79\s€/ });
  screen.getByRole('option', { name: 'JPY · Japanischer Yen' });
});

test('the top-up page requests prices in the default currency without a parameter and ignores a removed currency', async () => {
  localStorage.setItem('pointgate.currency', 'KRW');
  const calls = givenShop(shop);
  await open('/main/recharge', config);
  expect(await picker()).toHaveProperty('value', 'USD');
  await screen.findByRole('button', { name: 'Pay $4.99' });
  expect(callsOf(calls, itemsPath).map(({ body }) => Object(body).currency)).toEqual([undefined]);
});

test('the top-up page of a site with a single currency shows no currency picker', async () => {
  givenShop(shop);
  await open('/main/recharge');
  await screen.findByRole('button', { name: 'Pay $4.99' });
  expect(screen.queryByRole('combobox', { name: 'Currency' })).toBeNull();
});

const inWechat = {
  ...config,
  currencies: ['USD', 'KRW', 'CNY'] as typeof siteConfig.currencies,
  methods: ['wechatpay', 'epoint'] as typeof siteConfig.methods,
};
const shopInYuan = {
  ...shop,
  [itemsPath]: ({ body }: { body: unknown }) => {
    const isYuan = Object(body).currency === 'CNY';
    const price = { amountMinor: '3000', currency: 'CNY' };
    const item = isYuan ? { ...givenItem(300n), price } : givenItem(300n);
    return { countedFor: null, groups: [{ groupId: 'shards', name: 'Shards', items: [item] }] };
  },
};

test('the top-up page of a dollar site inside WeChat shows prices in yuan and places the order in yuan', async () => {
  const calls = givenShop(shopInYuan);
  await open('/main/recharge', inWechat);
  fireEvent.click(await screen.findByRole('button', { name: 'Pay CN¥30.00' }));
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  const wanted = { currency: 'CNY', method: 'wechatpay' };
  expect(callsOf(calls, createPath)[0]?.body).toMatchObject(wanted);
  // Without an earlier choice there is no notice, and a single payable currency has no picker.
  expect(screen.queryByText(/cannot be paid here/)).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Currency' })).toBeNull();
});

test('the top-up page shows a notice about a chosen currency that no payment method supports, and the choice is kept', async () => {
  localStorage.setItem('pointgate.currency', 'KRW');
  givenShop(shopInYuan);
  await open('/main/recharge', inWechat);
  await screen.findByRole('button', { name: 'Pay CN¥30.00' });
  screen.getByText('KRW cannot be paid here. Prices are in CNY.');
  expect(localStorage.getItem('pointgate.currency')).toBe('KRW');
});
