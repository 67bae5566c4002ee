import { expect, test } from 'vitest';
import { readFundBill } from './balance-lines.ts';

const columns =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),' +
  '资金变更提交申请人,备注,业务凭证号';

interface Entry {
  time?: string;
  about?: string;
  id?: string;
  type?: string;
  side?: string;
  amount?: string;
}

function row(entry: Entry): string {
  const { time = '2026-11-15 21:30:00', about = '4200001', id = '1000001' } = entry;
  const { type = '扣除交易手续费', side = '支出', amount = '0.04' } = entry;
  const cells = [time, about, id, type, type, side, amount, '1.00', 'system', '', 'voucher'];
  return cells.map((cell) => `\`${cell}`).join(',');
}

function bill(rows: string[], count = rows.length): string {
  const sums = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额';
  const values = [String(count), '0', '0.00', '0', '0.00'].map((cell) => `\`${cell}`).join(',');
  return [`\uFEFF${columns}`, ...rows, sums, values, ''].join('\r\n');
}

const paymentOf = (id: string) =>
  id === '5030001' ? '4200001' : id === '4200001' ? id : undefined;
const read = (entry: Entry) => readFundBill(bill([row(entry)]), paymentOf);

test('the WeChat adapter reads a fund bill entry with its exact amount, Beijing time and payment', () => {
  expect(read({})).toEqual({
    outcome: 'ok',
    lines: [
      {
        lineId: 'fund:1000001',
        kind: 'fee',
        subjectId: '4200001',
        captureId: '4200001',
        money: { amountMinor: -4n, currency: 'CNY' },
        at: new Date('2026-11-15T13:30:00Z'),
      },
    ],
  });
});

test('the WeChat adapter links a fee that WeChat returns with a refund to the refunded payment', () => {
  expect(read({ type: '退回交易手续费', side: '收入', about: '5030001' })).toMatchObject({
    lines: [{ kind: 'fee', captureId: '4200001', money: { amountMinor: 4n } }],
  });
});

test.each([
  ['服务费', 'fee'],
  ['提现', 'payout'],
  ['提现退票', 'payout'],
  ['充值', 'payout'],
  ['分账', 'adjustment'],
])(
  'the WeChat adapter maps the fund bill entry type %s to the settlement line kind %s',
  (type, kind) => {
    expect(read({ type, about: '88' })).toMatchObject({ lines: [{ kind, captureId: null }] });
  },
);

test('the WeChat adapter skips a payment or refund in the fund bill, because the trade bill has it', () => {
  const text = bill([row({ type: '交易', side: '收入' }), row({ type: '退款' })]);
  expect(readFundBill(text, paymentOf)).toEqual({ outcome: 'ok', lines: [] });
});

test.each<[string, Entry]>([
  ['no entry number', { id: '' }],
  ['no type', { type: '' }],
  ['no time of day', { time: '2026-11-15' }],
  ['an invalid date', { time: '2026-13-15 21:30:00' }],
  ['no direction', { side: '' }],
  ['no amount', { amount: '' }],
  ['a negative amount', { amount: '-0.04' }],
  ['a fractional fen', { amount: '0.045' }],
])(
  'the WeChat adapter reports a whole fund bill as unknown when one entry has %s',
  (_what, entry) => {
    expect(read(entry)).toMatchObject({ outcome: 'unknown' });
  },
);

test('the WeChat adapter reports a fund bill that is empty, has a wrong count or a malformed entry as unknown', () => {
  expect(readFundBill('', paymentOf)).toMatchObject({ outcome: 'unknown' });
  expect(readFundBill(bill([row({})], 2), paymentOf)).toMatchObject({ outcome: 'unknown' });
  expect(readFundBill(bill(['a,b']), paymentOf)).toMatchObject({ outcome: 'unknown' });
});
