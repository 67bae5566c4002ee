import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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
    ...{ status: 422, errorCode: '130', message: 'Required field', errorType: 'validation' },
    ...changes,
  });
const other = (status: number, body: string) => ({ status, body });

const scenarios: [what: string, kind: string, more?: object][] = [
  ['a 500 before', 'http500_before'],
  ['a 500 after', 'http500_after_commit'],
  ['a connection cut before', 'cut_before'],
  ['a connection cut after', 'cut_after_commit'],
  ['a 404 page in JSON', 'json404_without_error'],
  ['too many requests', 'too_many'],
  ['a twin that is at work', 'in_progress'],
  ['half an answer', 'truncated'],
  ['an empty answer', 'empty_200'],
  ['a page instead of an answer', 'html_200'],
  ['an answer about nothing', 'other_answer', other(201, '{}')],
  ['an answer that is no object', 'other_answer', other(201, '"url"')],
  ['an answer that is a list', 'other_answer', other(201, '[]')],
  ['an answer of null', 'other_answer', other(201, 'null')],
  ['a success that is none', 'other_answer', other(202, '{}')],
  ['a redirection', 'other_answer', other(308, '')],
  ['a refusal that is no JSON', 'other_answer', other(422, 'no')],
  ['a refusal without a reason', 'other_answer', other(422, '{}')],
  ['a refusal of another status', 'other_answer', other(422, refusal({ status: 500 }))],
  [
    'a refusal by Adyen’s own fault',
    'other_answer',
    other(422, refusal({ errorType: 'internal' })),
  ],
  ['a word that is not Adyen’s', 'other_answer', other(422, refusal({ errorType: 'waf' }))],
  ['a prohibition', 'other_answer', other(403, refusal({ status: 403, errorType: 'security' }))],
  ['a key that is no longer good', 'other_answer', other(401, refusal({ status: 401 }))],
  ['a conflict', 'other_answer', other(409, refusal({ status: 409 }))],
  ['a 404 in Adyen’s words', 'other_answer', other(404, refusal({ status: 404 }))],
  ['a bad gateway', 'other_answer', other(502, '<html>')],
  ['a 500 with a refusal in it', 'other_answer', other(500, refusal())],
];

test('there are enough ways to be left in the dark', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(20);
});

describe.each(scenarios)('after %s', (_what, kind, more = {}) => {
  test('the outcome is unknown, and asking again makes one session that is paid once', async () => {
    const request = givenRequest();
    await world.fault(create, kind, more);
    expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
    await expectOneSession(request);
  });
});

test.each<[string, (session: Record<string, unknown>) => object]>([
  ['another merchant', (session) => ({ ...session, merchantAccount: 'Other' })],
  ['another order', (session) => ({ ...session, reference: 'other' })],
  ['another amount', (session) => ({ ...session, amount: { value: 1, currency: 'USD' } })],
  ['another currency', (session) => ({ ...session, amount: { value: 499, currency: 'VND' } })],
  ['an amount as text', (session) => ({ ...session, amount: { value: '499', currency: 'USD' } })],
  ['no page', (session) => ({ ...session, url: undefined })],
  ['a page that is a script', (session) => ({ ...session, url: 'javascript:0' })],
  ['no name', (session) => ({ ...session, id: undefined })],
  ['a name that is none', (session) => ({ ...session, id: '../x' })],
])('an answer for %s is unknown, and made once', async (_what, change) => {
  const request = givenRequest();
  const reference = givenReference(request.reference);
  const genuine = { merchantAccount, reference, id: 'CS0', url: 'http://localhost/pay' };
  const body = JSON.stringify(change({ ...genuine, amount: { value: 499, currency: 'USD' } }));
  await world.fault(create, 'other_answer', { status: 201, body });
  expect(await world.provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
  await expectOneSession(request);
});

test('an answer for exactly this is believed, so that the others are refused for what is wrong', async () => {
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
    ...{ outcome: 'created', pspRef: 'CS0', action: { kind: 'redirect', url } },
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
  // The first is still at work, and its twin is told so.
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

test('a payment that nobody is there to take is unknown', async () => {
  const nowhere = world.open({ apiBase: 'http://127.0.0.1:1' });
  expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
});

test('ten at once are one session', async () => {
  const request = givenRequest();
  const results = await Promise.all(
    Array.from({ length: 10 }, () => world.provider.createPayment(request)),
  );
  const refs = results.flatMap((result) => (result.outcome === 'created' ? [result.pspRef] : []));
  expect(new Set(refs).size).toBe(1);
  expect(results.some(({ outcome }) => outcome === 'rejected')).toBe(false);
  await expectOneSession(request);
});

/** The request again opens it for certain; then it is paid, and that is all there is. */
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
