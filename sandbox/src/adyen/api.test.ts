import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AdyenProgram,
  givenPaid,
  givenReference,
  givenSession,
  merchantAccount,
  Refused,
  startAdyen,
} from '../../test/adyen.ts';

let adyen: AdyenProgram;
beforeAll(async () => {
  adyen = await startAdyen();
});
beforeEach(() => adyen.tell('/__sandbox/reset'));
afterAll(() => adyen.stop());

const sessions = (changes = {}, idempotencyKey = randomUUID()) =>
  adyen.sdk.PaymentsApi.sessions(givenSession(changes), { idempotencyKey });

describe('Adyen sessions', () => {
  test('the Adyen sandbox answers a session request with the requested amount and a hosted payment page', async () => {
    const session = await sessions({ amount: { value: 500, currency: 'JPY' } });
    expect(session).toMatchObject({
      id: expect.stringMatching(/^CS[0-9A-F]{32}$/),
      merchantAccount,
      amount: { value: 500, currency: 'JPY' },
      mode: 'hosted',
    });
    const page = await fetch(session.url ?? '');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Pay ¥500');
  });

  test('the Adyen sandbox answers a session without a hosted page with session data and no URL', async () => {
    const session = await adyen.sdk.PaymentsApi.sessions({
      merchantAccount,
      amount: { value: 499, currency: 'USD' },
      reference: 'x',
      returnUrl: 'https://shop.test/',
    });
    expect(session).toMatchObject({ sessionData: expect.any(String) });
    expect(session.url).toBeUndefined();
  });

  test('the Adyen sandbox answers a repeated idempotency key with the first session, even for another body', async () => {
    const key = randomUUID();
    const first = await sessions({}, key);
    expect(await sessions({ amount: { value: 1, currency: 'EUR' } }, key)).toEqual(first);
    expect((await sessions()).id).not.toBe(first.id);
  });

  test('the Adyen sandbox refuses an idempotency key while its first request is in progress', async () => {
    const key = randomUUID();
    await adyen.tell('/__sandbox/faults', { match: 'POST /v72/sessions', kind: 'hang' });
    const { requests } = await adyen.records();
    const first = sessions({}, key);
    await expect.poll(async () => (await adyen.records()).requests).toBe(requests + 1);
    await expect(sessions({}, key)).rejects.toMatchObject({ body: { errorCode: '704' } });
    await adyen.tell('/__sandbox/release');
    expect(await sessions({}, key)).toEqual(await first);
  });

  test('the Adyen sandbox accepts the idempotency key of a failed request again', async () => {
    const key = randomUUID();
    await expect(sessions({ reference: '' }, key)).rejects.toMatchObject({ status: 422 });
    expect(await sessions({}, key)).toMatchObject({ mode: 'hosted' });
  });

  test.each<[string, object, number, string]>([
    ['another merchant account', { merchantAccount: 'Other' }, 403, '901'],
    ['no reference', { reference: undefined }, 422, '130'],
    ['a reference of 81 characters', { reference: 'x'.repeat(81) }, 422, '144'],
    ['no return URL', { returnUrl: undefined }, 422, '130'],
    ['a return URL with the javascript scheme', { returnUrl: 'javascript:0' }, 422, '128'],
    ['an unknown currency', { amount: { value: 1, currency: 'XQX' } }, 422, '138'],
    ['an expiry in the past', { expiresAt: new Date(0) }, 422, '14_030'],
    [
      'an expiry more than a day ahead',
      { expiresAt: new Date(Date.now() + 90_000_000) },
      422,
      '14_030',
    ],
  ])(
    'the Adyen sandbox refuses a session with %s with the error code of Adyen',
    async (_what, changes, status, errorCode) => {
      await expect(sessions(changes)).rejects.toMatchObject({
        status,
        body: { status, errorCode, message: expect.any(String), errorType: expect.any(String) },
      });
    },
  );

  test('the Adyen sandbox refuses a session request with a wrong or missing API key', async () => {
    const stranger = adyen.sdkWith('wrong').PaymentsApi.sessions(givenSession());
    await expect(stranger).rejects.toMatchObject({ status: 403, body: { errorCode: '010' } });
    const response = await fetch(`${adyen.url}/v72/sessions`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });
});

describe('Adyen payment page', () => {
  const press = (id: string, button: string) =>
    fetch(`${adyen.url}/hosted/${id}/${button}`, { method: 'POST', redirect: 'manual' });

  test('the Adyen sandbox charges a payer who pays twice once, and returns the payer with a session result', async () => {
    const { id, reference } = await sessions();
    const back = await press(id, 'pay');
    await press(id, 'pay');
    const url = new URL(back.headers.get('location') ?? '');
    expect(url.origin + url.pathname).toBe('http://localhost/main/recharge/detail/1');
    expect(url.searchParams.get('sessionId')).toBe(id);
    const result = await adyen.sdk.PaymentsApi.getResultOfPaymentSession(
      id,
      url.searchParams.get('sessionResult') ?? '',
    );
    expect(result).toMatchObject({
      id,
      reference,
      status: 'completed',
      payments: [{ amount: { value: 499, currency: 'USD' }, resultCode: 'Authorised' }],
    });
    const guessed = adyen.sdk.PaymentsApi.getResultOfPaymentSession(id, 'guessed');
    await expect(guessed).rejects.toBeInstanceOf(Refused);
    const { events } = await adyen.records();
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['CAPTURE', 'AUTHORISATION']);
  });

  test('the Adyen sandbox lets a payer retry a declined payment, and refuses the session after ten declines', async () => {
    const { id } = await sessions();
    expect((await press(id, 'decline')).headers.get('location')).toContain('declined=1');
    expect((await adyen.records()).events[0]).toMatchObject({
      type: 'AUTHORISATION',
      data: { object: { success: 'false' } },
    });
    for (let times = 0; times < 9; times += 1) await press(id, 'decline');
    expect((await press(id, 'pay')).status).toBe(410);
    expect((await adyen.records()).sessions[0]).toMatchObject({ id, status: 'refused' });
  });

  test('the Adyen sandbox takes payment of an expired session only if 3D Secure began before its expiry', async () => {
    const [late, busy] = [await sessions(), await sessions()];
    expect(await (await press(busy.id, 'challenge')).text()).toContain('Your bank asks');
    await adyen.tell('/__sandbox/clock', { advanceSeconds: 3600 });
    expect((await press(late.id, 'pay')).status).toBe(410);
    expect((await press(late.id, 'challenge')).status).toBe(410);
    expect((await press(busy.id, 'pay')).status).toBe(303);
  });

  test.each(['cancel', 'expire'])(
    'the Adyen sandbox takes no payment for a session that has already ended with the outcome %s',
    async (button) => {
      const { id } = await sessions();
      expect((await press(id, button)).status).toBe(410);
      expect((await press(id, 'pay')).status).toBe(410);
    },
  );

  test('the Adyen sandbox takes payment of a payer who stays on its page, and answers 404 to an unknown session', async () => {
    const { id } = await sessions();
    expect((await press(id, 'pay-and-stay')).headers.get('location')).toBe(`/hosted/${id}`);
    expect(await (await fetch(`${adyen.url}/hosted/${id}`)).text()).toContain('Paid');
    expect((await fetch(`${adyen.url}/hosted/CS0`)).status).toBe(404);
  });

  test('one call to the control API of the Adyen sandbox pays many sessions, and each charge is found by payment id', async () => {
    const paymentId = randomUUID();
    const { id } = await sessions({ reference: givenReference(paymentId) });
    const paid = await adyen.tell('/__sandbox/sessions/pay', { ids: [id, 'CS0'] });
    expect(paid).toMatchObject({
      sessions: [
        { id, outcome: 'paid' },
        { id: 'CS0', outcome: 'not_found' },
      ],
    });
    expect(await adyen.get(`/__sandbox/charges?paymentId=${paymentId}`)).toMatchObject({
      charges: [{ paymentId, amount: 499, currency: 'usd' }],
    });
  });
});

