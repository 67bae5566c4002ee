import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { expect, test } from 'vitest';
import { priceComplaints } from './price-complaints.ts';

const siteWith = (...methods: PaymentMethod[]) => ({ siteId: 'solmere', methods });

test.each([
  ['every method takes it', ['card', 'paypal', 'epoint'], 499n, 'USD', []],
  ['PayPal knows no won, and cards do', ['card', 'paypal'], 7_000n, 'KRW', []],
  [
    'PayPal has no cents in Taiwan',
    ['card', 'paypal'],
    14_950n,
    'TWD',
    ['paypal at site solmere counts this currency in larger units'],
  ],
  [
    'nobody takes dong',
    ['paypal', 'wechatpay', 'epoint'],
    25_000n,
    'VND',
    ['no method of site solmere takes this currency (paypal, wechatpay)'],
  ],
  [
    'the site takes no money at all',
    ['epoint'],
    499n,
    'USD',
    ['no method of site solmere takes this currency (none)'],
  ],
] as const)('a price where %s', (_what, methods, amountMinor, currency, complaints) => {
  expect(priceComplaints(siteWith(...methods), { amountMinor, currency })).toEqual(complaints);
});

test.each([
  [49n, ['card at site solmere takes no less than its minimum']],
  [50n, []],
  [1_001n, ['card at site solmere takes no more than its maximum']],
])('a price of %s cents is held against the limits of the provider', (amountMinor, complaints) => {
  const capabilities = { currencies: { USD: { decimals: 2, minMinor: 50n, maxMinor: 1_000n } } };
  const price = { amountMinor, currency: 'USD' } as const;
  expect(priceComplaints(siteWith('card'), price, { card: { capabilities } })).toEqual(complaints);
});
