import { expect, test } from 'vitest';
import { readLines, reportColumns } from './settlement-lines.ts';

const charge = {
  balance_transaction_id: 'txn_1',
  created_utc: '2026-11-14 23:59:59',
  reporting_category: 'charge',
  source_id: 'ch_1',
  payment_intent_id: 'pi_1',
  'refund_metadata[refundId]': '',
  currency: 'usd',
  gross: '4.99',
  fee: '0.00',
  customer_facing_currency: 'usd',
  customer_facing_amount: '4.99',
};
type Row = Record<string, string>;

function csvOf(rows: Row[], columns: readonly string[] = reportColumns): string {
  const quote = (value = '') => `"${value.replaceAll('"', '""')}"`;
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((fields) => `${fields.map(quote).join(',')}\n`)
    .join('');
}

const readOne = (changes: Row) => readLines(csvOf([{ ...charge, ...changes }]));
const line = (changes: object) => ({ outcome: 'ok', lines: [expect.objectContaining(changes)] });

test('the Stripe adapter reads kind, amount, time, subject and capture of a line in a settlement report', () => {
  expect(readOne({})).toEqual({
    outcome: 'ok',
    lines: [
      {
        lineId: 'txn_1',
        kind: 'capture',
        subjectId: 'pi_1',
        captureId: 'pi_1',
        money: { amountMinor: 499n, currency: 'USD' },
        at: new Date('2026-11-14T23:59:59Z'),
      },
    ],
  });
});

test.each([
  ['charge', 'capture'],
  ['charge_failure', 'capture'],
  ['partial_capture_reversal', 'capture'],
  ['refund', 'refund'],
  ['refund_failure', 'refund'],
  ['dispute', 'dispute'],
  ['dispute_reversal', 'dispute'],
  ['fee', 'fee'],
  ['network_cost', 'fee'],
  ['tax', 'fee'],
  ['something_new', 'adjustment'],
  ['constructor', 'adjustment'],
])(
  "the Stripe adapter maps Stripe's reporting category %s to the settlement line kind %s",
  (reporting_category, kind) => {
    expect(readOne({ reporting_category })).toEqual(line({ kind }));
  },
);

test.each<[string, Row, string]>([
  ['a capture by its payment intent', {}, 'pi_1'],
  ['a capture without a payment intent by its charge', { payment_intent_id: '' }, 'ch_1'],
  ['a refund of ours by our refund id', refund({ 'refund_metadata[refundId]': 'ours' }), 'ours'],
  ['a refund made elsewhere by its Stripe id', refund({}), 're_1'],
  ['a dispute by its Stripe id', { reporting_category: 'dispute', source_id: 'du_1' }, 'du_1'],
  ['a fee by its source id', { reporting_category: 'fee', source_id: 'xx_1' }, 'xx_1'],
  ['a fee without a source by its line id', { reporting_category: 'fee', source_id: '' }, 'txn_1'],
])(
  'the Stripe adapter gives each settlement line the id of the payment, refund, dispute or fee that it is about: %s',
  (_what, changes, subjectId) => {
    expect(readOne(changes)).toEqual(line({ subjectId }));
  },
);

test('the Stripe adapter reads a settlement line without a payment intent as a line about no capture', () => {
  expect(readOne({ payment_intent_id: '' })).toEqual(line({ captureId: null }));
});

test.each<[string, Row, bigint, string]>([
  ['positive amounts is money received', {}, 499n, 'USD'],
  [
    'negative amounts is money paid out',
    { gross: '-4.99', customer_facing_amount: '-4.99' },
    -499n,
    'USD',
  ],
  [
    'a negative gross is money paid out, whatever the sign of the customer amount',
    { gross: '-4.99' },
    -499n,
    'USD',
  ],
  [
    'a positive gross is money received, whatever the sign of the customer amount',
    { customer_facing_amount: '-4.99' },
    499n,
    'USD',
  ],
  [
    'no customer amount has the gross amount',
    { gross: '-5.42', customer_facing_currency: '', customer_facing_amount: '' },
    -542n,
    'USD',
  ],
])(
  'the Stripe adapter reads the amount and currency of a settlement line: a line with %s',
  (_what, changes, amountMinor, currency) => {
    expect(readOne(changes)).toEqual(line({ money: { amountMinor, currency } }));
  },
);

test('the Stripe adapter reads the fee of a payment as a separate settlement line', () => {
  expect(readOne({ fee: '0.44' })).toMatchObject({
    lines: [
      { lineId: 'txn_1', kind: 'capture', money: { amountMinor: 499n, currency: 'USD' } },
      {
        lineId: 'txn_1:fee',
        kind: 'fee',
        captureId: 'pi_1',
        money: { amountMinor: -44n, currency: 'USD' },
      },
    ],
  });
});

