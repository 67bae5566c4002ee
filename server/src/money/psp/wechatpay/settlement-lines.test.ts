import { describe, expect, test } from 'vitest';
import { readBill } from './settlement-lines.ts';

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

describe('WeChat trade bills', () => {
  test('the WeChat adapter reads capture and refund lines with exact amounts and Beijing times from a trade bill', () => {
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

  test('the WeChat adapter reads a payment revoked at a cash register as a settlement line of the kind other', () => {
    const revoked = { ...back, 交易状态: 'REVOKED', 退款状态: '' };
    expect(readBill(billOf([revoked]), mchId)).toMatchObject({
      outcome: 'ok',
      lines: [{ kind: 'other', money: { amountMinor: -123n } }],
    });
    expect(readBill(billOf([{ ...revoked, 申请退款金额: '' }]), mchId)).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('the WeChat adapter reads a trade bill without final line feed or byte order mark, and with commas in names', () => {
    const text = billOf([{ ...paid, 商品名称: 'gems, 60, shiny' }]);
    for (const other of [text, text.trimEnd(), text.slice(1), text.replaceAll('\r\n', '\n')]) {
      expect(readBill(other, mchId)).toMatchObject({ outcome: 'ok', lines: [{}] });
    }
  });

  test.each(['PROCESSING', 'ABNORMAL', 'CLOSED', 'FAIL'])(
    'the WeChat adapter reads no settlement line from a trade bill refund in the status %s',
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
    ['an unknown state', { 交易状态: 'PAID' }],
    ['an invalid time', { 交易时间: '2026-13-45 99:00:00' }],
    ['a time in another format', { 交易时间: '15.11.2026' }],
    ['no transaction id', { 微信订单号: '' }],
    ['no amount', { 订单金额: '' }],
    ['a zero amount', { 订单金额: '0.00' }],
    ['a negative amount', { 订单金额: '-6.00' }],
    ['a fractional fen', { 订单金额: '6.001' }],
    ['an amount with a comma', { 订单金额: '6,00' }],
    ['a refund in an unknown status', { ...back, 退款状态: 'CHANGED' }],
    ['a zero refund', { ...back, 申请退款金额: '0.00' }],
  ])('the WeChat adapter reports a whole trade bill with %s as unknown', (_what, changes) => {
    expect(readBill(billOf([paid, { ...paid, ...changes }]), mchId)).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('the WeChat adapter reports a truncated or incomplete trade bill as unknown as a whole', () => {
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
