import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { expect, test } from 'vitest';
import { priceComplaints } from './price-complaints.ts';

const siteWith = (...methods: PaymentMethod[]) => ({ siteId: 'solmere', methods });

test.each([
  ['accepts a price that every method takes', ['card', 'paypal', 'epoint'], 499n, 'USD', []],
  [
    'accepts a price in won that cards take though PayPal does not',
    ['card', 'paypal'],
    7_000n,
    'KRW',
    [],
  ],
  [
    'reports a price with Taiwanese cents, which PayPal does not take',
    ['card', 'paypal'],
    14_950n,
    'TWD',
    ['paypal at site solmere counts this currency in larger units'],
  ],
  [
    'reports a price in dong that no method of the site takes',
    ['paypal', 'wechatpay', 'epoint'],
    25_000n,
    'VND',
    ['no method of site solmere takes this currency (paypal, wechatpay)'],
  ],
  [
    'reports every price at a site that takes no money',
    ['epoint'],
    499n,
    'USD',
    ['no method of site solmere takes this currency (none)'],
  ],
] as const)(
  'the check of a catalogue price against the payment methods of a site %s',
  (_what, methods, amountMinor, currency, complaints) => {
    expect(priceComplaints(siteWith(...methods), { amountMinor, currency })).toEqual(complaints);
  },
);

test.each([
  [49n, ['card at site solmere takes no less than its minimum']],
  [50n, []],
  [1_001n, ['card at site solmere takes no more than its maximum']],
])(
  'a catalogue price of %s cents is accepted only within the amount limits of the payment provider',
  (amountMinor, complaints) => {
    const capabilities = { currencies: { USD: { decimals: 2, minMinor: 50n, maxMinor: 1_000n } } };
    const price = { amountMinor, currency: 'USD' } as const;
    expect(priceComplaints(siteWith('card'), price, { card: { capabilities } })).toEqual(
      complaints,
    );
  },
);