test('the Stripe adapter reads a dispute fee as a separate kind of settlement line and a returned fee as a positive amount', () => {
  const dispute = { reporting_category: 'dispute', source_id: 'du_1', gross: '-4.99' };
  expect(readOne({ ...dispute, fee: '15.00' })).toMatchObject({
    lines: [{ kind: 'dispute' }, { kind: 'dispute_fee', money: { amountMinor: -1500n } }],
  });
  expect(readOne({ ...refund({ gross: '-4.99' }), fee: '-0.15' })).toMatchObject({
    lines: [{ kind: 'refund' }, { kind: 'fee', money: { amountMinor: 15n } }],
  });
});

test('the Stripe adapter reads two settlement lines, one in each currency, for a payment settled in another currency', () => {
  const changes = {
    currency: 'gbp',
    gross: '3.77',
    fee: '0.31',
    customer_facing_currency: 'jpy',
    customer_facing_amount: '648',
  };
  expect(readOne(changes)).toMatchObject({
    lines: [
      { kind: 'capture', money: { amountMinor: 648n, currency: 'JPY' } },
      { kind: 'exchange', money: { amountMinor: -648n, currency: 'JPY' } },
      { kind: 'exchange', money: { amountMinor: 377n, currency: 'GBP' } },
      { kind: 'fee', money: { amountMinor: -31n, currency: 'GBP' } },
    ],
  });
});

test('the Stripe adapter reads an account fee in the settlement currency', () => {
  const changes = {
    reporting_category: 'fee',
    source_id: 'fee_1',
    gross: '-2.00',
    currency: 'gbp',
  };
  expect(readOne({ ...changes, customer_facing_currency: '', customer_facing_amount: '' })).toEqual(
    line({ kind: 'fee', money: { amountMinor: -200n, currency: 'GBP' } }),
  );
});

test('the Stripe adapter reads no settlement lines from a report without rows', () => {
  expect(readLines(csvOf([]))).toEqual({ outcome: 'ok', lines: [] });
});

test('the Stripe adapter reads a settlement report whatever the order of its columns', () => {
  const csv = csvOf([charge], reportColumns.toReversed());
  expect(readLines(csv)).toEqual(line({ lineId: 'txn_1', subjectId: 'pi_1' }));
});

test.each<[string, string]>([
  ['no content', ''],
  ['an unclosed quote', `${csvOf([charge])}"`],
  ['an unknown column', csvOf([], [...reportColumns, 'net'])],
  ['a duplicate column', csvOf([], [...reportColumns.slice(1), 'gross'])],
  ['a renamed column', csvOf([], [...reportColumns.slice(1), 'net'])],
  ['a missing column', csvOf([], reportColumns.slice(1))],
  ['a row with too few fields', `${csvOf([charge])}"txn_2"\n`],
  ['a row with too many fields', `${csvOf([charge]).trimEnd()},""\n`],
  ['one malformed row among valid rows', csvOf([charge, { ...charge, gross: 'much' }, charge])],
  ...Object.entries({
    'no line id': { balance_transaction_id: '' },
    'no category': { reporting_category: '' },
    'no subject': { reporting_category: 'dispute', source_id: '' },
    'an unknown currency': { customer_facing_currency: 'xxx' },
    'an unknown settlement currency': { currency: 'xxx', customer_facing_amount: '' },
    'no currency': { customer_facing_currency: '' },
    'no gross amount': { gross: '' },
    'no fee amount': { fee: '' },
    'a fee that is not a number': { fee: 'none' },
    'a gross that is not a number': { gross: '-' },
    'a fractional cent': { customer_facing_amount: '4.995' },
    'an invalid date': { created_utc: '2026-02-30 00:00:00' },
    'a time in another format': { created_utc: '2026-11-14T23:59:59Z' },
  }).map(([what, changes]): [string, string] => [what, csvOf([{ ...charge, ...changes }])]),
])('the Stripe adapter reports a whole settlement report with %s as unknown', (_what, csv) => {
  expect(readLines(csv)).toMatchObject({ outcome: 'unknown' });
});

test('the Stripe adapter names the unreadable line of a settlement report in its error', () => {
  const csv = csvOf([charge, { ...charge, gross: '' }]);
  expect(readLines(csv)).toEqual({
    outcome: 'unknown',
    cause: 'a report that cannot be read: line 3',
  });
});

function refund(changes: Row): Row {
  return { reporting_category: 'refund', source_id: 're_1', ...changes };
}
