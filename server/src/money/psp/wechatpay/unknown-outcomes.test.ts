import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
// A forged answer is asked for again at once, so it takes two to be left in the dark.
const twice = { times: 2 };

const scenarios: [what: string, kind: string, more?: object][] = [
  ['a 500 before', 'http500_before'],
  ['a 500 after', 'http500_after_commit'],
  ['a connection cut before', 'cut_before'],
  ['a connection cut after', 'cut_after_commit'],
  ['a 404 page in JSON', 'json404_without_error'],
  ['too many requests', 'frequency_limited'],
  ['answers signed by a stranger', 'bad_signature', twice],
  ['probes', 'signtest', twice],
  ['answers of an hour ago', 'stale_signature', twice],
  ['answers of an hour to come', 'future_signature', twice],
  ['answers by a key nobody knows', 'unknown_serial', twice],
  ['answers that nobody signed', 'unsigned', twice],
  ['half an answer', 'truncated', twice],
  ['an empty answer', 'empty_200'],
  ['a page instead of an answer', 'html_200', twice],
  ['a signed answer of another kind', 'other_answer', { body: '{"prepay_id":"wx1"}' }],
  ['a signed answer about nothing', 'other_answer', { body: '{}' }],
  ['a signed answer that is no object', 'other_answer', { body: '"code_url"' }],
  ['a code that is no code', 'other_answer', { body: '{"code_url":"javascript:0"}' }],
  ['a signed refusal although it was made', 'other_answer', { status: 400, body: refusal }],
  ['a refusal that nobody signed', 'other_answer', unsigned(400, refusal)],
  ['a prohibition that nobody signed', 'other_answer', unsigned(403, refusal)],
  ['a 404 that nobody signed', 'other_answer', unsigned(404, gone)],
  ['a refusal without a reason', 'other_answer', { status: 400, body: '{}' }],
  ['a refusal that is no JSON', 'other_answer', { status: 400, body: 'no' }],
  ['a redirection', 'other_answer', unsigned(302, '')],
  ['a success that is none', 'other_answer', { status: 202, body: '{}' }],
  ['a bad gateway', 'other_answer', unsigned(502, '<html>')],
  ['a gateway’s own 500, signed', 'other_answer', { status: 500, body: refusal }],
];

function unsigned(status: number, body: string) {
  return { status, body, isUnsigned: true };
}

test('there are enough ways to be left in the dark', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(20);
});

describe.each(scenarios)('after %s', (_what, kind, more = {}) => {
  test('the outcome is unknown, and asking again makes one order that is paid once', async () => {
    const request = givenRequest();
    await world.fault(create, kind, more);
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
    await expectOneOrder(request);
  });
});

test('a payment that does not come back in time is unknown, and made once', async () => {
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

test('a payment that nobody is there to take is unknown', async () => {
  const nowhere = world.open({ apiBase: 'http://127.0.0.1:1' });
  expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
});

test.each(['signtest', 'bad_signature', 'stale_signature', 'unsigned'])(
  'one answer with %s is asked for again at once, under the same number',
  async (kind) => {
    const request = givenRequest();
    const before = (await world.records()).requests;
    await world.fault(create, kind);
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'created' });
    expect((await world.records()).requests).toBe(before + 2);
    await expectOneOrder(request);
  },
);

test('an order that was paid while its answer was lost is found and not opened again', async () => {
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

test('ten at once are one order', async () => {
  const request = givenRequest();
  const results = await Promise.all(
    Array.from({ length: 10 }, () => world.provider.createPayment(request)),
  );
  // But for when each of the answers came, and its link ends.
  const told = results.map((result) => JSON.stringify({ ...result, actionEndsAt: null }));
  expect(new Set(told).size).toBe(1);
  await expectOneOrder(request);
});

/** The request again opens it for certain; then it is paid, and that is all there is. */
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
