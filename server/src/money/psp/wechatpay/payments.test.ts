import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider } from '../psp.ts';
import {
  appId,
  givenRequest,
  mchId,
  startWechatpayWorld,
  type WechatpayWorld,
} from '../test/wechatpay-world.ts';

let world: WechatpayWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startWechatpayWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const query = 'GET /v3/pay/transactions/out-trade-no/:id';
const close = 'POST /v3/pay/transactions/out-trade-no/:id/close';

test('the WeChat adapter closes the order at WeChat when asked to close a payment, also when asked again', async () => {
  const { payment } = await world.givenOrder();
  for (const _time of [1, 2]) {
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
  }
  expect(await provider.queryPayment(payment)).toMatchObject({ status: 'closed', captures: [] });
  await expect(world.pay(payment.pspRef, { late: true })).rejects.toThrow('closed');
});

test('the WeChat adapter answers a request to close a paid order with already_paid and a missing order with not_found', async () => {
  const { payment } = await world.givenPayment();
  expect(await provider.closePayment(payment)).toEqual({ outcome: 'already_paid' });
  const { reference, money } = givenRequest();
  const pspRef = reference.attemptId.replaceAll('-', '');
  expect(await provider.closePayment({ pspRef, reference, money })).toEqual({
    outcome: 'not_found',
  });
});

test.each([
  ...['http500_before', 'http500_after_commit', 'cut_before', 'cut_after_commit'],
  ...['json404_without_error', 'frequency_limited', 'bad_signature', 'signtest'],
  ...['stale_signature', 'unknown_serial', 'unsigned', 'html_200'],
])(
  'the WeChat adapter answers a request to close a payment with unknown after the fault %s',
  async (kind) => {
    const { payment } = await world.givenOrder();
    await world.fault(close, kind);
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
  },
);

test('the WeChat adapter reports closing a payment as unknown when WeChat refuses it but still lists the order as open', async () => {
  const { payment } = await world.givenOrder();
  const body = JSON.stringify({ code: 'INVALID_REQUEST', message: '' });
  await world.fault(close, 'other_answer', { status: 400, body });
  const open = { appid: appId, mchid: mchId, out_trade_no: payment.pspRef };
  const stillOpen = JSON.stringify({ ...open, trade_state: 'NOTPAY' });
  await world.fault(query, 'other_answer', { body: stillOpen });
  expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
  await world.fault(close, 'other_answer', { status: 200, body: '{"closed":false}' });
  expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
});
