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

test('a payment lives from its opening to a dispute that is lost', async () => {
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

describe('opening a payment', () => {
  test('makes an order over exactly this amount that carries our reference', async () => {
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

  test('marks the way back, on which PayPal calls its order a token', async () => {
    const { action, pspRef } = await world.givenOrder();
    if (action.kind !== 'redirect') throw new Error('nowhere to go');
    const decide = await (await fetch(action.url)).text();
    expect(decide).toContain(`/main/recharge/detail/1?via=paypal&amp;token=${pspRef}`);
  });

  test('again with the same id is the same order', async () => {
    const { request, pspRef } = await world.givenOrder();
    expect(await provider.createPayment(request)).toMatchObject({ outcome: 'created', pspRef });
  });

  test('is rejected where the provider says why it made nothing', async () => {
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

  test('is unknown, not rejected, where our id stands for another request', async () => {
    const { request } = await world.givenOrder();
    const other = { ...request, money: { amountMinor: 1n, currency: 'USD' } as const };
    expect(await provider.createPayment(other)).toMatchObject({ outcome: 'unknown' });
  });

  test('is unknown while the same request is still being worked on', async () => {
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

  test('asks for the page in the language of the player, as PayPal spells it', async () => {
    for (const locale of locales satisfies readonly Locale[]) {
      expect((await world.givenOrder({ locale })).pspRef).not.toBe('');
    }
  });

  test('a description too long for PayPal is cut, and the payment goes on', async () => {
    await world.givenOrder({ description: 'x'.repeat(500) });
  });
});

describe('money', () => {
  test.each<[CurrencyCode, bigint, string]>([
    ['USD', 12_345n, '123.45'],
    ['EUR', 12_345n, '123.45'],
    ['HKD', 12_345n, '123.45'],
    ['THB', 12_345n, '123.45'],
    ['TWD', 12_300n, '123'],
    ['JPY', 12_345n, '12345'],
  ])(
    'every unit of %s that was asked for is every unit that comes back',
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
    ['won', { amountMinor: 5_000n, currency: 'KRW' }],
    ['dong', { amountMinor: 50_000n, currency: 'VND' }],
    ['yuan', { amountMinor: 500n, currency: 'CNY' }],
    ['a part of a Taiwan dollar', { amountMinor: 12_345n, currency: 'TWD' }],
  ])('%s cannot be charged, and is refused before anybody is asked', async (_what, money) => {
    const before = (await world.records()).requests.length;
    expect(await provider.createPayment(givenRequest({ money }))).toEqual({
      outcome: 'rejected',
      code: 'CURRENCY_NOT_SUPPORTED',
    });
    expect((await world.records()).requests).toHaveLength(before);
  });

  test('what can be charged is known to whoever loads a price list', () => {
    const { currencies } = paypalCapabilities;
    const taken = Object.keys(currencyDecimals).filter((currency) => currency in currencies);
    expect(taken.sort()).toEqual(['EUR', 'HKD', 'JPY', 'THB', 'TWD', 'USD']);
    expect([currencies.TWD?.decimals, currencies.JPY?.decimals]).toEqual([0, 0]);
  });

  test('is what was taken, not what was asked for', async () => {
    const { payment } = await world.givenOrder();
    await world.approve(payment.pspRef, { amount: 7, currency: 'JPY' });
    expect(await world.capture(payment)).toMatchObject({
      captures: [{ money: { amountMinor: 7n, currency: 'JPY' } }],
    });
  });

  test('in a currency we do not know is unknown, not nothing', async () => {
    const { payment } = await world.givenOrder();
    await world.approve(payment.pspRef, { currency: 'GBP' });
    expect(await world.capture(payment)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('asking about a payment', () => {
  test('an order that is gone is not found; an approval that was given back is closed', async () => {
    const [lonely, approved] = [await world.givenOrder(), await world.givenOrder()];
    await world.approve(approved.pspRef);
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 3 * 3600 + 1 });
    expect(await provider.queryPayment(lonely.payment)).toEqual({ outcome: 'not_found' });
    expect(await provider.closePayment(lonely.payment)).toEqual({ outcome: 'not_found' });
    expect(await provider.queryPayment(approved.payment)).toMatchObject({ status: 'closed' });
  });

  test.each(silences)('is unknown after %s', async (_what, kind, more) => {
    const { payment } = await world.givenCapture();
    await world.fault(query, kind, more);
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
    await world.fault(query, kind, more);
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
  });

  test.each<[string, object]>([
    ['a status of the order that is new', { status: 'THINKING' }],
    ['an order of somebody else', { 'purchase_units.0.custom_id': 'other' }],
    ['another order', { id: '5O190127TN364715T' }],
    ['an amount that is no number', { 'purchase_units.0.amount.value': '4,99' }],
    [
      'more digits than there are',
      { 'purchase_units.0.payments.captures.0.amount.value': '4.991' },
    ],
    [
      'a status of the capture that is new',
      { 'purchase_units.0.payments.captures.0.status': 'ODD' },
    ],
    ['a completed order without money', { 'purchase_units.0.payments.captures': [] }],
  ])('%s is unknown, never failed', async (_what, changes) => {
    const { payment } = await world.givenCapture();
    await world.fault(query, 'altered', { changes });
    expect(await provider.queryPayment(payment)).toMatchObject({ outcome: 'unknown' });
  });

  test('a capture is found by its name, and only if it is ours', async () => {
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

describe('closing a payment', () => {
  test('what nobody took is closed, and nobody takes it afterwards but us', async () => {
    const { payment } = await world.givenOrder();
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
    await world.approve(payment.pspRef);
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
    expect(await chargesOf(payment)).toEqual([]);
  });

  test('what was paid says so', async () => {
    const { payment } = await world.givenCapture();
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'already_paid' });
  });
});

describe('the token', () => {
  test('is had once for many calls, and again when it was withdrawn', async () => {
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

  test('one that could not be had is asked for again with the next call', async () => {
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

  test('never shows in what we say about a failure', async () => {
    const { payment } = await world.givenOrder();
    await world.fault(query, 'cut_before');
    expect(JSON.stringify(await provider.queryPayment(payment))).not.toMatch(/A21AA|secret|Basic/);
  });
});

describe('the connection', () => {
  test('goes to nobody who cannot prove the name', async () => {
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

  test('follows nobody elsewhere and reads no more than it wants', async () => {
    const { pspRef } = await world.givenOrder();
    const home = 'https://api-m.sandbox.paypal.com';
    const common = { headers: {}, timeoutMs: 5_000, route: world.route };
    const url = `${home}/checkoutnow/approve?token=${pspRef}`;
    await expect(callOut({ url, method: 'POST', ...common })).rejects.toThrow('a redirect');
    const long = { url: `${home}/__sandbox`, method: 'GET', ...common } as const;
    expect((await callOut(long)).body.byteLength).toBeGreaterThan(100);
    await expect(callOut({ ...long, replyBytesMax: 100 })).rejects.toThrow('more than 100 bytes');
  });

  test('is given up after twelve seconds, and nobody there is unknown', async () => {
    const nowhere = world.open({ route: { ...world.route, port: 1 } });
    expect(await nowhere.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(300));
    await world.fault(create, 'hang', { hangMs: 2_000 });
    expect(await provider.createPayment(givenRequest())).toMatchObject({ outcome: 'unknown' });
    expect(timeout).toHaveBeenCalledWith(12_000);
  });
});
