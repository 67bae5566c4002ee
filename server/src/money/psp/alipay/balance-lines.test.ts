import { expect, test } from 'vitest';
import { readAccountBill } from './balance-lines.ts';

const seller = '2088123456789012';
const columns =
  '账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,' +
  '交易渠道,业务类型,备注';
const tradeNo = '2026111522001777777777777777';

interface Entry {
  income?: string;
  spent?: string;
  type?: string;
  time?: string;
  about?: string;
  id?: string;
}

const row = (entry: Entry) => {
  const { income = '0.00', spent = '0.00', type = '收费', about = tradeNo, id = '54632' } = entry;
  const time = entry.time ?? '2026-11-15 21:30:00';
  return `${id}\t,${about}\t,\t,,${time},,${income},${spent},1.00,支付宝,${type},`;
};

function bill(rows: string[], counts: { income: number; spent: number }): string {
  return [
    '#支付宝账务明细查询',
    `#账号：[${seller}0156]`,
    `#${'-'.repeat(41)}账务明细列表${'-'.repeat(40)}`,
    columns,
    ...rows,
    `#${'-'.repeat(41)}账务明细列表结束${'-'.repeat(36)}`,
    `#支出合计：${counts.spent}笔，共-1.00元`,
    `#收入合计：${counts.income}笔，共1.00元`,
    '',
  ].join('\r\n');
}

const readSpent = (entry: Entry) =>
  readAccountBill(bill([row({ spent: '-0.39', ...entry })], { income: 0, spent: 1 }), seller);

test('the Alipay adapter reads an account bill entry with its exact amount, Beijing time and trade number', () => {
  expect(readSpent({})).toEqual({
    outcome: 'ok',
    lines: [
      {
        lineId: 'account:54632',
        kind: 'fee',
        subjectId: tradeNo,
        captureId: tradeNo,
        money: { amountMinor: -39n, currency: 'CNY' },
        at: new Date('2026-11-15T13:30:00Z'),
      },
    ],
  });
});

test.each([
  ['退费', 'fee'],
  ['提现', 'payout'],
  ['提现退回', 'payout'],
  ['充值', 'payout'],
  ['其它', 'adjustment'],
])(
  'the Alipay adapter maps the account bill entry type %s to the settlement line kind %s',
  (type, kind) => {
    expect(readSpent({ type, about: '77' })).toMatchObject({ lines: [{ kind, captureId: null }] });
  },
);

test('the Alipay adapter skips a payment or refund in the account bill, because the trade bill has it', () => {
  const rows = [
    row({ type: '在线支付', income: '6.00' }),
    row({ type: '交易付款', income: '6.00' }),
    row({ type: '交易退款', spent: '-6.00' }),
  ];
  expect(readAccountBill(bill(rows, { income: 2, spent: 1 }), seller)).toEqual({
    outcome: 'ok',
    lines: [],
  });
});

test.each<[string, Entry]>([
  ['no entry number', { id: '' }],
  ['no type', { type: '' }],
  ['no time of day', { time: '2026-11-15' }],
  ['no amount', { spent: '0.00' }],
  ['two amounts', { income: '1.00' }],
  ['the wrong sign', { spent: '0.39' }],
  ['a fractional fen', { spent: '-0.395' }],
])(
  'the Alipay adapter reports a whole account bill as unknown when one entry has %s',
  (_what, entry) => {
    expect(readSpent(entry)).toMatchObject({ outcome: 'unknown' });
  },
);

test('the Alipay adapter reports an account bill of another account, without a list or with wrong counts as unknown', () => {
  const one = bill([row({ spent: '-0.39' })], { income: 0, spent: 1 });
  expect(readAccountBill(one, '2088000000000000')).toMatchObject({ outcome: 'unknown' });
  expect(readAccountBill('#支付宝账务明细查询', seller)).toMatchObject({ outcome: 'unknown' });
  for (const counts of [
    { income: 1, spent: 1 },
    { income: 0, spent: 2 },
  ]) {
    const text = bill([row({ spent: '-0.39' })], counts);
    expect(readAccountBill(text, seller)).toMatchObject({ outcome: 'unknown' });
  }
});
