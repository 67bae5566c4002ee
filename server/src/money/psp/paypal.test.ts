import { randomUUID } from 'node:crypto';
import { type Locale, locales } from '@pointgate/contract/locales.ts';
import { type CurrencyCode, currencyDecimals, type Money } from '@pointgate/contract/money.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '../../platform/log.ts';
import { callOut } from '../../platform/outbound.ts';
import { paypalCapabilities } from './paypal.ts';
import type { PaymentProvider } from './psp.ts';
import { givenRequest, type PaypalWorld, silences, startPaypalWorld } from './test/paypal-world.ts';

let world: PaypalWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startPaypalWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterEach(() => vi.restoreAllMocks());
afterAll(() => world.outsider.stop());

const create = 'POST /v2/checkout/orders';
const query = 'GET /v2/checkout/orders/:id';

async function orderAt(pspRef: string) {
  const { orders } = await world.records();
  return orders.find(({ id }) => id === pspRef);
}

async function chargesOf({ pspRef }: { pspRef: string }) {
  const { charges } = await world.records();
  return charges.filter(({ order }) => order === pspRef);
}

test('the PayPal adapter creates, captures and refunds a payment and reports its dispute', async () => {
  const { payment, action } = await world.givenOrder();
  expect(action).toMatchObject({ kind: 'redirect' });
  await world.approve(payment.pspRef);
  expect(await provider.queryPayment(payment)).toMatchObject({ status: 'approved', captures: [] });
  const taken = await world.capture(payment);
  expect(taken).toMatchObject({ status: 'complete', captures: [{ money: payment.money }] });
  const captureId = taken.outcome === 'ok' ? (taken.captures[0]?.captureId ?? '') : '';

  const part = { amountMinor: 100n, currency: 'USD' } as const;
  const rest = { amountMinor: 399n, currency: 'USD' } as const;
  for (const money of [part, rest]) {
    const request = { refundId: randomUUID(), payment, captureId, money, reason: 'other' } as const;
    expect(await provider.refund(request)).toEqual({ outcome: 'accepted', state: 'done' });
  }
  const dispute = { paymentIntent: captureId, stage: 'open' };
  const { id } = Object(await world.outsider.tell('/__sandbox/disputes', dispute));
  await world.outsider.tell(`/__sandbox/disputes/${id}`, { stage: 'lost' });
  expect(await provider.queryPayment(payment)).toMatchObject({
    status: 'complete',
    captures: [{ captureId, money: payment.money }],
    refunds: [
      { isOurs: true, captureId, money: part, state: 'done' },
      { isOurs: true, captureId, money: rest, state: 'done' },
    ],
    disputes: [{ disputeId: id, captureId, money: payment.money, stage: 'lost' }],
  });
});

describe('opening a PayPal payment', () => {
  test('the PayPal adapter creates an order with the exact amount and the payment reference', async () => {
    const { request, pspRef } = await world.givenOrder();
    const { accountId, paymentId, attemptId } = request.reference;
    expect(await orderAt(pspRef)).toMatchObject({
      status: 'PAYER_ACTION_REQUIRED',
      purchase_units: [
        {
          reference_id: paymentId,
          custom_id: `${accountId}.${paymentId}.${attemptId}`,
          invoice_id: attemptId,
          amount: { currency_code: 'USD', value: '4.99' },
        },
      ],
    });
  });

  test('the PayPal adapter creates an order whose return URL has the parameters via=paypal and token with the order id', async () => {
    const { action, pspRef } = await world.givenOrder();
    if (action.kind !== 'redirect') throw new Error('there is no redirect');
    const decide = await (await fetch(action.url)).text();
    expect(decide).toContain(`/main/recharge/detail/1?via=paypal&amp;token=${pspRef}`);
  });

  test('the PayPal adapter’s payment creation repeated with the same attempt id returns the same order', async () => {
    const { request, pspRef } = await world.givenOrder();
    expect(await provider.createPayment(request)).toMatchObject({ outcome: 'created', pspRef });
  });

  test('the PayPal adapter reports a rejected payment creation with PayPal’s error code, and one with bad credentials as refused key', async () => {
    const endless = givenRequest({ returnUrl: 'ftp://localhost/' });
    expect(await provider.createPayment(endless)).toEqual({
      outcome: 'rejected',
      code: 'INVALID_PARAMETER_SYNTAX',
      isKeyRefused: false,
    });
    const stranger = world.open({ clientSecret: 'wrong' });
    expect(await stranger.createPayment(givenRequest())).toEqual({
      outcome: 'rejected',
      code: 'invalid_client',
      isKeyRefused: true,
    });
  });

  test('the PayPal adapter reports a payment creation that reuses a request id for another amount as unknown, not rejected', async () => {
    const { request } = await world.givenOrder();
    const other = { ...request, money: { amountMinor: 1n, currency: 'USD' } as const };
    expect(await provider.createPayment(other)).toMatchObject({ outcome: 'unknown' });
  });

  test('the PayPal adapter reports a payment creation as unknown while the first request with its request id is in progress', async () => {
    const request = givenRequest();
    await world.fault(create, 'hang');
    const first = provider.createPayment(request);
    await expect
      .poll(async () => (await world.records()).requests[0])
      .toMatchObject({ path: '/v2/checkout/orders', request_id: request.reference.attemptId });
    expect(await provider.createPayment(request)).toMatchObject({
      outcome: 'unknown',
      cause: 'HTTP 409 PREVIOUS_REQUEST_IN_PROGRESS',
    });
    await world.outsider.tell('/__sandbox/release', {});
    expect(await first).toMatchObject({ outcome: 'created' });
  });

  test('the PayPal sandbox accepts an order that the adapter creates in each of the nine player locales', async () => {
    for (const locale of locales satisfies readonly Locale[]) {
      expect((await world.givenOrder({ locale })).pspRef).not.toBe('');
    }
  });

  test('the PayPal sandbox accepts an order that the adapter creates with a description of 500 characters', async () => {
    await world.givenOrder({ description: 'x'.repeat(500) });
  });
});

