import { describe, expect, test } from 'vitest';
import { readBill } from './settlement-lines.ts';

const sellerId = '2088102146225135';
const names =
  '支付宝交易号,商户订单号,业务类型,商品名称,完成时间,订单金额（元）,商家实收（元）,退款批次号/请求号,备注';
const trade = '2026111522001000000000000001\t,a1\t,交易,60 gems,2026-11-15 21:30:00,6.00,5.96,,';
const back =
  '2026111522001000000000000001\t,a1\t,退款,60 gems,2026-11-15 21:40:00,-2.00,-2.00,r1\t,';

function bill(
  rows: readonly string[],
  changes: { head?: string; sums?: string; end?: string } = {},
) {
  const {
    head = `#账号：[${sellerId}0156]`,
    sums = '#交易合计：1笔，商家实收共6.00元\r\n#退款合计：1笔，商家实收退款共-2.00元',
    end = '#------业务明细列表结束------',
  } = changes;
  const list = ['#------业务明细列表------', names, ...rows];
  return ['#支付宝业务明细查询', head, ...list, end, sums, ''].join('\r\n');
}

describe('Alipay trade bills', () => {
  test('the Alipay adapter reads a trade bill with exact amounts and Beijing times', () => {
    expect(readBill(bill([trade, back]), sellerId)).toEqual({
      outcome: 'ok',
      lines: [
        {
          lineId: '2026111522001000000000000001',
          kind: 'capture',
          subjectId: '2026111522001000000000000001',
          captureId: '2026111522001000000000000001',
          money: { amountMinor: 600n, currency: 'CNY' },
          at: new Date('2026-11-15T13:30:00Z'),
        },
        {
          lineId: '2026111522001000000000000001:r1',
          kind: 'refund',
          subjectId: 'r1',
          captureId: '2026111522001000000000000001',
          money: { amountMinor: -200n, currency: 'CNY' },
          at: new Date('2026-11-15T13:40:00Z'),
        },
      ],
    });
  });

  test.each<[string, string]>([
    ['no content', ''],
    ['another account', bill([trade, back], { head: '#账号：[20880000000000000156]' })],
    ['no account', bill([trade, back], { head: '#' })],
    ['no end marker', bill([trade, back], { end: '' })],
    ['fewer lines than its totals count', bill([trade])],
    ['more lines than its totals count', bill([trade, trade, back])],
    ['no totals', bill([trade, back], { sums: '' })],
    ['a total without a count', bill([trade, back], { sums: '#交易合计：笔\r\n#退款合计：1笔' })],
    ['a missing cell', bill([trade.slice(0, -1), back])],
    ['an extra cell', bill([`${trade},`, back])],
    ['a stray quote', bill([trade.replace('60 gems', '60 "gems'), back])],
    ['a fractional fen', bill([trade.replace('6.00', '6.001'), back])],
    ['no amount', bill([trade.replace('6.00', ''), back])],
    ['a zero amount', bill([trade.replace('6.00', '0.00'), back])],
    ['a negative payment', bill([trade.replace('6.00', '-6.00'), back])],
    ['a positive refund', bill([trade, back.replace('-2.00', '2.00')])],
    ['a refund without a request number', bill([trade, back.replace('r1\t', '')])],
    ['an unknown kind', bill([trade.replace('交易', '分账'), back])],
    ['an invalid time', bill([trade.replace('21:30:00', '21:3'), back])],
    [
      'a trade without a trade number',
      bill([trade.replace('2026111522001000000000000001', ''), back]),
    ],
  ])('the Alipay adapter reports a whole trade bill with %s as unknown', (_what, text) => {
    expect(readBill(text, sellerId)).toMatchObject({ outcome: 'unknown' });
  });
});
