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
const line = (changes: object) => ({ outcome: 'ok', value: [expect.objectContaining(changes)] });

test('a line says what moved, how much, when and for which payment', () => {
  expect(readOne({})).toEqual({
    outcome: 'ok',
    value: [
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
])('a %s is a line about a %s', (reporting_category, kind) => {
  expect(readOne({ reporting_category })).toEqual(line({ kind }));
});

test.each<[string, Row, string]>([
  ['a capture by its payment intent', {}, 'pi_1'],
  ['a capture without one by its charge', { payment_intent_id: '' }, 'ch_1'],
  ['a refund of ours by our id', refund({ 'refund_metadata[refundId]': 'ours' }), 'ours'],
  ['a refund made elsewhere by its own', refund({}), 're_1'],
  ['a dispute by its own', { reporting_category: 'dispute', source_id: 'du_1' }, 'du_1'],
  ['a fee by what it is for', { reporting_category: 'fee', source_id: 'xx_1' }, 'xx_1'],
  ['a fee for nothing by its line', { reporting_category: 'fee', source_id: '' }, 'txn_1'],
])('%s is named', (_what, changes, subjectId) => {
  expect(readOne(changes)).toEqual(line({ subjectId }));
});

test('what belongs to no payment has no capture', () => {
  expect(readOne({ payment_intent_id: '' })).toEqual(line({ captureId: null }));
});

test.each<[string, Row, bigint, string]>([
  ['what came', {}, 499n, 'USD'],
  ['what left', { gross: '-4.99', customer_facing_amount: '-4.99' }, -499n, 'USD'],
  ['what left, however the payer sees it', { gross: '-4.99' }, -499n, 'USD'],
  ['what came, however the payer sees it', { customer_facing_amount: '-4.99' }, 499n, 'USD'],
  [
    'the gross where no payer is told of it',
    { gross: '-5.42', customer_facing_currency: '', customer_facing_amount: '' },
    -542n,
    'USD',
  ],
])('the money is %s', (_what, changes, amountMinor, currency) => {
  expect(readOne(changes)).toEqual(line({ money: { amountMinor, currency } }));
});

test('what Stripe takes for a payment is a line of its own beside it', () => {
  expect(readOne({ fee: '0.44' })).toMatchObject({
    value: [
      { lineId: 'txn_1', kind: 'capture', money: { amountMinor: 499n, currency: 'USD' } },
      {
        ...{ lineId: 'txn_1:fee', kind: 'fee', captureId: 'pi_1' },
        money: { amountMinor: -44n, currency: 'USD' },
      },
    ],
  });
});

test('what a dispute costs is no ordinary fee, and a fee can be given back', () => {
  const dispute = { reporting_category: 'dispute', source_id: 'du_1', gross: '-4.99' };
  expect(readOne({ ...dispute, fee: '15.00' })).toMatchObject({
    value: [{ kind: 'dispute' }, { kind: 'dispute_fee', money: { amountMinor: -1500n } }],
  });
  expect(readOne({ ...refund({ gross: '-4.99' }), fee: '-0.15' })).toMatchObject({
    value: [{ kind: 'refund' }, { kind: 'fee', money: { amountMinor: 15n } }],
  });
});

test('books in another currency than the payment also have the change of money', () => {
  const changes = {
    ...{ currency: 'gbp', gross: '3.77', fee: '0.31' },
    ...{ customer_facing_currency: 'jpy', customer_facing_amount: '648' },
  };
  expect(readOne(changes)).toMatchObject({
    value: [
      { kind: 'capture', money: { amountMinor: 648n, currency: 'JPY' } },
      { kind: 'exchange', money: { amountMinor: -648n, currency: 'JPY' } },
      { kind: 'exchange', money: { amountMinor: 377n, currency: 'GBP' } },
      { kind: 'fee', money: { amountMinor: -31n, currency: 'GBP' } },
    ],
  });
});

test('a fee for everything is in the currency of the books', () => {
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

test('a day on which nothing happened is a report without lines', () => {
  expect(readLines(csvOf([]))).toEqual({ outcome: 'ok', value: [] });
});

test('the order of columns is the provider’s own affair', () => {
  const csv = csvOf([charge], reportColumns.toReversed());
  expect(readLines(csv)).toEqual(line({ lineId: 'txn_1', subjectId: 'pi_1' }));
});

test.each<[string, string]>([
  ['nothing at all', ''],
  ['no table', `${csvOf([charge])}"`],
  ['a column we do not know', csvOf([], [...reportColumns, 'net'])],
  ['a column we know twice', csvOf([], [...reportColumns.slice(1), 'gross'])],
  ['a column by another name', csvOf([], [...reportColumns.slice(1), 'net'])],
  ['a column too few', csvOf([], reportColumns.slice(1))],
  ['a line with a field too few', `${csvOf([charge])}"txn_2"\n`],
  ['a line with a field too many', `${csvOf([charge]).trimEnd()},""\n`],
  ['one bad line among good ones', csvOf([charge, { ...charge, gross: 'much' }, charge])],
  ...Object.entries({
    'no line id': { balance_transaction_id: '' },
    'no category': { reporting_category: '' },
    'no subject': { reporting_category: 'dispute', source_id: '' },
    'an unknown currency': { customer_facing_currency: 'xxx' },
    'an unknown currency of the books': { currency: 'xxx', customer_facing_amount: '' },
    'no currency': { customer_facing_currency: '' },
    'no gross': { gross: '' },
    'no fee': { fee: '' },
    'a fee that is no number': { fee: 'none' },
    'a gross that is no number': { gross: '-' },
    'half a cent': { customer_facing_amount: '4.995' },
    'a day that is none': { created_utc: '2026-02-30 00:00:00' },
    'a time of another form': { created_utc: '2026-11-14T23:59:59Z' },
  }).map(([what, changes]): [string, string] => [what, csvOf([{ ...charge, ...changes }])]),
])('a report with %s is not believed at all', (_what, csv) => {
  expect(readLines(csv)).toMatchObject({ outcome: 'unknown' });
});

test('an operator is told which line it was', () => {
  const csv = csvOf([charge, { ...charge, gross: '' }]);
  expect(readLines(csv)).toEqual({
    outcome: 'unknown',
    cause: 'a report that cannot be read: line 3',
  });
});

function refund(changes: Row): Row {
  return { reporting_category: 'refund', source_id: 're_1', ...changes };
}
