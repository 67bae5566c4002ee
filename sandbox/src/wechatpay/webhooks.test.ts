import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver } from '../../test/receiver.ts';
import {
  apiV3Keys,
  appid,
  certificateSerial,
  givenOrder,
  givenPaid,
  mchid,
  openNotification,
  publicKeyId,
  refundBody,
  startWechatpay,
  type WechatpayProgram,
} from '../../test/wechatpay.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let wechat: WechatpayProgram;
beforeEach(async () => {
  receiver = await startReceiver();
  wechat = await startWechatpay();
});
afterEach(async () => {
  await wechat.stop();
  await receiver.stop();
});

test('the WeChat Pay sandbox sends one signed and encrypted payment notification to the notify_url of the order', async () => {
  const { outTradeNo, transactionId, order } = await pay();

  const { event, resource } = await opened(0);
  expect(event).toMatchObject({
    id: expect.any(String),
    create_time: expect.stringMatching(/\+08:00$/),
    resource_type: 'encrypt-resource',
    event_type: 'TRANSACTION.SUCCESS',
    summary: '支付成功',
    resource: {
      original_type: 'transaction',
      algorithm: 'AEAD_AES_256_GCM',
      associated_data: 'transaction',
    },
  });
  expect(resource).toMatchObject({
    mchid,
    appid,
    out_trade_no: outTradeNo,
    transaction_id: transactionId,
    trade_type: 'NATIVE',
    trade_state: 'SUCCESS',
    attach: order.attach,
    amount: { total: 600, payer_total: 600, currency: 'CNY', payer_currency: 'CNY' },
  });
  expect(receiver.received).toHaveLength(1);
});

test('the WeChat Pay sandbox sends a notification of a refund that succeeds, fails or is closed', async () => {
  const { outTradeNo } = await pay();
  const ends = [
    ['succeeded', 'REFUND.SUCCESS', 'SUCCESS'],
    ['failed', 'REFUND.ABNORMAL', 'ABNORMAL'],
    ['closed', 'REFUND.CLOSED', 'CLOSED'],
  ] as const;
  for (const [index, [end, event_type, refund_status]] of ends.entries()) {
    await wechat.tell('/__sandbox/refunds', { next: 'pending' });
    const asked = refundBody(outTradeNo, { refund: 100, notifyUrl: receiver.url });
    await wechat.sdk('POST', '/v3/refund/domestic/refunds', asked);
    await wechat.tell(`/__sandbox/refunds/${asked.out_refund_no}/settle`, { status: end });
    const { event, resource } = await opened(index + 1);
    expect(event).toMatchObject({ event_type, resource: { original_type: 'refund' } });
    expect(resource).toMatchObject({
      mchid,
      out_trade_no: outTradeNo,
      refund_status,
      out_refund_no: asked.out_refund_no,
      amount: { total: 600, refund: 100 },
    });
  }
});

test('the WeChat Pay sandbox signs and encrypts notifications with the keys chosen by the control API', async () => {
  await wechat.tell('/__sandbox/keys', { signWith: 'certificate', apiV3Key: 1 });
  await pay();
  expect(await opened(0)).toMatchObject({ serial: certificateSerial, key: apiV3Keys[1] });

  await wechat.tell('/__sandbox/keys', {});
  await pay();
  expect(await opened(1)).toMatchObject({ serial: publicKeyId, key: apiV3Keys[0] });
});

test('the WeChat Pay sandbox retries a refused notification 15 times within a day, and then no more', async () => {
  receiver.failNext(100);
  await pay();
  const waits = [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800];
  let count = 1;
  await expect.poll(attempts).toHaveLength(count);
  for (const seconds of [...waits, 21_600, 21_600]) {
    await wechat.tell('/__sandbox/clock', { advanceSeconds: seconds - 5 });
    expect(receiver.received).toHaveLength(count);
    await wechat.tell('/__sandbox/clock', { advanceSeconds: 6 });
    count += 1;
    await expect.poll(attempts).toHaveLength(count);
  }
  await wechat.tell('/__sandbox/clock', { advanceSeconds: 10 * 24 * 3600 });
  await pay({ time_expire: undefined });
  await expect.poll(attempts).toHaveLength(count + 1);
  expect(receiver.received).toHaveLength(17);
  const ids = new Set(
    receiver.received.slice(0, 16).map(({ body }) => JSON.parse(String(body)).id),
  );
  expect(ids.size).toBe(1);
});

