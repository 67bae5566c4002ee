import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { expect, test } from 'vitest';
import { currencyFor } from './currency-for.ts';

const inDollars: CurrencyCode[] = ['USD', 'KRW', 'CNY'];
const site = (
  methods: PaymentMethod[],
  methodsOut: PaymentMethod[] = [],
  currencies = inDollars,
) => ({ currency: 'USD' as const, currencies, methods, methodsOut }); // as: else any text

const inWechat = site(['wechatpay', 'epoint']);

test.each([
  ['without an earlier choice', site(['card', 'paypal', 'epoint']), null, 'USD'],
  ['after an earlier choice', site(['card', 'paypal', 'epoint']), 'KRW', 'KRW'],
  ['after a choice that the site no longer offers', site(['card', 'epoint']), 'EUR', 'USD'],
  ['inside WeChat', inWechat, null, 'CNY'],
  ['inside WeChat after a choice of yuan', inWechat, 'CNY', 'CNY'],
  ['inside WeChat while WeChat Pay is out', site(['epoint'], ['wechatpay']), null, 'CNY'],
  [
    'while cards are out and Alipay is available',
    site(['alipay', 'epoint'], ['card']),
    null,
    'USD',
  ],
  ['with E Points as the only method', site(['epoint']), null, 'USD'],
  ['with E Points as the only method after an earlier choice', site(['epoint']), 'KRW', 'KRW'],
])(
  'the top-up page selects a currency that the payment methods support %s',
  (_when, at, kept, currency) => {
    expect(currencyFor(at, kept)).toMatchObject({ currency, notHere: null });
  },
);

test('the top-up page reports a chosen currency that no payment method supports and replaces it by the first supported one', () => {
  expect(currencyFor(inWechat, 'KRW')).toMatchObject({ currency: 'CNY', notHere: 'KRW' });
  // The first currency of the site is preferred; PayPal supports USD, but neither KRW nor CNY.
  expect(currencyFor(site(['paypal']), 'KRW')).toMatchObject({ currency: 'USD', notHere: 'KRW' });
});

test('the top-up page offers only currencies that a payment method supports, or all if E Points are the only method', () => {
  expect(currencyFor(inWechat, null).currencies).toEqual(['CNY']);
  expect(currencyFor(site(['epoint'], ['card']), null).currencies).toEqual(inDollars);
  expect(currencyFor(site(['paypal'], ['alipay']), null).currencies).toEqual(['USD', 'CNY']);
  expect(currencyFor(site(['epoint']), null).currencies).toEqual(inDollars);
});
