import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import german from '../../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../../test/browser.ts';
import { callsOf, givenItem, givenOrder, givenShop, open, siteConfig } from '../../test/shop.tsx';

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

test('another currency is another price, and the order is placed in it', async () => {
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

test('the choice is kept for the next visit, and for E Points too', async () => {
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

test('prices are written as the language writes them, and currencies have their names', async () => {
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

test('the first currency is asked for by saying nothing, and one that the site no longer has is forgotten', async () => {
  localStorage.setItem('pointgate.currency', 'KRW');
  const calls = givenShop(shop);
  await open('/main/recharge', config);
  expect(await picker()).toHaveProperty('value', 'USD');
  await screen.findByRole('button', { name: 'Pay $4.99' });
  expect(callsOf(calls, itemsPath).map(({ body }) => Object(body).currency)).toEqual([undefined]);
});

test('a site of one currency has nothing to choose', async () => {
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

test('inside WeChat a dollar site opens in the yuan that can be paid there, and pays in it', async () => {
  const calls = givenShop(shopInYuan);
  await open('/main/recharge', inWechat);
  fireEvent.click(await screen.findByRole('button', { name: 'Pay CN¥30.00' }));
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  const wanted = { currency: 'CNY', method: 'wechatpay' };
  expect(callsOf(calls, createPath)[0]?.body).toMatchObject(wanted);
  // Nobody asked for dollars, so there is nothing to explain, and there is nothing to choose.
  expect(screen.queryByText(/cannot be paid here/)).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Currency' })).toBeNull();
});

test('a choice that cannot be paid here is said not to be, and is kept for where it can', async () => {
  localStorage.setItem('pointgate.currency', 'KRW');
  givenShop(shopInYuan);
  await open('/main/recharge', inWechat);
  await screen.findByRole('button', { name: 'Pay CN¥30.00' });
  screen.getByText('KRW cannot be paid here. Prices are in CNY.');
  expect(localStorage.getItem('pointgate.currency')).toBe('KRW');
});
