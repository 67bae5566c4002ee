import { expect, test } from 'vitest';
import { readLine } from './settlement-lines.ts';

const info = {
  transaction_id: '3C679366HH908993F',
  transaction_event_code: 'T0006',
  transaction_status: 'S',
  transaction_initiation_date: new Date('2026-11-15T21:00:00Z'),
  transaction_amount: { currency_code: 'USD', value: '4.99' },
  paypal_reference_id: '5O190127TN364715T',
  paypal_reference_id_type: 'ODR',
};

test('what is waiting or was denied moved nothing', () => {
  expect(readLine({ ...info, transaction_status: 'P' })).toBe('nothing');
  expect(readLine({ ...info, transaction_status: 'D' })).toBe('nothing');
});

test('a payment is a capture, whatever it was made with', () => {
  const expected = { kind: 'capture', captureId: info.transaction_id };
  expect(readLine(info)).toMatchObject(expected);
  expect(readLine({ ...info, transaction_event_code: 'T0000' })).toMatchObject(expected);
  expect(readLine({ ...info, transaction_status: 'V' })).toMatchObject(expected);
});

test('Taiwan dollars are counted in our smallest unit', () => {
  const amount = { currency_code: 'TWD', value: '150' };
  expect(readLine({ ...info, transaction_amount: amount })).toMatchObject({
    money: { amountMinor: 15_000n, currency: 'TWD' },
  });
});

test('fees, withdrawals and holds are other things', () => {
  for (const code of ['T0106', 'T0400', 'T1110', 'T1111']) {
    expect(readLine({ ...info, transaction_event_code: code })).toMatchObject({
      kind: 'other',
      captureId: null,
    });
  }
});

test('a refund of ours has our name, one made at PayPal its own', () => {
  const refund = {
    ...info,
    transaction_event_code: 'T1107',
    transaction_amount: { currency_code: 'USD', value: '-1.00' },
    paypal_reference_id_type: 'TXN',
  };
  const ours = '0a4de8ee-9f6f-4f2e-8a0c-3f7d1f3d9a11';
  expect(readLine({ ...refund, custom_field: ours })).toMatchObject({
    kind: 'refund',
    subjectId: ours,
    captureId: info.paypal_reference_id,
    money: { amountMinor: -100n, currency: 'USD' },
  });
  expect(readLine({ ...refund, custom_field: 'a.b.c' })).toMatchObject({
    subjectId: info.transaction_id,
  });
});

test('what cannot be held exactly cannot be read', () => {
  for (const transaction_amount of [
    { currency_code: 'USD', value: '1.001' },
    { currency_code: 'GBP', value: '1.00' },
    { currency_code: 'USD', value: 'one' },
  ]) {
    expect(readLine({ ...info, transaction_amount })).toBeUndefined();
  }
});