test('a fault planned by the control API fails one call to the Adyen sandbox, and creates a session only after the commit', async () => {
  const match = 'POST /v72/sessions';
  const before = (await adyen.records()).counts.sessions ?? 0;
  for (const [kind, isDone] of [
    ['http500_before', false],
    ['http500_after_commit', true],
    ['cut_before', false],
    ['cut_after_commit', true],
    ['json404_without_error', false],
    ['too_many', false],
    ['in_progress', false],
  ] as const) {
    await adyen.tell('/__sandbox/reset');
    const { counts } = await adyen.records();
    await adyen.tell('/__sandbox/faults', { match, kind });
    await expect(sessions()).rejects.toThrow();
    const made = ((await adyen.records()).counts.sessions ?? 0) - (counts.sessions ?? 0);
    expect({ kind, made }).toEqual({ kind, made: isDone ? 1 : 0 });
  }
  await sessions();
  expect((await adyen.records()).counts.sessions).toBe(before + 3);
});

test('the overview page of the Adyen sandbox shows a payment', async () => {
  const { pspReference } = await givenPaid(adyen);
  const page = await fetch(`${adyen.url}/__sandbox`);
  expect(await page.text()).toContain(pspReference);
  expect(await adyen.get('/__sandbox/health')).toEqual({ ok: true, service: 'adyen' });
});
