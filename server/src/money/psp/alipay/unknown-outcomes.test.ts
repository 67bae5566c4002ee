import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
  ...{ code: '40004', msg: 'Business Failed' },
  ...{ sub_code: 'ACQ.CONTEXT_INCONSISTENT', sub_msg: '交易信息被篡改' },
});
const code = (changes: object) =>
  JSON.stringify({
    ...{ code: '10000', msg: 'Success', out_trade_no: 'another' },
    ...{ qr_code: 'https://qr.alipay.com/bax0', ...changes },
  });
const raw = (body: string, status = 200) => ({ body, status, isRaw: true });

const scenarios: [what: string, kind: string, more?: object][] = [
  ['a 500 before', 'http500_before'],
  ['a 500 after', 'http500_after_commit'],
  ['a connection cut before', 'cut_before'],
  ['a connection cut after', 'cut_after_commit'],
  ['a 404 page in JSON', 'json404_without_error'],
  ['a gateway that is busy', 'unavailable'],
  ['a system error although it was made', 'system_error_after_commit'],
  ['an answer signed by a stranger', 'bad_signature'],
  ['an answer that was altered', 'altered'],
  ['an answer that nobody signed', 'unsigned'],
  ['a refusal of the gateway that nobody signed', 'error_response'],
  ['the answer to another call', 'other_method'],
  ['half an answer', 'truncated'],
  ['an empty answer', 'empty_200'],
  ['a page instead of an answer', 'html_200'],
  ['a signed answer about another order', 'other_answer', { body: code({}) }],
  ['a signed answer about nothing', 'other_answer', { body: '{}' }],
  ['a signed answer with only a code', 'other_answer', { body: '{"code":"10000"}' }],
  ['a signed answer that is no object', 'other_answer', { body: '"10000"' }],
  ['a code that is a script', 'other_answer', { body: code({ qr_code: 'javascript:0' }) }],
  ['a code of somebody else', 'other_answer', { body: code({ qr_code: 'https://a.test/x' }) }],
  ['a payment in progress', 'other_answer', { body: '{"code":"10003","msg":"waiting"}' }],
  ['a signed refusal that says it is there', 'other_answer', { body: refusal }],
  ['a refusal without a reason', 'other_answer', { body: '{"code":"40004"}' }],
  ['a refusal that nobody signed', 'other_answer', raw(`{"${name}":${refusal}}`)],
  ['a refusal with no signature in it', 'other_answer', raw(`{"${name}":${refusal},"sign":""}`)],
  ['a refusal with a bad status', 'other_answer', raw(refusal, 403)],
  ['a redirection', 'other_answer', raw('', 302)],
  ['a bad gateway', 'other_answer', raw('<html>', 502)],
  ['too many requests', 'other_answer', raw('{}', 429)],
];

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

test('a payment that nobody is there to take is unknown, and what was signed stays unsaid', async () => {
  const nowhere = world.open({ gateway: 'http://127.0.0.1:1/gateway.do' });
  const result = await nowhere.createPayment(givenRequest());
  expect(result).toMatchObject({ outcome: 'unknown' });
  expect(JSON.stringify(result)).not.toContain('sign=');
});

test('an answer that holds a signed one beside a forged one is not believed', async () => {
  const request = givenRequest();
  const forged = `{"${name}":${code({ out_trade_no: 'x' })},"${name}":{"code":"40004"},"sign":"AA=="}`;
  await world.fault(create, 'other_answer', raw(forged));
  expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
  await expectOneOrder(request);
});

test('an order that was paid while its answer was lost is found and not opened again', async () => {
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

test('ten at once are one order', async () => {
  const request = givenRequest();
  const results = await Promise.all(
    Array.from({ length: 10 }, () => world.provider.createPayment(request)),
  );
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  await expectOneOrder(request);
});

test('a page needs no answer: with nobody there it is created, and paid once', async () => {
  const request = givenRequest();
  const page = world.open({ desktop: 'page' });
  const [first, second] = [await page.createPayment(request), await page.createPayment(request)];
  await world.pay(first);
  await world.pay(second);
  const { charges } = await world.records();
  const pspRef = request.reference.attemptId.replaceAll('-', '');
  expect(charges.filter(({ outTradeNo }) => outTradeNo === pspRef)).toHaveLength(1);
});

/** The request again opens it for certain; then it is paid, and that is all there is. */
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
