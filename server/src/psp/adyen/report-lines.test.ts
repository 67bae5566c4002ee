import { expect, test } from 'vitest';
import { readReport } from './report-lines.ts';

const account = 'PointgateECOM';
const columns = [
  ...['Company Account', 'Merchant Account', 'Psp Reference', 'Merchant Reference'],
  ...['Creation Date', 'TimeZone', 'Type', 'Modification Reference', 'Gross Currency'],
  ...['Gross Debit (GC)', 'Gross Credit (GC)', 'Modification Merchant Reference', 'Batch Number'],
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
  'Modification Merchant Reference': 'ours',
  'Batch Number': '7',
};

function report(...rows: Cells[]): string {
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(','));
  return [columns.join(','), ...lines, ''].join('\n');
}
const read = (...changes: Cells[]) =>
  readReport(report(...changes.map((change) => ({ ...settled, ...change }))), account);

test('a line is read to the cent, with its time and names', () => {
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

const back = { 'Gross Debit (GC)': '4.99', 'Gross Credit (GC)': '' };

test.each([
  ['Refunded', 'refund', back, -499n],
  ['RefundedReversed', 'refund', {}, 499n],
  ['Chargeback', 'dispute', back, -499n],
  ['SecondChargeback', 'dispute', back, -499n],
  ['ChargebackReversed', 'dispute', {}, 499n],
  ['Fee', 'other', back, -499n],
  ['SomethingNew', 'other', {}, 499n],
])('%s is a %s', (Type, kind, side, amountMinor) => {
  expect(read({ Type, ...side })).toMatchObject({
    lines: [{ kind, subjectId: 'B3HVNW4VPN9D7NZ2', money: { amountMinor } }],
  });
});

test('a refund of ours goes by our name for it', () => {
  const ours = '7b0e0f4e-6b1f-4c39-9c3c-0a6f4f1f7d11';
  expect(
    read({ Type: 'Refunded', ...back, 'Modification Merchant Reference': ours }),
  ).toMatchObject({ lines: [{ subjectId: ours }] });
});

test('yen have no decimals, and no cents may be there', () => {
  const yen = { 'Gross Currency': 'JPY', 'Gross Credit (GC)': '500' };
  expect(read(yen)).toMatchObject({ lines: [{ money: { amountMinor: 500n, currency: 'JPY' } }] });
  expect(read({ ...yen, 'Gross Credit (GC)': '5.01' })).toMatchObject({ outcome: 'unknown' });
});

test('a day without anything is a day, and payouts in other currencies are passed over', () => {
  expect(read()).toEqual({ outcome: 'ok', lines: [] });
  expect(read({ Type: 'MerchantPayout', 'Gross Currency': 'GBP' })).toEqual({
    outcome: 'ok',
    lines: [],
  });
});

test.each<[string, Cells]>([
  ['another merchant', { 'Merchant Account': 'Other' }],
  ['another zone', { TimeZone: 'CET' }],
  ['no time', { 'Creation Date': '2026-11-15' }],
  ['a day that is none', { 'Creation Date': '2026-13-15 21:30:00' }],
  ['no kind', { Type: '' }],
  ['no payment', { 'Psp Reference': '' }],
  ['no name of its own', { 'Modification Reference': '' }],
  ['a currency nobody knows', { 'Gross Currency': 'GBP' }],
  ['no amount', { 'Gross Credit (GC)': '' }],
  ['both sides', { 'Gross Debit (GC)': '1' }],
  ['a negative amount', { 'Gross Credit (GC)': '-4.99' }],
  ['too many decimals', { 'Gross Credit (GC)': '4.999' }],
  ['no number', { 'Gross Credit (GC)': 'a lot' }],
])('one line with %s makes all of it unknown', (_what, change) => {
  expect(read({}, change)).toMatchObject({ outcome: 'unknown', cause: expect.stringMatching('3') });
});

test.each([
  ['nothing', ''],
  ['a page', '<html>'],
  ['a column less', report().replace('Batch Number', 'Other')],
  ['a short line', `${report()}a,b\n`],
  ['a quote out of place', `${report()}a"b,c\n`],
])('%s is no report', (_what, text) => {
  expect(readReport(text, account)).toMatchObject({ outcome: 'unknown' });
});
