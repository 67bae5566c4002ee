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
  ['nobody chose anything', site(['card', 'paypal', 'epoint']), null, 'USD'],
  ['the player chose before', site(['card', 'paypal', 'epoint']), 'KRW', 'KRW'],
  ['the site no longer has what was chosen', site(['card', 'epoint']), 'EUR', 'USD'],
  ['inside WeChat', inWechat, null, 'CNY'],
  ['inside WeChat, to who chose the yuan', inWechat, 'CNY', 'CNY'],
  ['inside WeChat while WeChat Pay is out', site(['epoint'], ['wechatpay']), null, 'CNY'],
  ['while all cards are out and Alipay is not', site(['alipay', 'epoint'], ['card']), null, 'USD'],
  ['where there are points alone', site(['epoint']), null, 'USD'],
  ['where there are points alone, to who chose before', site(['epoint']), 'KRW', 'KRW'],
])('prices are in what can be paid: %s', (_when, at, kept, currency) => {
  expect(currencyFor(at, kept)).toMatchObject({ currency, notHere: null });
});

test('what was chosen before and cannot be paid here is named, and the first that can takes its place', () => {
  expect(currencyFor(inWechat, 'KRW')).toMatchObject({ currency: 'CNY', notHere: 'KRW' });
  // The site's first before any other: PayPal takes dollars, and knows neither won nor yuan.
  expect(currencyFor(site(['paypal']), 'KRW')).toMatchObject({ currency: 'USD', notHere: 'KRW' });
});

test('only what can be paid can be chosen; all of it where no money can be paid', () => {
  expect(currencyFor(inWechat, null).currencies).toEqual(['CNY']);
  expect(currencyFor(site(['epoint'], ['card']), null).currencies).toEqual(inDollars);
  expect(currencyFor(site(['paypal'], ['alipay']), null).currencies).toEqual(['USD', 'CNY']);
  expect(currencyFor(site(['epoint']), null).currencies).toEqual(inDollars);
});
