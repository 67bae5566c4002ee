import { type CurrencyCode, currencyDecimals } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { methodCurrencies } from '@pointgate/contract/payment-method-list.ts';
import { canCharge } from '@pointgate/contract/payment-methods.ts';
import { expect, test } from 'vitest';
import { methodProviders } from './methods.ts';

test.each(PaymentMethod.options.filter((method) => method !== 'epoint'))(
  'the payment method %s is offered in exactly the currencies that its provider takes',
  (method) => {
    const taken = Object.keys(methodProviders[method].capabilities.currencies).toSorted();
    expect(methodCurrencies[method].toSorted()).toEqual(taken);
  },
);

test('the payment method epoint (E Points) supports no currency of money', () => {
  const currencies = Object.keys(currencyDecimals) as CurrencyCode[]; // as: keys() forgets its keys
  expect(currencies.filter((currency) => canCharge('epoint', currency))).toEqual([]);
});
