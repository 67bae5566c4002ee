import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Formatter } from 'wechatpay-axios-plugin';
import {
  givenPaid,
  refundBody,
  sha1,
  startWechatpay,
  type WechatpayProgram,
} from '../../test/wechatpay.ts';

let wechat: WechatpayProgram;
beforeAll(async () => {
  wechat = await startWechatpay();
});
beforeEach(async () => {
  await wechat.tell('/__sandbox/reset');
});
afterAll(async () => await wechat.stop());

const today = () => new Date(Date.now() + 8 * 3600_000).toISOString().slice(0, 10);
const trade = (more = '') => `/v3/bill/tradebill?bill_date=${today()}${more}`;

test('a trade bill of the WeChat Pay sandbox is available on the next day and lists payments and refunds', async () => {
  const { outTradeNo, transactionId, order } = await givenPaid(wechat);
  const asked = refundBody(outTradeNo, { refund: 123 });
  await wechat.sdk('POST', '/v3/refund/domestic/refunds', asked);
  expect(await wechat.sdk('GET', trade())).toMatchObject({
    status: 400,
    body: { code: 'STATEMENT_CREATING' },
  });

  await wechat.tell('/__sandbox/clock', { advanceSeconds: 34 * 3600 });
  const { rows, summary } = castBill(await download(trade()));
  const ours = rows.filter((row) => row.商户订单号 === outTradeNo);
  expect(ours).toMatchObject([
    { 微信订单号: transactionId, 交易状态: 'SUCCESS', 订单金额: '6.00', 商户数据包: order.attach },
    { 交易状态: 'REFUND', 商户退款单号: asked.out_refund_no, 申请退款金额: '1.23' },
  ]);
  expect(ours[0]?.交易时间).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(summary).toMatchObject({ 总交易单数: String(rows.length) });
});

test('a gzipped trade bill of the WeChat Pay sandbox unpacks to the same bytes as the plain bill', async () => {
  await givenPaid(wechat);
  await wechat.tell('/__sandbox/bills', { outcome: 'ready' });
  const plain = await download(trade('&bill_type=SUCCESS'));
  const packed = await download(trade('&bill_type=SUCCESS&tar_type=GZIP'));
  expect(gunzipSync(packed).equals(plain)).toBe(true);
});

test('a fund flow bill of the WeChat Pay sandbox lists a payment as income', async () => {
  const { transactionId } = await givenPaid(wechat);
  await wechat.tell('/__sandbox/bills', { outcome: 'ready' });
  const { rows } = castBill(await download(`/v3/bill/fundflowbill?bill_date=${today()}`));
  expect(rows).toContainEqual(
    expect.objectContaining({
      微信支付业务单号: transactionId,
      收支类型: '收入',
      '收支金额(元)': '6.00',
    }),
  );
});

test('the WeChat Pay sandbox refuses the bill of a day without payments and a bill with a malformed date', async () => {
  const { body } = await wechat.sdk('GET', '/v3/bill/tradebill?bill_date=2026-01-01');
  expect(body).toMatchObject({ code: 'NO_STATEMENT_EXIST' });
  expect((await wechat.sdk('GET', '/v3/bill/tradebill?bill_date=nothing')).body).toMatchObject({
    code: 'PARAM_ERROR',
  });
});

test('a trade bill of the WeChat Pay sandbox omits, alters or invents lines or has a wrong hash when the control API is told to', async () => {
  const [kept, gone] = [await givenPaid(wechat), await givenPaid(wechat)];
  await wechat.tell('/__sandbox/bills', { outcome: 'ready' });
  await wechat.tell('/__sandbox/settlement', {
    omit: [gone.transactionId],
    alter: { [kept.transactionId]: 601 },
    invent: [{ amount: 5, outTradeNo: 'invented', transactionId: '4200invented' }],
  });
  const { rows } = castBill(await download(trade()));
  const byId = new Map(rows.map((row) => [row.微信订单号, row.订单金额]));
  expect(byId.get(gone.transactionId)).toBeUndefined();
  expect(byId.get(kept.transactionId)).toBe('6.01');
  expect(byId.get('4200invented')).toBe('0.05');

  await wechat.tell('/__sandbox/settlement', { wrongHash: true });
  await expect(download(trade())).rejects.toThrow('hash');
});

test('the WeChat Pay sandbox refuses an unsigned request for a bill download', async () => {
  await givenPaid(wechat);
  await wechat.tell('/__sandbox/bills', { outcome: 'ready' });
  const { download_url } = await told(trade());
  const headers = { accept: '*/*', 'user-agent': 'test' };
  expect((await fetch(download_url, { headers })).status).toBe(401);
});

async function told(path: string) {
  const { body } = await wechat.sdk('GET', path);
  return body as { download_url: string; hash_type: string; hash_value: string }; // as: all used
}

async function download(path: string): Promise<Buffer> {
  const { download_url, hash_value } = await told(path);
  const { pathname, search } = new URL(download_url);
  const file = wechat.sdkWith({ responseType: 'arraybuffer' });
  const { status, body } = await file('GET', pathname + search);
  expect(status).toBe(200);
  if (!Buffer.isBuffer(body)) throw new Error('the downloaded bill is not a buffer');
  const inside = path.includes('GZIP') ? gunzipSync(body) : body;
  if (sha1(inside) !== hash_value) throw new Error('the hash does not match the bill');
  return body;
}

function castBill(file: Buffer) {
  // The SDK does not type this answer, and the test checks every field that it uses.
  return Formatter.castCsvBill(file) as {
    rows: Record<string, string>[];
    summary: Record<string, string>;
  };
}
