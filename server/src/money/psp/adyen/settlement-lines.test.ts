import { expect, test } from 'vitest';
import { readReport } from './settlement-lines.ts';

const account = 'PointgateECOM';
const columns = [
  ...['Company Account', 'Merchant Account', 'Psp Reference', 'Merchant Reference'],
  ...['Creation Date', 'TimeZone', 'Type', 'Modification Reference', 'Gross Currency'],
  ...['Gross Debit (GC)', 'Gross Credit (GC)', 'Net Currency', 'Net Debit (NC)', 'Net Credit (NC)'],
  ...['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'],
  ...['Modification Merchant Reference', 'Batch Number'],
];
type Cells = Record<string, string>;
const settled: Cells = {
  'Company Account': 'Pointgate',
  'Merchant Account': account,
  'Psp Reference': 'KHQC5N7G84BLNK43',
  'Merchant Reference': 'ours',
  'Creation Date': '2026-11-15 21:30:00',
  TimeZone: 'UTC',
  Type: 'Settled',
  'Modification Reference': 'B3HVNW4VPN9D7NZ2',
  'Gross Currency': 'USD',
  'Gross Debit (GC)': '',
  'Gross Credit (GC)': '4.99',
  'Net Currency': 'USD',
  'Net Debit (NC)': '',
  'Net Credit (NC)': '4.99',
  'Modification Merchant Reference': 'ours',
  'Batch Number': '7',
};

function report(...rows: Cells[]): string {
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(','));
  return [columns.join(','), ...lines, ''].join('\n');
}
const read = (...changes: Cells[]) =>
  readReport(report(...changes.map((change) => ({ ...settled, ...change }))), account);

test('the Adyen adapter reads a settlement report line with its exact amount, time and references', () => {
  expect(read({})).toEqual({
    outcome: 'ok',
    lines: [
      {
        lineId: '7:Settled:KHQC5N7G84BLNK43:B3HVNW4VPN9D7NZ2',
        kind: 'capture',
        subjectId: 'KHQC5N7G84BLNK43',
        captureId: 'KHQC5N7G84BLNK43',
        money: { amountMinor: 499n, currency: 'USD' },
        at: new Date('2026-11-15T21:30:00Z'),
      },
    ],
  });
});

const back = {
  'Gross Debit (GC)': '4.99',
  'Gross Credit (GC)': '',
  'Net Debit (NC)': '4.99',
  'Net Credit (NC)': '',
};

test.each([
  ['Refunded', 'refund', back, -499n],
  ['RefundedReversed', 'refund', {}, 499n],
  ['Chargeback', 'dispute', back, -499n],
  ['SecondChargeback', 'dispute', back, -499n],
  ['ChargebackReversed', 'dispute', {}, 499n],
  ['Fee', 'fee', back, -499n],
  ['InvoiceDeduction', 'fee', back, -499n],
  ['MerchantPayout', 'payout', back, -499n],
  ['MerchantPayin', 'payout', {}, 499n],
  ['BankInstructionReturned', 'payout', {}, 499n],
  ['SomethingNew', 'adjustment', {}, 499n],
])(
  'the Adyen adapter maps the report line type %s to the settlement line kind %s',
  (Type, kind, side, amountMinor) => {
    expect(read({ Type, ...side })).toMatchObject({
      lines: [{ kind, subjectId: 'B3HVNW4VPN9D7NZ2', money: { amountMinor } }],
    });
  },
);

test('the Adyen adapter identifies a report line about a refund of the shop by the shop’s refund id', () => {
  const ours = '7b0e0f4e-6b1f-4c39-9c3c-0a6f4f1f7d11';
  expect(
    read({ Type: 'Refunded', ...back, 'Modification Merchant Reference': ours }),
  ).toMatchObject({ lines: [{ subjectId: ours }] });
});

test('the Adyen adapter reads report amounts in JPY without decimals and reports a fractional yen as unknown', () => {
  const yen = {
    'Gross Currency': 'JPY',
    'Gross Credit (GC)': '500',
    'Net Currency': 'JPY',
    'Net Credit (NC)': '500',
  };
  expect(read(yen)).toMatchObject({ lines: [{ money: { amountMinor: 500n, currency: 'JPY' } }] });
  expect(read({ ...yen, 'Gross Credit (GC)': '5.01' })).toMatchObject({ outcome: 'unknown' });
});

