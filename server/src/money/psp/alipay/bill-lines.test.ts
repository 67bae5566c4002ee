import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readBill } from './bill-lines.ts';
import { unzip } from './zip.ts';

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

describe('a bill', () => {
  test('is read to the fen and in Beijing’s time', () => {
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
    ['nothing', ''],
    ['another account', bill([trade, back], { head: '#账号：[20880000000000000156]' })],
    ['no account', bill([trade, back], { head: '#' })],
    ['no end', bill([trade, back], { end: '' })],
    ['a line too few', bill([trade])],
    ['a line too many', bill([trade, trade, back])],
    ['no sums', bill([trade, back], { sums: '' })],
    ['a sum that is none', bill([trade, back], { sums: '#交易合计：笔\r\n#退款合计：1笔' })],
    ['a cell too few', bill([trade.slice(0, -1), back])],
    ['a cell too many', bill([`${trade},`, back])],
    ['a quote out of place', bill([trade.replace('60 gems', '60 "gems'), back])],
    ['parts of a fen', bill([trade.replace('6.00', '6.001'), back])],
    ['no amount', bill([trade.replace('6.00', ''), back])],
    ['an amount of nothing', bill([trade.replace('6.00', '0.00'), back])],
    ['a payment below nothing', bill([trade.replace('6.00', '-6.00'), back])],
    ['a refund above nothing', bill([trade, back.replace('-2.00', '2.00')])],
    ['a refund without a number', bill([trade, back.replace('r1\t', '')])],
    ['a kind we do not know', bill([trade.replace('交易', '分账'), back])],
    ['a time that is none', bill([trade.replace('21:30:00', '21:3'), back])],
    ['a trade without a number', bill([trade.replace('2026111522001000000000000001', ''), back])],
  ])('with %s is unknown as a whole', (_what, text) => {
    expect(readBill(text, sellerId)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a packed file', () => {
  const text = Buffer.from('业务明细'.repeat(100));

  test.each([0, 8])('packed in way %s is opened', (way) => {
    const [file] = unzip(zipOf({ way })) ?? [];
    expect(file?.name.toString()).toBe('bill.csv');
    expect(file?.bytes.equals(text)).toBe(true);
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['half', zipOf({}).subarray(0, 60)],
    ['no end', zipOf({}).subarray(0, -1)],
    ['another checksum', zipOf({ sum: 1 })],
    ['another size', zipOf({ size: 5 })],
    ['a size without end', zipOf({ size: 0xffffffff })],
    ['a secret', zipOf({ flags: 1 })],
    ['another way of packing', zipOf({ way: 12 })],
    ['a list elsewhere', zipOf({ listAt: 1 })],
    ['a list outside', zipOf({ listAt: 0xfffffff0 })],
    ['no files', zipOf({ count: 0 })],
    ['more files than there are', zipOf({ count: 2 })],
    ['far too many files', zipOf({ count: 60_000 })],
  ])('that is %s is not opened', (_what, file) => {
    expect(unzip(file)).toBeUndefined();
  });

  /** One file, as APPNOTE has it, or wrong in some way. */
  function zipOf(changes: {
    way?: number;
    sum?: number;
    size?: number;
    flags?: number;
    listAt?: number;
    count?: number;
  }): Buffer {
    const { way = 8, sum = crc32(text), size = text.length, flags = 0, count = 1 } = changes;
    const name = Buffer.from('bill.csv');
    const packed = way === 0 ? text : deflateRawSync(text);
    const facts = Buffer.alloc(24);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags, 2);
    facts.writeUInt16LE(way, 4);
    facts.writeUInt32LE(sum, 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    const head = Buffer.concat([Buffer.from('504b0304', 'hex'), facts, Buffer.alloc(2), name]);
    const listed = Buffer.concat([
      Buffer.from('504b01021400', 'hex'),
      facts,
      Buffer.alloc(16),
      name,
    ]);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(changes.listAt ?? head.length + packed.length, 16);
    return Buffer.concat([head, packed, listed, end]);
  }
});
