import { expect, test } from 'vitest';
import { chargeRefusal, methodProviders } from './methods.ts';
import type { Capabilities } from './psp.ts';

const limited: Pick<Capabilities, 'currencies'> = {
  currencies: { USD: { decimals: 2, minMinor: 50n, maxMinor: 99_999n }, JPY: { decimals: 2 } },
};

test.each([
  ['of exactly the minimum is allowed', { amountMinor: 50n, currency: 'USD' }, null],
  ['below the minimum is refused', { amountMinor: 49n, currency: 'USD' }, 'below_minimum'],
  ['of exactly the maximum is allowed', { amountMinor: 99_999n, currency: 'USD' }, null],
  ['above the maximum is refused', { amountMinor: 100_000n, currency: 'USD' }, 'above_maximum'],
  ['in an unsupported currency is refused', { amountMinor: 100n, currency: 'EUR' }, 'currency'],
  [
    'in a currency with more decimals at the provider is allowed',
    { amountMinor: 1n, currency: 'JPY' },
    null,
  ],
] as const)(
  'the amount limits of a payment provider are checked before a charge: a charge %s',
  (_what, money, refusal) => {
    expect(chargeRefusal(money, limited)).toBe(refusal);
  },
);

test.each([
  ['paypal', { amountMinor: 15_000n, currency: 'TWD' }, null],
  ['paypal', { amountMinor: 14_950n, currency: 'TWD' }, 'decimals'],
  ['card', { amountMinor: 14_950n, currency: 'TWD' }, null],
  ['card', { amountMinor: 50n, currency: 'USD' }, null],
  ['card', { amountMinor: 49n, currency: 'USD' }, 'below_minimum'],
  ['card', { amountMinor: 49n, currency: 'EUR' }, 'below_minimum'],
  ['card', { amountMinor: 399n, currency: 'HKD' }, 'below_minimum'],
  ['card', { amountMinor: 999n, currency: 'THB' }, 'below_minimum'],
  ['card', { amountMinor: 49n, currency: 'JPY' }, 'below_minimum'],
  ['card', { amountMinor: 1n, currency: 'KRW' }, null],
  ['paypal', { amountMinor: 1_400n, currency: 'KRW' }, 'currency'],
  ['wechatpay', { amountMinor: 600n, currency: 'CNY' }, null],
  ['wechatpay', { amountMinor: 499n, currency: 'USD' }, 'currency'],
] as const)(
  'the check of the amount limits of the payment method %s for %o results in %s',
  (method, money, refusal) => {
    expect(chargeRefusal(money, methodProviders[method].capabilities)).toBe(refusal);
  },
);