test('the Adyen adapter reads no settlement lines from a report without rows or with a zero payout', () => {
  expect(read()).toEqual({ outcome: 'ok', lines: [] });
  expect(read({ Type: 'MerchantPayout', 'Net Credit (NC)': '0.00' })).toEqual({
    outcome: 'ok',
    lines: [],
  });
});

test('the Adyen adapter reads a payout line of a settlement report without a gross amount, also in a currency unknown to the shop', () => {
  const payout = {
    Type: 'MerchantPayout',
    'Psp Reference': '',
    'Modification Reference': 'TX1XT batch 7',
    'Gross Currency': '',
    'Gross Credit (GC)': '',
    'Net Currency': 'GBP',
    'Net Debit (NC)': '120.50',
    'Net Credit (NC)': '',
  };
  expect(read(payout)).toMatchObject({
    lines: [{ kind: 'payout', captureId: null, money: { amountMinor: -12_050n, currency: 'GBP' } }],
  });
});

test('the Adyen adapter computes the fee of a report line as gross amount minus net amount', () => {
  expect(read({ 'Net Credit (NC)': '4.87' })).toMatchObject({
    lines: [
      { kind: 'capture', money: { amountMinor: 499n } },
      { kind: 'fee', captureId: 'KHQC5N7G84BLNK43', money: { amountMinor: -12n } },
    ],
  });
  expect(read({ Type: 'Chargeback', ...back, 'Net Debit (NC)': '12.49' })).toMatchObject({
    lines: [{ kind: 'dispute' }, { kind: 'dispute_fee', money: { amountMinor: -750n } }],
  });
});

test('the Adyen adapter splits a line settled in another currency into exchange lines and, for whole cents, a fee line', () => {
  const net = { 'Net Currency': 'EUR', 'Net Credit (NC)': '4.40', 'Exchange Rate': '0.9' };
  const costs = { 'Markup (NC)': '0.03', 'Scheme Fees (NC)': '0.02', 'Interchange (NC)': '0.05' };
  expect(read({ ...net, ...costs })).toMatchObject({
    lines: [
      { kind: 'capture', money: { amountMinor: 499n, currency: 'USD' } },
      { kind: 'exchange', money: { amountMinor: -499n, currency: 'USD' } },
      { kind: 'exchange', money: { amountMinor: 450n, currency: 'EUR' } },
      { kind: 'fee', money: { amountMinor: -10n, currency: 'EUR' } },
    ],
  });
  // Costs with a fraction of a cent stay within the exchange amount.
  expect(read({ ...net, 'Markup (NC)': '0.0312' })).toMatchObject({
    lines: [
      { kind: 'capture' },
      { kind: 'exchange' },
      { kind: 'exchange', money: { amountMinor: 440n, currency: 'EUR' } },
    ],
  });
});

test.each<[string, Cells]>([
  ['another merchant account', { 'Merchant Account': 'Other' }],
  ['another time zone', { TimeZone: 'CET' }],
  ['no time of day', { 'Creation Date': '2026-11-15' }],
  ['an invalid date', { 'Creation Date': '2026-13-15 21:30:00' }],
  ['no type', { Type: '' }],
  ['no PSP reference', { 'Psp Reference': '' }],
  ['no modification reference', { 'Modification Reference': '' }],
  ['an unsupported currency', { 'Gross Currency': 'GBP' }],
  ['no gross amount', { 'Gross Credit (GC)': '' }],
  ['both a debit and a credit', { 'Gross Debit (GC)': '1' }],
  ['a negative amount', { 'Gross Credit (GC)': '-4.99' }],
  ['too many decimals', { 'Gross Credit (GC)': '4.999' }],
  ['an amount that is not a number', { 'Gross Credit (GC)': 'a lot' }],
  ['no net amount', { 'Net Credit (NC)': '' }],
  ['two net amounts', { 'Net Debit (NC)': '1' }],
])(
  'the Adyen adapter reports a whole settlement report as unknown when one line has %s',
  (_what, change) => {
    expect(read({}, change)).toMatchObject({
      outcome: 'unknown',
      cause: expect.stringMatching('3'),
    });
  },
);

test.each([
  ['an empty text', ''],
  ['an HTML page', '<html>'],
  ['a report without a required column', report().replace('Batch Number', 'Other')],
  ['a report with a short line', `${report()}a,b\n`],
  ['a report with a stray quote', `${report()}a"b,c\n`],
])('the Adyen adapter reports %s in place of a settlement report as unknown', (_what, text) => {
  expect(readReport(text, account)).toMatchObject({ outcome: 'unknown' });
});
