import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AlipayProgram,
  appId,
  beijing,
  fieldsIn,
  givenPaid,
  nextPublicKey,
  sellerId,
  startAlipay,
} from '../../test/alipay.ts';
import { startReceiver } from '../../test/receiver.ts';

let alipay: AlipayProgram;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  alipay = await startAlipay();
});
beforeEach(async () => {
  await alipay.tell('/__sandbox/reset');
  receiver = await startReceiver({ body: 'success' });
});
afterEach(() => receiver.stop());
afterAll(() => alipay.stop());

const plan = (changes: object) => alipay.tell('/__sandbox/webhooks', { plan: changes });
const received = async (count: number) => {
  await expect.poll(() => receiver.received.length).toBe(count);
  return receiver.received.map(({ body }) => fieldsIn(body));
};
/** The age of a notification by its notify_time, which is in Beijing time without a zone. */
const agoMs = ({ notify_time }: Record<string, string>) =>
  Date.parse(beijing(Date.now())) - Date.parse(`${notify_time}`);
const pay = () => givenPaid(alipay, { subject: '60 颗宝石 100%' }, receiver.url);

describe('Alipay notifications', () => {
  test('the Alipay sandbox sends a notification as a form that the unmodified Alipay SDK verifies', async () => {
    const { order, tradeNo } = await pay();
    const [news = {}] = await received(1);
    expect(alipay.sdk.checkNotifySignV2(news)).toBe(true);
    expect(news).toMatchObject({
      app_id: appId,
      seller_id: sellerId,
      notify_type: 'trade_status_sync',
      out_trade_no: order.out_trade_no,
      trade_no: tradeNo,
      trade_status: 'TRADE_SUCCESS',
      total_amount: '6.00',
      subject: '60 颗宝石 100%',
      passback_params: order.passback_params,
      sign_type: 'RSA2',
    });
    expect(receiver.received[0]?.headers['content-type']).toContain('x-www-form-urlencoded');
    expect(Math.abs(agoMs(news))).toBeLessThan(60_000);
  });

  test('a refund notification of the Alipay sandbox contains the total refunded, and the last one says that the trade is closed', async () => {
    const { tradeNo } = await pay();
    const [some, rest] = [randomUUID(), randomUUID()];
    for (const [out_request_no, refund_amount] of [
      [some, '2.00'],
      [rest, '4.00'],
    ]) {
      const content = { trade_no: tradeNo, out_request_no, refund_amount };
      await alipay.ask('alipay.trade.refund', content);
    }
    // The notifications are sent concurrently, so they may arrive in any order.
    const news = await received(3);
    const about = (refund: string) => news.find(({ out_biz_no }) => out_biz_no === refund);
    expect(about(some)).toMatchObject({
      trade_status: 'TRADE_SUCCESS',
      refund_fee: '2.00',
      gmt_refund: expect.stringMatching(/\.000$/),
    });
    expect(about(rest)).toMatchObject({ trade_status: 'TRADE_CLOSED', refund_fee: '6.00' });
  });

  test('the Alipay sandbox repeats a notification with the same id until the receiver answers success', async () => {
    await receiver.stop();
    receiver = await startReceiver({ body: '{"ok":true}' });
    await pay();
    // Three immediate attempts, and the next one only after four minutes.
    const refused = async () =>
      (await alipay.records()).webhookDeliveries.filter(({ outcome }) => outcome === 'refused');
    await expect.poll(refused).toHaveLength(3);
    expect(receiver.received).toHaveLength(3);
    await alipay.tell('/__sandbox/clock', { advanceSeconds: 241 });
    const news = await received(4);
    expect(new Set(news.map(({ notify_id }) => notify_id)).size).toBe(1);
    expect((await refused())[0]).toMatchObject({ status: 200 });
  });

  test('the Alipay sandbox does not send an accepted notification again', async () => {
    await pay();
    await received(1);
    await expect
      .poll(async () => (await alipay.records()).webhookDeliveries[0]?.outcome)
      .toBe('delivered');
    await alipay.tell('/__sandbox/clock', { advanceSeconds: 100_000 });
    await alipay.tell('/__sandbox/clock', { reset: true });
    await pay();
    await received(2);
  });

  test('the Alipay sandbox drops, duplicates and delays notifications when its control API is told to', async () => {
    await plan({ drop: 1 });
    await pay();
    await plan({ duplicate: 2, delayMs: 10 });
    await pay();
    const news = await received(3);
    expect(new Set(news.map(({ notify_id }) => notify_id)).size).toBe(1);
  });

  test('the Alipay sandbox reorders notifications when its control API is told to', async () => {
    await plan({ reorder: true });
    const { outTradeNo: one } = await pay();
    const { outTradeNo: two } = await pay();
    const news = await received(2);
    expect(news.map(({ out_trade_no }) => out_trade_no)).toEqual([two, one]);
  });

  test.each(['tamper', 'wrongSecret'])(
    'the Alipay SDK cannot verify a notification of the Alipay sandbox with the planned fault %s',
    async (forgery) => {
      await plan({ [forgery]: true });
      await pay();
      const [news = {}] = await received(1);
      expect(alipay.sdk.checkNotifySignV2(news)).toBe(false);
    },
  );

  test.each([
    ['wrongAppId', 'app_id', appId],
    ['wrongSellerId', 'seller_id', sellerId],
  ])(
    'a notification of the Alipay sandbox with the planned fault %s is still signed correctly',
    async (forgery, field, ours) => {
      await plan({ [forgery]: true });
      await pay();
      const [news = {}] = await received(1);
      expect(alipay.sdk.checkNotifySignV2(news)).toBe(true);
      expect(news[field]).not.toBe(ours);
    },
  );

  test('the Alipay sandbox can send a notification with an old timestamp or signed with the next key', async () => {
    await plan({ timestampOffsetSeconds: -172_800 });
    await alipay.tell('/__sandbox/keys', { signWith: 'next' });
    await pay();
    const [news = {}] = await received(1);
    const newer = alipay.sdkWith({ alipayPublicKey: nextPublicKey });
    expect(newer.checkNotifySignV2(news)).toBe(true);
    expect(alipay.sdk.checkNotifySignV2(news)).toBe(false);
    expect(Math.abs(agoMs(news) - 172_800_000)).toBeLessThan(60_000);
  });
});
