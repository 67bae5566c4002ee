import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveUpOn, letGo } from '../../../../test/hanging.ts';
import { log } from '../../../platform/log.ts';
import type { PaymentRequest } from '../psp.ts';
import { givenRequest, startWechatpayWorld, type WechatpayWorld } from '../test/wechatpay-world.ts';

let world: WechatpayWorld;
beforeAll(async () => {
  log.level = 'silent';
  world = await startWechatpayWorld();
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const create = 'POST /v3/pay/transactions/native';
const refusal = JSON.stringify({ code: 'PARAM_ERROR', message: '参数错误' });
const gone = JSON.stringify({ code: 'ORDER_NOT_EXIST', message: '订单不存在' });
// The adapter retries once after an unverifiable answer, so an unknown outcome takes two of them.
const twice = { times: 2 };

const scenarios: [what: string, kind: string, more?: object][] = [
  ['a 500 before processing', 'http500_before'],
  ['a 500 after processing', 'http500_after_commit'],
  ['a connection cut before processing', 'cut_before'],
  ['a connection cut after processing', 'cut_after_commit'],
  ['a JSON 404 without an error code', 'json404_without_error'],
  ['too many requests', 'frequency_limited'],
  ['answers signed with an unknown key', 'bad_signature', twice],
  ['signature probes', 'signtest', twice],
  ['answers signed an hour ago', 'stale_signature', twice],
  ['answers signed an hour in the future', 'future_signature', twice],
  ['answers with an unknown key serial', 'unknown_serial', twice],
  ['unsigned answers', 'unsigned', twice],
  ['truncated bodies', 'truncated', twice],
  ['an empty body', 'empty_200'],
  ['HTML pages', 'html_200', twice],
  ['a signed answer without a code URL', 'other_answer', { body: '{"prepay_id":"wx1"}' }],
  ['a signed empty object', 'other_answer', { body: '{}' }],
  ['a signed JSON string', 'other_answer', { body: '"code_url"' }],
  ['a code URL that is a script', 'other_answer', { body: '{"code_url":"javascript:0"}' }],
  ['a signed refusal after processing', 'other_answer', { status: 400, body: refusal }],
  ['an unsigned 400', 'other_answer', unsigned(400, refusal)],
  ['an unsigned 403', 'other_answer', unsigned(403, refusal)],
  ['an unsigned 404', 'other_answer', unsigned(404, gone)],
  ['a signed 400 without a code', 'other_answer', { status: 400, body: '{}' }],
  ['a signed 400 that is not JSON', 'other_answer', { status: 400, body: 'no' }],
  ['an unsigned redirect', 'other_answer', unsigned(302, '')],
  ['a signed 202', 'other_answer', { status: 202, body: '{}' }],
  ['an unsigned 502', 'other_answer', unsigned(502, '<html>')],
  ['a signed 500', 'other_answer', { status: 500, body: refusal }],
];

function unsigned(status: number, body: string) {
  return { status, body, isUnsigned: true };
}

test('the tests of the WeChat adapter’s payment creation cover at least 20 unclear answers', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(20);
});

test.each(scenarios)(
  'the WeChat adapter reports a payment creation answered by %s as unknown, and its retry makes one paid order',
  async (_what, kind, more = {}) => {
    const request = givenRequest();
    await world.fault(create, kind, more);
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
    await expectOneOrder(request);
  },
);

test('the WeChat adapter reports a payment creation unanswered for 12 seconds as unknown, and its retry makes one order', async () => {
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

test('the WeChat adapter reports a payment creation as unknown when the connection is refused', async () => {
  const nowhere = world.open({ apiBase: 'http://127.0.0.1:1' });
  expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
});

test.each(['signtest', 'bad_signature', 'stale_signature', 'unsigned'])(
  'the WeChat adapter repeats a payment creation at once, with the same order number, after an unverifiable answer (%s)',
  async (kind) => {
    const request = givenRequest();
    const before = (await world.records()).requests;
    await world.fault(create, kind);
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'created' });
    expect((await world.records()).requests).toBe(before + 2);
    await expectOneOrder(request);
  },
);

test('the WeChat adapter sends the payer back to the shop when a repeated payment creation finds that the order was already paid', async () => {
  const request = givenRequest();
  await world.fault(create, 'cut_after_commit');
  await world.provider.createPayment(request);
  const pspRef = request.reference.attemptId.replaceAll('-', '');
  await world.pay(pspRef);
  expect(await world.provider.createPayment(request)).toEqual({
    outcome: 'created',
    pspRef,
    action: { kind: 'redirect', url: request.returnUrl },
  });
  await expectOneOrder(request);
});

test('ten concurrent payment creations of the WeChat adapter with one attempt id make one order', async () => {
  const request = givenRequest();
  const results = await Promise.all(
    Array.from({ length: 10 }, () => world.provider.createPayment(request)),
  );
  // The end of a link depends on when its answer came, so that field is left out.
  const told = results.map((result) => JSON.stringify({ ...result, actionEndsAt: null }));
  expect(new Set(told).size).toBe(1);
  await expectOneOrder(request);
});

/** Repeats the create, pays the order, and expects exactly one order and one charge. */
async function expectOneOrder(request: PaymentRequest): Promise<void> {
  const { reference, money } = request;
  const pspRef = reference.attemptId.replaceAll('-', '');
  expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'created', pspRef });
  await world.pay(pspRef);
  expect(await world.provider.queryPayment({ pspRef, reference, money })).toMatchObject({
    status: 'complete',
    captures: [{ money }],
  });
  const { sessions, charges } = await world.records();
  expect(sessions.filter(({ payment_id }) => payment_id === reference.paymentId)).toHaveLength(1);
  expect(charges.filter(({ outTradeNo }) => outTradeNo === pspRef)).toMatchObject([
    { amount: 600 },
  ]);
}
