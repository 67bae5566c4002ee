import { describe, expect, test } from 'vitest';
import { readBill } from './bill-lines.ts';
import { daysOf } from './settlement.ts';

const mchId = '1900000109';
const refundId = '8d7f1f0e-3f6c-4c1e-9a57-0c9d2a5f4b11';

const paid = {
  交易时间: '2026-11-15 21:30:00',
  商户号: mchId,
  微信订单号: '4200000000202611150000000001',
  交易状态: 'SUCCESS',
  货币种类: 'CNY',
  微信退款单号: '0',
  商户退款单号: '0',
  退款状态: '',
  商品名称: '60 gems',
  订单金额: '6.00',
  申请退款金额: '0.00',
};
const back = {
  ...paid,
  交易状态: 'REFUND',
  微信退款单号: '50300000000202611150000000001',
  商户退款单号: refundId,
  退款状态: 'SUCCESS',
  订单金额: '0.00',
  申请退款金额: '1.23',
};

describe('a bill of trades', () => {
  test('is read line by line', () => {
    expect(readBill(billOf([paid, back]), mchId)).toEqual({
      outcome: 'ok',
      lines: [
        {
          lineId: paid.微信订单号,
          kind: 'capture',
          subjectId: paid.微信订单号,
          captureId: paid.微信订单号,
          money: { amountMinor: 600n, currency: 'CNY' },
          at: new Date('2026-11-15T13:30:00Z'),
        },
        {
          lineId: back.微信退款单号,
          kind: 'refund',
          subjectId: refundId,
          captureId: paid.微信订单号,
          money: { amountMinor: -123n, currency: 'CNY' },
          at: new Date('2026-11-15T13:30:00Z'),
        },
      ],
    });
  });

  test('has what was taken back at a till as something else', () => {
    const revoked = { ...back, 交易状态: 'REVOKED', 退款状态: '' };
    expect(readBill(billOf([revoked]), mchId)).toMatchObject({
      outcome: 'ok',
      lines: [{ kind: 'other', money: { amountMinor: -123n } }],
    });
    expect(readBill(billOf([{ ...revoked, 申请退款金额: '' }]), mchId)).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('may end without a line feed, be without a mark, and have commas in its names', () => {
    const text = billOf([{ ...paid, 商品名称: 'gems, 60, shiny' }]);
    for (const other of [text, text.trimEnd(), text.slice(1), text.replaceAll('\r\n', '\n')]) {
      expect(readBill(other, mchId)).toMatchObject({ outcome: 'ok', lines: [{}] });
    }
  });

  test.each(['PROCESSING', 'ABNORMAL', 'CLOSED', 'FAIL'])(
    'has no line for a refund that is %s',
    (word) => {
      expect(readBill(billOf([{ ...back, 退款状态: word }]), mchId)).toEqual({
        outcome: 'ok',
        lines: [],
      });
    },
  );

  test.each<[string, Record<string, string>]>([
    ['another merchant', { 商户号: '1900000110' }],
    ['another currency', { 货币种类: 'USD' }],
    ['a state nobody knows', { 交易状态: 'PAID' }],
    ['a time that is none', { 交易时间: '2026-13-45 99:00:00' }],
    ['a time in another form', { 交易时间: '15.11.2026' }],
    ['no payment', { 微信订单号: '' }],
    ['no amount', { 订单金额: '' }],
    ['nothing', { 订单金额: '0.00' }],
    ['less than nothing', { 订单金额: '-6.00' }],
    ['a part of a fen', { 订单金额: '6.001' }],
    ['an amount with a comma', { 订单金额: '6,00' }],
    ['a refund in a state nobody knows', { ...back, 退款状态: 'CHANGED' }],
    ['a refund of nothing', { ...back, 申请退款金额: '0.00' }],
  ])('with %s cannot be read at all', (_what, changes) => {
    expect(readBill(billOf([paid, { ...paid, ...changes }]), mchId)).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('that is not whole cannot be read at all', () => {
    const text = billOf([paid, back]);
    const lines = text.split('\r\n');
    for (const part of [
      '',
      'not a table',
      lines.slice(0, 2).join('\r\n'),
      lines.toSpliced(1, 1).join('\r\n'),
      lines.toSpliced(2, 1).join('\r\n'),
      text.replace('\r\n`2,', '\r\n`3,'),
      text.slice(0, text.length / 2),
      text.replaceAll('`', ''),
    ]) {
      expect(readBill(part, mchId)).toMatchObject({ outcome: 'unknown' });
    }
  });
});

test('a period has the days of Beijing that it touches', () => {
  const days = (from: string, until: string) => daysOf(new Date(from), new Date(until));
  expect(days('2026-11-15T16:00:00Z', '2026-11-16T16:00:00Z')).toEqual(['2026-11-16']);
  expect(days('2026-11-15T15:59:59Z', '2026-11-15T16:00:01Z')).toEqual([
    '2026-11-15',
    '2026-11-16',
  ]);
  expect(days('2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z')).toEqual([
    '2026-11-15',
    '2026-11-16',
  ]);
});

function billOf(rows: Record<string, string>[]): string {
  const line = (values: string[]) => values.map((value) => `\`${value}`).join(',');
  return [
    `\uFEFF${Object.keys(paid).join(',')}`,
    ...rows.map((row) => line(Object.values(row))),
    '总交易单数,应结订单总金额',
    line([String(rows.length), '6.00']),
    '',
  ].join('\r\n');
}
