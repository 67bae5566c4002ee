import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { giveUpOn, letGo } from '../../../../test/hanging.ts';
import { log } from '../../../platform/log.ts';
import type { PaymentRequest } from '../psp.ts';
import {
  type AdyenWorld,
  givenReference,
  givenRequest,
  merchantAccount,
  startAdyenWorld,
} from '../test/adyen-world.ts';

let world: AdyenWorld;
beforeAll(async () => {
  log.level = 'silent';
  world = await startAdyenWorld();
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const create = 'POST /v72/sessions';
const refusal = (changes: object = {}) =>
  JSON.stringify({
    status: 422,
    errorCode: '130',
    message: 'Required field',
    errorType: 'validation',
    ...changes,
  });
const other = (status: number, body: string) => ({ status, body });

const scenarios: [what: string, kind: string, more?: object][] = [
  ['a 500 before processing', 'http500_before'],
  ['a 500 after processing', 'http500_after_commit'],
  ['a connection cut before processing', 'cut_before'],
  ['a connection cut after processing', 'cut_after_commit'],
  ['a JSON 404 without an error code', 'json404_without_error'],
  ['too many requests', 'too_many'],
  ['a duplicate in progress', 'in_progress'],
  ['a truncated body', 'truncated'],
  ['an empty body', 'empty_200'],
  ['an HTML page', 'html_200'],
  ['an empty object', 'other_answer', other(201, '{}')],
  ['a JSON string', 'other_answer', other(201, '"url"')],
  ['a JSON array', 'other_answer', other(201, '[]')],
  ['a JSON null', 'other_answer', other(201, 'null')],
  ['a 202', 'other_answer', other(202, '{}')],
  ['a redirect', 'other_answer', other(308, '')],
  ['a 422 that is not JSON', 'other_answer', other(422, 'no')],
  ['a 422 without an error code', 'other_answer', other(422, '{}')],
  ['a 422 whose body says another status', 'other_answer', other(422, refusal({ status: 500 }))],
  [
    'a 422 with the error type internal',
    'other_answer',
    other(422, refusal({ errorType: 'internal' })),
  ],
  ['a 422 with an unknown error type', 'other_answer', other(422, refusal({ errorType: 'waf' }))],
  ['a 403', 'other_answer', other(403, refusal({ status: 403, errorType: 'security' }))],
  ['a 401', 'other_answer', other(401, refusal({ status: 401 }))],
  ['a 409', 'other_answer', other(409, refusal({ status: 409 }))],
  ['a 404 with an Adyen error', 'other_answer', other(404, refusal({ status: 404 }))],
  ['a 502 page', 'other_answer', other(502, '<html>')],
  ['a 500 with a validation error', 'other_answer', other(500, refusal())],
];

test('the tests of the Adyen adapter’s payment creation cover at least 20 unclear answers', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(20);
});

test.each(scenarios)(
  'the Adyen adapter reports a payment creation answered by %s as unknown, and its retry makes one paid session',
  async (_what, kind, more = {}) => {
    const request = givenRequest();
    await world.fault(create, kind, more);
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
    await expectOneSession(request);
  },
);

test.each<[string, (session: Record<string, unknown>) => object]>([
  ['another merchant account', (session) => ({ ...session, merchantAccount: 'Other' })],
  ['another reference', (session) => ({ ...session, reference: 'other' })],
  ['another amount', (session) => ({ ...session, amount: { value: 1, currency: 'USD' } })],
  ['another currency', (session) => ({ ...session, amount: { value: 499, currency: 'VND' } })],
  ['an amount as text', (session) => ({ ...session, amount: { value: '499', currency: 'USD' } })],
  ['no page URL', (session) => ({ ...session, url: undefined })],
  ['a page URL that is a script', (session) => ({ ...session, url: 'javascript:0' })],
  ['no session id', (session) => ({ ...session, id: undefined })],
  ['a malformed session id', (session) => ({ ...session, id: '../x' })],
])(
  'the Adyen adapter reports a payment creation answered with %s as unknown, and its retry makes one session',
  async (_what, change) => {
    const request = givenRequest();
    const reference = givenReference(request.reference);
    const genuine = { merchantAccount, reference, id: 'CS0', url: 'http://localhost/pay' };
    const body = JSON.stringify(change({ ...genuine, amount: { value: 499, currency: 'USD' } }));
    await world.fault(create, 'other_answer', { status: 201, body });
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
    await expectOneSession(request);
  },
);

test('the Adyen adapter reports a payment as created if Adyen’s answer has the reference, amount and merchant account that were sent', async () => {
  const request = givenRequest();
  const url = 'http://localhost/pay';
  const about = { merchantAccount, reference: givenReference(request.reference) };
  const body = JSON.stringify({
    ...about,
    id: 'CS0',
    url,
    amount: { value: 499, currency: 'USD' },
  });
  await world.fault(create, 'other_answer', { status: 201, body });
  expect(await world.provider.createPayment(request)).toEqual({
    outcome: 'created',
    pspRef: 'CS0',
    action: { kind: 'redirect', url },
  });
});

test('the Adyen adapter reports a payment creation unanswered for 12 seconds as unknown, and its retry makes one session', async () => {
  const request = givenRequest();
  await world.fault(create, 'hang');
  const { result, limitsMs } = await giveUpOn(world.outsider, () =>
    world.provider.createPayment(request),
  );
  expect(result).toMatchObject({ outcome: 'unknown' });
  expect(limitsMs).toEqual([12_000]);
  // The first request is still in progress, so Adyen answers its duplicate with error 704.
  expect(await world.provider.createPayment(request)).toMatchObject({
    outcome: 'unknown',
    cause: 'HTTP 422 validation 704',
  });
  await letGo(world.outsider);
  await vi.waitFor(async () => {
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'created' });
  }, 60_000);
  await expectOneSession(request);
});

test('the Adyen adapter reports a payment creation as unknown when the connection is refused', async () => {
  const nowhere = world.open({ apiBase: 'http://127.0.0.1:1' });
  expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
});

test('ten concurrent payment creations of the Adyen adapter with one attempt id make one session', async () => {
  const request = givenRequest();
  const results = await Promise.all(
    Array.from({ length: 10 }, () => world.provider.createPayment(request)),
  );
  const refs = results.flatMap((result) => (result.outcome === 'created' ? [result.pspRef] : []));
  expect(new Set(refs).size).toBe(1);
  expect(results.some(({ outcome }) => outcome === 'rejected')).toBe(false);
  await expectOneSession(request);
});

/** Repeats the create, pays the session, and expects exactly one session and one charge. */
async function expectOneSession(request: PaymentRequest): Promise<void> {
  const created = await world.provider.createPayment(request);
  if (created.outcome !== 'created') throw new Error(JSON.stringify(created));
  await world.pay(created.pspRef);
  const { sessions, charges } = await world.records();
  const { paymentId } = request.reference;
  const ours = sessions.filter(({ payment_id }) => payment_id === paymentId);
  expect(ours.map(({ id }) => id)).toEqual([created.pspRef]);
  expect(charges.filter(({ session }) => session === created.pspRef)).toMatchObject([
    { amount: 499 },
  ]);
}
