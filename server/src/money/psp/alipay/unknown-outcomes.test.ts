import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveUpOn, letGo } from '../../../../test/hanging.ts';
import { log } from '../../../platform/log.ts';
import type { PaymentRequest } from '../psp.ts';
import { type AlipayWorld, givenRequest, startAlipayWorld } from '../test/alipay-world.ts';

let world: AlipayWorld;
beforeAll(async () => {
  log.level = 'silent';
  world = await startAlipayWorld();
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const create = 'alipay.trade.precreate';
const name = 'alipay_trade_precreate_response';
const refusal = JSON.stringify({
  code: '40004',
  msg: 'Business Failed',
  sub_code: 'ACQ.CONTEXT_INCONSISTENT',
  sub_msg: '交易信息被篡改',
});
const code = (changes: object) =>
  JSON.stringify({
    code: '10000',
    msg: 'Success',
    out_trade_no: 'another',
    qr_code: 'https://qr.alipay.com/bax0',
    ...changes,
  });
const raw = (body: string, status = 200) => ({ body, status, isRaw: true });

const scenarios: [what: string, kind: string, more?: object][] = [
  ['a 500 before processing', 'http500_before'],
  ['a 500 after processing', 'http500_after_commit'],
  ['a connection cut before processing', 'cut_before'],
  ['a connection cut after processing', 'cut_after_commit'],
  ['a JSON 404 without an error code', 'json404_without_error'],
  ['a busy gateway', 'unavailable'],
  ['a system error after processing', 'system_error_after_commit'],
  ['an answer signed with an unknown key', 'bad_signature'],
  ['an answer changed after signing', 'altered'],
  ['an unsigned answer', 'unsigned'],
  ['an unsigned gateway error', 'error_response'],
  ['the answer to another method', 'other_method'],
  ['a truncated body', 'truncated'],
  ['an empty body', 'empty_200'],
  ['an HTML page', 'html_200'],
  ['a signed answer about another order', 'other_answer', { body: code({}) }],
  ['a signed empty object', 'other_answer', { body: '{}' }],
  ['a signed answer with only a code', 'other_answer', { body: '{"code":"10000"}' }],
  ['a signed JSON string', 'other_answer', { body: '"10000"' }],
  ['a QR code that is a script URL', 'other_answer', { body: code({ qr_code: 'javascript:0' }) }],
  ['a QR code on another host', 'other_answer', { body: code({ qr_code: 'https://a.test/x' }) }],
  ['a payment in progress', 'other_answer', { body: '{"code":"10003","msg":"waiting"}' }],
  ['a signed refusal because the order exists', 'other_answer', { body: refusal }],
  ['a signed refusal without a reason', 'other_answer', { body: '{"code":"40004"}' }],
  ['an unsigned refusal', 'other_answer', raw(`{"${name}":${refusal}}`)],
  ['a refusal with an empty signature', 'other_answer', raw(`{"${name}":${refusal},"sign":""}`)],
  ['a refusal with the HTTP status 403', 'other_answer', raw(refusal, 403)],
  ['a redirect', 'other_answer', raw('', 302)],
  ['a 502 page', 'other_answer', raw('<html>', 502)],
  ['too many requests', 'other_answer', raw('{}', 429)],
];

test('the tests of the Alipay adapter’s payment creation cover at least 20 unclear answers', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(20);
});

test.each(scenarios)(
  'the Alipay adapter reports a payment creation answered by %s as unknown, and its retry makes one paid order',
  async (_what, kind, more = {}) => {
    const request = givenRequest();
    await world.fault(create, kind, more);
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
    await expectOneOrder(request);
  },
);

test('the Alipay adapter reports a payment creation unanswered for 12 seconds as unknown, and its retry makes one order', async () => {
  const request = givenRequest();
  await world.fault(create, 'hang');
  const { result, limitsMs } = await giveUpOn(world.outsider, () =>
    world.provider.createPayment(request),
  );
  expect(result).toMatchObject({ outcome: 'unknown' });
  expect(limitsMs).toEqual([12_000]);
  await letGo(world.outsider);
  await expectOneOrder(request);
});

test('the Alipay adapter reports a payment creation as unknown when the connection is refused, and leaks no signature', async () => {
  const nowhere = world.open({ gateway: 'http://127.0.0.1:1/gateway.do' });
  const result = await nowhere.createPayment(givenRequest());
  expect(result).toMatchObject({ outcome: 'unknown' });
  expect(JSON.stringify(result)).not.toContain('sign=');
});

test('the Alipay adapter reports a payment creation answered with a duplicated field as unknown; its retry makes one order', async () => {
  const request = givenRequest();
  const forged = `{"${name}":${code({ out_trade_no: 'x' })},"${name}":{"code":"40004"},"sign":"AA=="}`;
  await world.fault(create, 'other_answer', raw(forged));
  expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
  await expectOneOrder(request);
});

test('the Alipay adapter sends the payer back to the shop when a repeated payment creation finds that the order was already paid', async () => {
  const request = givenRequest();
  const pspRef = request.reference.attemptId.replaceAll('-', '');
  await world.fault(create, 'cut_after_commit');
  await world.provider.createPayment(request);
  await world.outsider.tell(`/__sandbox/sessions/${pspRef}/pay`, {});
  expect(await world.provider.createPayment(request)).toEqual({
    outcome: 'created',
    pspRef,
    action: { kind: 'redirect', url: request.returnUrl },
  });
});

test('ten concurrent payment creations of the Alipay adapter with one attempt id make one order', async () => {
  const request = givenRequest();
  const results = await Promise.all(
    Array.from({ length: 10 }, () => world.provider.createPayment(request)),
  );
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  await expectOneOrder(request);
});

test('two Alipay payment pages that the adapter creates for one payment attempt can be paid only once', async () => {
  const request = givenRequest();
  const page = world.open({ desktop: 'page' });
  const [first, second] = [await page.createPayment(request), await page.createPayment(request)];
  await world.pay(first);
  await world.pay(second);
  const { charges } = await world.records();
  const pspRef = request.reference.attemptId.replaceAll('-', '');
  expect(charges.filter(({ outTradeNo }) => outTradeNo === pspRef)).toHaveLength(1);
});

/** Repeats the create, pays the order, and expects exactly one order and one charge. */
async function expectOneOrder(request: PaymentRequest): Promise<void> {
  const { reference, money } = request;
  const pspRef = reference.attemptId.replaceAll('-', '');
  const created = await world.provider.createPayment(request);
  expect(created).toMatchObject({ outcome: 'created', pspRef });
  await world.pay(created);
  expect(await world.provider.queryPayment({ pspRef, reference, money })).toMatchObject({
    status: 'complete',
    captures: [{ money }],
  });
  const { sessions, charges } = await world.records();
  expect(sessions.filter(({ payment_id }) => payment_id === reference.paymentId)).toHaveLength(1);
  expect(charges.filter(({ outTradeNo }) => outTradeNo === pspRef)).toMatchObject([
    { amount: 64_800 },
  ]);
}