test('the WeChat Pay sandbox sends a genuine notification after the shop has refused a test notification with a wrong signature', async () => {
  await wechat.tell('/__sandbox/webhooks', { plan: { signTest: 1 } });
  receiver.failNext(1);
  await pay();
  await expect.poll(attempts).toHaveLength(1);
  expect(String(receiver.received[0]?.headers['wechatpay-signature'])).toMatch(
    /^WECHATPAY\/SIGNTEST\//,
  );
  await expect(opened(0)).rejects.toThrow('bad signature');

  await wechat.tell('/__sandbox/clock', { advanceSeconds: 15 });
  expect((await opened(1)).event.event_type).toBe('TRANSACTION.SUCCESS');
  await expect.poll(attempts).toEqual(['signtest refused', 'genuine delivered']);
});

test.each([
  ['tampered', { tamper: true }, 'bad signature'],
  ['wrong_secret', { wrongSecret: true }, 'bad signature'],
  ['wrong_api_v3_key', { wrongApiV3Key: true }, 'cannot decrypt'],
])(
  'the receiver of notifications rejects one that the WeChat Pay sandbox forges as %s',
  async (kind, plan, why) => {
    await wechat.tell('/__sandbox/webhooks', { plan });
    await pay();
    await expect(opened(0)).rejects.toThrow(why);
    await expect.poll(attempts).toEqual([`${kind} delivered`]);
  },
);

test('the WeChat Pay sandbox backdates, duplicates, reorders and drops notifications when its control API is told to', async () => {
  await wechat.tell('/__sandbox/webhooks', { plan: { timestampOffsetSeconds: -3600 } });
  await pay();
  await expect.poll(() => receiver.received.length).toBe(1);
  const age = Date.now() / 1000 - Number(receiver.received[0]?.headers['wechatpay-timestamp']);
  expect(age).toBeGreaterThan(3590);

  await wechat.tell('/__sandbox/webhooks', { plan: { duplicate: 2 } });
  await pay();
  await expect.poll(() => receiver.received.length).toBe(4);

  await wechat.tell('/__sandbox/webhooks', { plan: { reorder: true } });
  const [first, second] = [await pay(), await pay()];
  expect((await opened(4)).resource.out_trade_no).toBe(second.outTradeNo);
  expect((await opened(5)).resource.out_trade_no).toBe(first.outTradeNo);

  await wechat.tell('/__sandbox/webhooks', { plan: { drop: 1 } });
  await pay();
  const last = await pay();
  expect((await opened(6)).resource.out_trade_no).toBe(last.outTradeNo);
});

async function pay(changes: object = {}) {
  return await givenPaid(wechat, { notify_url: receiver.url, ...changes });
}

async function opened(index: number) {
  await expect.poll(() => receiver.received.length).toBeGreaterThan(index);
  const message = receiver.received[index];
  if (message === undefined) throw new Error('no notification arrived');
  return openNotification(message);
}

/** The signature and outcome of each attempt, oldest first, such as `genuine delivered`. */
async function attempts(): Promise<string[]> {
  const { webhookDeliveries } = await wechat.records();
  return webhookDeliveries.map(({ signature, outcome }) => `${signature} ${outcome}`).reverse();
}

test('the WeChat Pay sandbox records a notification to an unreachable notify_url as unanswered', async () => {
  await givenPaid(wechat, givenOrder());
  await expect.poll(attempts).toEqual(['genuine unanswered']);
});
