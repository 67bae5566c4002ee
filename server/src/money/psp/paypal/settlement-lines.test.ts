import { expect, test } from 'vitest';
import { readLines } from './settlement-lines.ts';

const info = {
  transaction_id: '3C679366HH908993F',
  transaction_event_code: 'T0006',
  transaction_status: 'S',
  transaction_initiation_date: new Date('2026-11-15T21:00:00Z'),
  transaction_amount: { currency_code: 'USD', value: '4.99' },
  paypal_reference_id: '5O190127TN364715T',
  paypal_reference_id_type: 'ODR',
};

test('the PayPal adapter reads no settlement line from a pending or denied transaction', () => {
  expect(readLines({ ...info, transaction_status: 'P' })).toEqual([]);
  expect(readLines({ ...info, transaction_status: 'D' })).toEqual([]);
});

test('the PayPal adapter reads a transaction with the code T0006 or T0000 or the status V as a capture line', () => {
  const expected = [{ kind: 'capture', captureId: info.transaction_id }];
  expect(readLines(info)).toMatchObject(expected);
  expect(readLines({ ...info, transaction_event_code: 'T0000' })).toMatchObject(expected);
  expect(readLines({ ...info, transaction_status: 'V' })).toMatchObject(expected);
});

test('the PayPal adapter converts a settlement amount in TWD to the minor unit of the shop', () => {
  const amount = { currency_code: 'TWD', value: '150' };
  expect(readLines({ ...info, transaction_amount: amount })).toMatchObject([
    { money: { amountMinor: 15_000n, currency: 'TWD' } },
  ]);
});

test.each([
  ['T0101', 'fee'],
  ['T0106', 'dispute_fee'],
  ['T1108', 'fee'],
  ['T0200', 'exchange'],
  ['T0300', 'payout'],
  ['T0400', 'payout'],
  ['T0403', 'payout'],
  ['T1101', 'payout'],
  ['T1110', 'other'],
  ['T1111', 'other'],
  ['T1503', 'other'],
  ['T9900', 'adjustment'],
])(
  'the PayPal adapter maps the transaction event code %s to the settlement line kind %s',
  (code, kind) => {
    const entry = { ...info, transaction_event_code: code, paypal_reference_id_type: 'ODR' };
    expect(readLines(entry)).toMatchObject([{ kind, captureId: null }]);
  },
);

test('the PayPal adapter links a dispute fee of a settlement to the disputed capture, and a returned withdrawal to none', () => {
  const about = { ...info, paypal_reference_id_type: 'TXN' };
  expect(readLines({ ...about, transaction_event_code: 'T1101' })).toMatchObject([
    { captureId: null },
  ]);
  expect(readLines({ ...about, transaction_event_code: 'T0106' })).toMatchObject([
    { captureId: info.paypal_reference_id },
  ]);
});

test('the PayPal adapter reads the fee of a payment as a separate settlement line', () => {
  const fee_amount = { currency_code: 'USD', value: '-0.66' };
  const lineId = `${info.transaction_id}:T0006:2026-11-15T21:00:00.000Z`;
  expect(readLines({ ...info, fee_amount })).toMatchObject([
    { lineId, kind: 'capture', money: { amountMinor: 499n } },
    {
      lineId: `${lineId}:fee`,
      kind: 'fee',
      captureId: info.transaction_id,
      money: { amountMinor: -66n, currency: 'USD' },
    },
  ]);
  const unreadable = { currency_code: 'USD', value: 'some' };
  expect(readLines({ ...info, fee_amount: unreadable })).toBeUndefined();
});

test('the PayPal adapter reads a withdrawal in a currency that the shop does not sell in', () => {
  const transaction_amount = { currency_code: 'GBP', value: '-12.34' };
  expect(readLines({ ...info, transaction_event_code: 'T0403', transaction_amount })).toMatchObject(
    [{ kind: 'payout', money: { amountMinor: -1234n, currency: 'GBP' } }],
  );
});

test('the PayPal adapter identifies a refund in a settlement by the shop’s refund id, or by PayPal’s id if it was made outside the shop', () => {
  const refund = {
    ...info,
    transaction_event_code: 'T1107',
    transaction_amount: { currency_code: 'USD', value: '-1.00' },
    paypal_reference_id_type: 'TXN',
  };
  const ours = '0a4de8ee-9f6f-4f2e-8a0c-3f7d1f3d9a11';
  expect(readLines({ ...refund, custom_field: ours })).toMatchObject([
    {
      kind: 'refund',
      subjectId: ours,
      captureId: info.paypal_reference_id,
      money: { amountMinor: -100n, currency: 'USD' },
    },
  ]);
  expect(readLines({ ...refund, custom_field: 'a.b.c' })).toMatchObject([
    { subjectId: info.transaction_id },
  ]);
});

test('the PayPal adapter reads no settlement line from an amount with too many decimals, an unsupported currency or no number', () => {
  for (const transaction_amount of [
    { currency_code: 'USD', value: '1.001' },
    { currency_code: 'GBP', value: '1.00' },
    { currency_code: 'USD', value: 'one' },
  ]) {
    expect(readLines({ ...info, transaction_amount })).toBeUndefined();
  }
});
