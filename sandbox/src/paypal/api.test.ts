import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  agentFor,
  clientId,
  clientSecret,
  givenCapture,
  givenOrder,
  givenOrderParams,
  type PaypalProgram,
  startPaypal,
} from '../../test/paypal.ts';

let paypal: PaypalProgram;
beforeAll(async () => {
  paypal = await startPaypal();
});
beforeEach(async () => {
  await paypal.tell('/__sandbox/reset');
});
afterAll(async () => await paypal.stop());

const create = 'POST /v2/checkout/orders';

function refused(status: number, issue: string) {
  return { statusCode: status, result: { details: [{ issue }] } };
}

describe('PayPal authentication', () => {
  test('the PayPal sandbox gives no access token for a wrong client secret', async () => {
    const sdk = paypal.sdkWithSecret('somebody-elses');
    await expect(sdk.orders.getOrder({ id: 'any' })).rejects.toMatchObject({
      statusCode: 401,
      body: expect.stringContaining('invalid_client'),
    });
  });

  test('the PayPal sandbox refuses an access token after nine hours, or once the control API ends it', async () => {
    const id = await givenOrder(paypal);
    await paypal.tell('/__sandbox/tokens/end');
    await expect(paypal.sdk.orders.getOrder({ id })).rejects.toMatchObject({
      statusCode: 401,
      body: expect.stringContaining('invalid_token'),
    });
    // A new client requests its own token.
    const { orders } = paypal.sdkWithSecret(clientSecret);
    expect((await orders.getOrder({ id })).result.id).toBe(id);
    await paypal.tell('/__sandbox/clock', { advanceSeconds: 32_401 });
    await expect(orders.getOrder({ id })).rejects.toMatchObject({ statusCode: 401 });
    paypal.sdk = paypal.sdkWithSecret(clientSecret);
  });

  test('the PayPal sandbox answers only over TLS and only to clients that trust its root certificate', async () => {
    const plain = await fetch(`${paypal.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: 'grant_type=client_credentials',
    });
    expect(plain.status).toBe(404);
    const direct = fetch(`https://127.0.0.1:${paypal.api.port}/v1/oauth2/token`);
    await expect(direct).rejects.toThrow('fetch failed');
    expect(agentFor(paypal.api)).toBeDefined();
  });
});

describe('PayPal orders', () => {
  test('the PayPal sandbox answers a new order with its payer-action link and the requested purchase unit', async () => {
    const { result, statusCode } = await paypal.sdk.orders.createOrder({
      body: givenOrderParams({ invoiceId: 'attempt-1' }),
      prefer: 'return=representation',
    });
    expect(statusCode).toBe(201);
    expect(result).toMatchObject({
      status: 'PAYER_ACTION_REQUIRED',
      purchaseUnits: [{ invoiceId: 'attempt-1', amount: { currencyCode: 'USD', value: '4.99' } }],
    });
    expect(result.links?.find(({ rel }) => rel === 'payer-action')?.href).toBe(
      `${paypal.url}/checkoutnow?token=${result.id}`,
    );
  });

  test.each([
    ['KRW', '5000', 'CURRENCY_NOT_SUPPORTED'],
    ['VND', '5000', 'CURRENCY_NOT_SUPPORTED'],
    ['CNY', '50.00', 'CURRENCY_NOT_SUPPORTED'],
    ['TWD', '150.00', 'DECIMALS_NOT_SUPPORTED'],
    ['JPY', '500.5', 'DECIMALS_NOT_SUPPORTED'],
    ['HUF', '500.5', 'DECIMALS_NOT_SUPPORTED'],
    ['USD', '4.999', 'DECIMAL_PRECISION'],
    ['USD', '0.00', 'CANNOT_BE_ZERO_OR_NEGATIVE'],
  ])(
    'the PayPal sandbox refuses an order with the amount %s %s with the error %s',
    async (currency, amount, issue) => {
      const sent = paypal.sdk.orders.createOrder({ body: givenOrderParams({ currency, amount }) });
      await expect(sent).rejects.toMatchObject(refused(422, issue));
    },
  );

  test.each([
    ['TWD', '150'],
    ['JPY', '500'],
    ['HUF', '500'],
    ['EUR', '4.9'],
  ])(
    'the PayPal sandbox captures an order with the amount %s %s in full',
    async (currency, amount) => {
      const { captureId } = await givenCapture(paypal, { currency, amount });
      const { charges } = await paypal.records();
      const taken = { TWD: 15_000, JPY: 500, HUF: 50_000, EUR: 490 }[currency];
      expect(charges.find(({ id }) => id === captureId)?.amount).toBe(taken);
    },
  );

  test('the PayPal sandbox answers a repeated PayPal-Request-Id with its order, and refuses it for another order', async () => {
    const body = givenOrderParams();
    const paypalRequestId = crypto.randomUUID();
    const first = await paypal.sdk.orders.createOrder({ body, paypalRequestId });
    const second = await paypal.sdk.orders.createOrder({ body, paypalRequestId });
    expect([first.statusCode, second.statusCode]).toEqual([201, 200]);
    expect(second.result.id).toBe(first.result.id);

    const other = paypal.sdk.orders.createOrder({ body: givenOrderParams(), paypalRequestId });
    await expect(other).rejects.toMatchObject(refused(422, 'DUPLICATE_REQUEST_ID'));
  });

  test('the PayPal sandbox forgets the PayPal-Request-Id of an order after six hours', async () => {
    const body = givenOrderParams();
    const paypalRequestId = crypto.randomUUID();
    const first = await paypal.sdk.orders.createOrder({ body, paypalRequestId });
    await paypal.tell('/__sandbox/clock', { advanceSeconds: 6 * 3600 - 60 });
    const within = await paypal.sdk.orders.createOrder({ body, paypalRequestId });
    await paypal.tell('/__sandbox/clock', { advanceSeconds: 120 });
    const later = await paypal.sdk.orders.createOrder({ body, paypalRequestId });
    expect(within.result.id).toBe(first.result.id);
    expect(later.result.id).not.toBe(first.result.id);
  });

  test('the PayPal sandbox answers 409 to a PayPal-Request-Id while its first request is in progress', async () => {
    const body = givenOrderParams();
    const paypalRequestId = crypto.randomUUID();
    await paypal.tell('/__sandbox/faults', { match: create, kind: 'hang' });
    const first = paypal.sdk.orders.createOrder({ body, paypalRequestId });
    await expect
      .poll(async () => (await paypal.records()).requests[0]?.request_id)
      .toBe(paypalRequestId);
    const second = paypal.sdk.orders.createOrder({ body, paypalRequestId });
    // The SDK parses the bodies of a few statuses only, so this one is compared as text.
    await expect(second).rejects.toMatchObject({
      statusCode: 409,
      body: expect.stringContaining('PREVIOUS_REQUEST_IN_PROGRESS'),
    });
    await paypal.tell('/__sandbox/release');
    expect((await first).result.id).toEqual(expect.any(String));
  });

  test.each([
    ['http500_before', 0],
    ['http503_before', 0],
    ['http429', 0],
    ['cut_before', 0],
    ['json404_without_error', 0],
    ['http500_after_commit', 1],
    ['cut_after_commit', 1],
    ['truncated', 1],
    ['html200', 1],
  ])(
    'an order request that fails with the planned fault %s leaves %i orders in the PayPal sandbox',
    async (kind, made) => {
      const before = (await paypal.records()).counts.orders ?? 0;
      await paypal.tell('/__sandbox/faults', { match: create, kind });
      await expect(paypal.sdk.orders.createOrder({ body: givenOrderParams() })).rejects.toThrow();
      expect((await paypal.records()).counts.orders).toBe(before + made);
    },
  );
});

describe('PayPal captures', () => {
  test('the PayPal sandbox captures an approved order once, and repeats the answer for a repeated request id', async () => {
    const id = await givenOrder(paypal);
    await expect(paypal.sdk.orders.captureOrder({ id })).rejects.toMatchObject(
      refused(422, 'ORDER_NOT_APPROVED'),
    );
    await paypal.tell(`/__sandbox/orders/${id}/approve`);
    const first = await paypal.sdk.orders.captureOrder({ id, paypalRequestId: `capture-${id}` });
    const again = await paypal.sdk.orders.captureOrder({ id, paypalRequestId: `capture-${id}` });
    expect([first.result.status, again.result.status]).toEqual(['COMPLETED', 'COMPLETED']);
    await expect(paypal.sdk.orders.captureOrder({ id })).rejects.toMatchObject(
      refused(422, 'ORDER_ALREADY_CAPTURED'),
    );
    const { charges } = await paypal.records();
    expect(charges.filter(({ order }) => order === id)).toHaveLength(1);
  });

  test('the PayPal sandbox lets a payer whose capture was declined approve again with another instrument', async () => {
    const id = await givenOrder(paypal);
    await paypal.tell(`/__sandbox/orders/${id}/approve`, { instrument: 'declined' });
    await expect(paypal.sdk.orders.captureOrder({ id })).rejects.toMatchObject(
      refused(422, 'INSTRUMENT_DECLINED'),
    );
    const { result } = await paypal.sdk.orders.getOrder({ id });
    expect(result.status).toBe('PAYER_ACTION_REQUIRED');
    await paypal.tell(`/__sandbox/orders/${id}/approve`);
    expect((await paypal.sdk.orders.captureOrder({ id })).result.status).toBe('COMPLETED');
  });

  test('the PayPal sandbox refuses a second capture with the same invoice id', async () => {
    const invoiceId = crypto.randomUUID();
    await givenCapture(paypal, { invoiceId });
    await expect(givenCapture(paypal, { invoiceId })).rejects.toMatchObject(
      refused(422, 'DUPLICATE_INVOICE_ID'),
    );
  });

  test('a capture under review in the PayPal sandbox is pending until it is settled', async () => {
    const id = await givenOrder(paypal);
    await paypal.tell(`/__sandbox/orders/${id}/approve`, { instrument: 'pending' });
    const { result } = await paypal.sdk.orders.captureOrder({
      id,
      prefer: 'return=representation',
    });
    const captureId = String(result.purchaseUnits?.[0]?.payments?.captures?.[0]?.id);
    const status = async () =>
      (await paypal.sdk.payments.getCapturedPayment({ captureId })).result.status;
    expect(await status()).toBe('PENDING');
    await paypal.tell(`/__sandbox/captures/${captureId}/settle`, { status: 'DECLINED' });
    expect(await status()).toBe('DECLINED');
  });

  test('an unapproved PayPal sandbox order expires after three hours, and an approved but uncaptured one is voided', async () => {
    const [lonely, approved] = [await givenOrder(paypal), await givenOrder(paypal)];
    await paypal.tell(`/__sandbox/orders/${approved}/approve`);
    await paypal.tell('/__sandbox/clock', { advanceSeconds: 3 * 3600 + 1 });
    await expect(paypal.sdk.orders.getOrder({ id: lonely })).rejects.toMatchObject(
      refused(404, 'INVALID_RESOURCE_ID'),
    );
    expect((await paypal.sdk.orders.getOrder({ id: approved })).result.status).toBe('VOIDED');
    const { events } = await paypal.records();
    expect(events[0]?.event_type).toBe('CHECKOUT.PAYMENT-APPROVAL.REVERSED');
  });
});
