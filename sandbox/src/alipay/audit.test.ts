import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AlipayProgram,
  beijing,
  givenPaid,
  sellerId,
  startAlipay,
} from '../../test/alipay.ts';
import { auditedIn, sorted } from '../../test/audited.ts';

let alipay: AlipayProgram;
beforeEach(() => alipay.tell('/__sandbox/reset'));
beforeAll(async () => {
  alipay = await startAlipay();
});
afterAll(() => alipay.stop());

const refund = (tradeNo: string, no: string, amount = '2.00') =>
  alipay.ask('alipay.trade.refund', {
    trade_no: tradeNo,
    out_request_no: no,
    refund_amount: amount,
  });

describe('Alipay audit records', () => {
  test('the Alipay sandbox lists charges and refunds for the auditor program with the ids of the shop', async () => {
    const program = await startAlipay();
    const one = await givenPaid(program);
    const two = await givenPaid(program, { total_amount: '7.01' });
    const no = randomUUID();
    await program.ask('alipay.trade.refund', {
      trade_no: one.tradeNo,
      out_request_no: no,
      refund_amount: '2.00',
    });
    expect(await auditedIn(program, 'charges')).toEqual(
      sorted([
        `${one.paymentId}|${one.tradeNo}|600|cny`,
        `${two.paymentId}|${two.tradeNo}|701|cny`,
      ]),
    );
    expect(await auditedIn(program, 'refunds')).toEqual(
      sorted([`${one.paymentId}|${one.tradeNo}|${no}|200|cny`]),
    );
    expect(await auditedIn(program, 'disputes')).toEqual([]);
    await program.stop();
  });

  test('the Alipay sandbox finds charges and refunds by the shop’s payment id and by a range of payment ids', async () => {
    const { paymentId, tradeNo } = await givenPaid(alipay);
    const no = randomUUID();
    await refund(tradeNo, no);
    const charge = {
      id: tradeNo,
      payment_intent: tradeNo,
      amount: 600,
      currency: 'cny',
      paymentId,
    };
    for (const which of [`paymentId=${paymentId}`, `from=${paymentId}&until=${paymentId}0`]) {
      expect(await alipay.get(`/__sandbox/charges?${which}`)).toMatchObject({ charges: [charge] });
      expect(await alipay.get(`/__sandbox/refunds?${which}`)).toMatchObject({
        refunds: [{ id: no, payment_intent: tradeNo, metadata: { refundId: no }, paymentId }],
      });
    }
    expect(await alipay.get('/__sandbox/disputes?from=&until=')).toEqual({
      disputes: [],
      next: null,
    });
  });

  test('the control API of the Alipay sandbox lists records by kind and refuses an unknown kind', async () => {
    const { tradeNo } = await givenPaid(alipay);
    for (const kind of ['sessions', 'charges', 'events', 'webhookDeliveries', 'refunds']) {
      expect(await alipay.get(`/__sandbox/records/${kind}?limit=1`)).toHaveProperty('records');
    }
    expect(JSON.stringify(await alipay.get('/__sandbox/records/charges'))).toContain(tradeNo);
    await expect(alipay.get('/__sandbox/records/toString')).rejects.toThrow('400');
  });

  test('the Alipay sandbox does not count a pending refund as refunded', async () => {
    const { tradeNo, paymentId } = await givenPaid(alipay);
    await alipay.tell('/__sandbox/refunds', { next: 'pending' });
    await refund(tradeNo, randomUUID());
    const range = { from: paymentId, until: `${paymentId}0` };
    expect(await auditedIn(alipay, 'refunds', range)).toEqual([]);
  });
});

describe('Alipay bills', () => {
  const bill = (day: string) =>
    alipay.ask('alipay.data.dataservice.bill.downloadurl.query', {
      bill_type: 'trade',
      bill_date: day,
    });
  const today = () => beijing(Date.now()).slice(0, 10);

  test('a daily bill of the Alipay sandbox lists payments and refunds as zipped GBK text, and its link expires', async () => {
    await alipay.tell('/__sandbox/bills', { outcome: 'ready' });
    const { tradeNo, outTradeNo } = await givenPaid(alipay, { subject: '60 颗宝石, 100%' });
    const no = randomUUID();
    await refund(tradeNo, no);
    const { bill_download_url } = await bill(today());
    const text = firstFileIn(await (await fetch(bill_download_url)).arrayBuffer());
    expect(text).toContain(`#账号：[${sellerId}0156]`);
    expect(text).toContain(`${tradeNo}\t,${outTradeNo}\t,交易,60 颗宝石  100%,`);
    expect(text).toContain(`,-2.00,-2.00,`);
    expect(text).toContain(`${no}\t`);
    await alipay.tell('/__sandbox/clock', { advanceSeconds: 31 });
    expect((await fetch(bill_download_url)).status).toBe(404);
  });

  test('a daily bill of the Alipay sandbox is available on the next day, and not for a day without payments', async () => {
    await givenPaid(alipay);
    const missing = { code: '40004', sub_code: 'isp.bill_not_exist' };
    expect(await bill(today())).toMatchObject(missing);
    const day = today();
    await alipay.tell('/__sandbox/clock', { advanceSeconds: 40 * 3600 });
    expect(await bill(day)).toMatchObject({ code: '10000' });
    expect(await bill('2020-01-01')).toMatchObject(missing);
    expect(await bill('tomorrow')).toMatchObject({ sub_code: 'isv.invalid-arguments' });
  });
});

/** Parses the zip file independently of the code that wrote it. */
function firstFileIn(file: ArrayBuffer): string {
  const zip = Buffer.from(file);
  const packed = zip.readUInt32LE(18);
  const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
  const bytes = inflateRawSync(zip.subarray(start, start + packed));
  return new TextDecoder('gbk').decode(bytes);
}