describe('PayPal amounts', () => {
  test.each<[CurrencyCode, bigint, string]>([
    ['USD', 12_345n, '123.45'],
    ['EUR', 12_345n, '123.45'],
    ['HKD', 12_345n, '123.45'],
    ['THB', 12_345n, '123.45'],
    ['TWD', 12_300n, '123'],
    ['JPY', 12_345n, '12345'],
  ])(
    'the PayPal adapter sends an amount in %s and reads it back without loss',
    async (currency, amountMinor, value) => {
      const money: Money = { amountMinor, currency };
      const { payment } = await world.givenCapture({ money });
      expect(await orderAt(payment.pspRef)).toMatchObject({
        purchase_units: [{ amount: { currency_code: currency, value } }],
      });
      expect(await provider.queryPayment(payment)).toMatchObject({ captures: [{ money }] });
    },
  );

  test.each<[string, Money]>([
    ['an amount in KRW', { amountMinor: 5_000n, currency: 'KRW' }],
    ['an amount in VND', { amountMinor: 50_000n, currency: 'VND' }],
    ['an amount in CNY', { amountMinor: 500n, currency: 'CNY' }],
    ['a fraction of a Taiwan dollar', { amountMinor: 12_345n, currency: 'TWD' }],
  ])(
    'the PayPal adapter rejects an amount that PayPal does not support without calling PayPal: %s',
    async (_what, money) => {
      const before = (await world.records()).requests.length;
      expect(await provider.createPayment(givenRequest({ money }))).toEqual({
        outcome: 'rejected',
        code: 'CURRENCY_NOT_SUPPORTED',
      });
      expect((await world.records()).requests).toHaveLength(before);
    },
  );

  test('the PayPal adapter declares the currencies EUR, HKD, JPY, THB, TWD and USD, with TWD and JPY without decimals', () => {
    const { currencies } = paypalCapabilities;
    const taken = Object.keys(currencyDecimals).filter((currency) => currency in currencies);
    expect(taken.sort()).toEqual(['EUR', 'HKD', 'JPY', 'THB', 'TWD', 'USD']);
    expect([currencies.TWD?.decimals, currencies.JPY?.decimals]).toEqual([0, 0]);
  });

  test('the PayPal adapter reports a capture with the amount captured, not the amount requested', async () => {
    const { payment } = await world.givenOrder();
    await world.approve(payment.pspRef, { amount: 7, currency: 'JPY' });
    expect(await world.capture(payment)).toMatchObject({
      captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }],
    });
  });

  test('the PayPal adapter reports a capture in an unsupported currency as unknown instead of unpaid', async () => {
    const { payment } = await world.givenOrder();
    await world.approve(payment.pspRef, { currency: 'GBP' });
    expect(await world.capture(payment)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('querying a PayPal payment', () => {
  test('the PayPal adapter reports an order that expired before its approval as not_found, and one that expired after it as closed', async () => {
    const [lonely, approved] = [await world.givenOrder(), await world.givenOrder()];
    await world.approve(approved.pspRef);
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 3 * 3600 + 1 });
    expect(await provider.queryPayment(lonely.payment)).toEqual({ outcome: 'not_found' });
    expect(await provider.closePayment(lonely.payment)).toEqual({ outcome: 'not_found' });
    expect(await provider.queryPayment(approved.payment)).toMatchObject({ status: 'closed' });
  });

  test.each(silences)(
    'the PayPal adapter reports a payment query or close answered by %s as unknown',
    async (_what, kind, more) => {
      const { payment } = await world.givenCapture();
      await world.fault(query, kind, more);
      expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
      await world.fault(query, kind, more);
      expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
    },
  );

  test.each<[string, object]>([
    ['an unknown order status', { status: 'THINKING' }],
    ['a foreign reference', { 'purchase_units.0.custom_id': 'other' }],
    ['another order id', { id: '5O190127TN364715T' }],
    ['an amount that is not a number', { 'purchase_units.0.amount.value': '4,99' }],
    [
      'a capture with too many decimals',
      { 'purchase_units.0.payments.captures.0.amount.value': '4.991' },
    ],
    ['an unknown capture status', { 'purchase_units.0.payments.captures.0.status': 'ODD' }],
    ['a completed order without captures', { 'purchase_units.0.payments.captures': [] }],
  ])(
    'the PayPal adapter reports a payment query answered with %s as unknown, never failed',
    async (_what, changes) => {
      const { payment } = await world.givenCapture();
      await world.fault(query, 'altered', { changes });
      expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
    },
  );

  test('the PayPal adapter finds a capture by its id only if the capture has the shop’s reference', async () => {
    const { captureId, payment } = await world.givenCapture();
    expect(await provider.findCapture(captureId)).toEqual({
      outcome: 'ok',
      reference: payment.reference,
    });
    expect(await provider.findCapture('5O190127TN364715T')).toEqual({ outcome: 'not_found' });
    const find = 'GET /v2/payments/captures/:id';
    await world.fault(find, 'altered', { changes: { custom_id: 'not ours' } });
    expect(await provider.findCapture(captureId)).toEqual({ outcome: 'not_found' });
    await world.fault(find, 'altered', { changes: { id: '5O190127TN364715T' } });
    expect(await provider.findCapture(captureId)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('closing a PayPal payment', () => {
  test('the PayPal adapter reports an uncaptured order, approved or not, as closed when asked to close it, and captures nothing', async () => {
    const { payment } = await world.givenOrder();
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
    await world.approve(payment.pspRef);
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
    expect(await chargesOf(payment)).toEqual([]);
  });

  test('the PayPal adapter answers a request to close a captured order with already_paid', async () => {
    const { payment } = await world.givenCapture();
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'already_paid' });
  });
});

describe('PayPal access tokens', () => {
  test('the PayPal adapter uses one access token for several calls and fetches a new one when PayPal has revoked it', async () => {
    const own = world.open();
    const { payment } = await world.givenOrder();
    const tokens = async () =>
      (await world.records()).requests.filter(({ path }) => path === '/v1/oauth2/token').length;
    const before = await tokens();
    await own.queryPayment(payment);
    await own.queryPayment(payment);
    expect(await tokens()).toBe(before + 1);
    await world.outsider.tell('/__sandbox/tokens/end', {});
    expect(await own.queryPayment(payment)).toMatchObject({ outcome: 'ok' });
    expect(await tokens()).toBe(before + 2);
  });

  test('the PayPal adapter fetches an access token on the next call when the first fetch failed', async () => {
    const own = world.open();
    const { payment } = await world.givenOrder();
    await world.fault('POST /v1/oauth2/token', 'cut_before');
    expect(await own.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
    expect(await own.queryPayment(payment)).toMatchObject({ outcome: 'ok' });
    await world.outsider.tell('/__sandbox/tokens/end', {});
    await world.fault('POST /v1/oauth2/token', 'http500_before');
    expect(await own.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
    expect(await own.queryPayment(payment)).toMatchObject({ outcome: 'ok' });
  });

  test('the PayPal adapter’s error about a failed call contains neither the access token nor the credentials', async () => {
    const { payment } = await world.givenOrder();
    await world.fault(query, 'cut_before');
    expect(JSON.stringify(await provider.queryPayment(payment))).not.toMatch(/A21AA|secret|Basic/);
  });
});

describe('PayPal connections', () => {
  test('the PayPal adapter reports a call to a server whose certificate does not prove PayPal’s host name as unknown', async () => {
    const { rootCertificate: own, ...rest } = world.route;
    const other = await startPaypalWorld();
    try {
      const strangers = world.open({
        route: { ...rest, rootCertificate: other.route.rootCertificate },
      });
      expect(await strangers.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
      const elsewhere = world.open({ environment: 'production' });
      expect(await elsewhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
      expect(own).toContain('BEGIN CERTIFICATE');
    } finally {
      await other.outsider.stop();
    }
  });

  test('an outgoing call of the shop to a payment provider follows no redirect and refuses a reply above its size limit', async () => {
    const { pspRef } = await world.givenOrder();
    const home = 'https://api-m.sandbox.paypal.com';
    const common = { headers: {}, timeoutMs: 5_000, route: world.route };
    const url = `${home}/checkoutnow/approve?token=${pspRef}`;
    await expect(callOut({ url, method: 'POST', ...common })).rejects.toThrow('a redirect');
    const long = { url: `${home}/__sandbox`, method: 'GET', ...common } as const;
    expect((await callOut(long)).body.byteLength).toBeGreaterThan(100);
    await expect(callOut({ ...long, replyBytesMax: 100 })).rejects.toThrow('more than 100 bytes');
  });

  test('the PayPal adapter reports a payment creation as unknown when the connection is refused or no answer comes within 12 seconds', async () => {
    const nowhere = world.open({ route: { ...world.route, port: 1 } });
    expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(300));
    await world.fault(create, 'hang', { hangMs: 2_000 });
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    expect(timeout).toHaveBeenCalledWith(12_000);
  });
});
