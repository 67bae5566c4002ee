import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider, RawWebhook } from '../psp.ts';
import { givenRequest, type PaypalWorld, startPaypalWorld } from '../test/paypal-world.ts';
import { isProviders } from './certificates.ts';
import type { signedHeaders } from './signature.ts';

let world: PaypalWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startPaypalWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const { reference } = givenRequest();
const customId = `${reference.accountId}.${reference.paymentId}.${reference.attemptId}`;
const orderId = '5O190127TN364715T';
const captureId = '3C679366HH908993F';
const merchant = 'SANDBOXMERCH1';

const capture = {
  id: captureId,
  status: 'COMPLETED',
  amount: { currency_code: 'USD', value: '4.99' },
  custom_id: customId,
  payee: { merchant_id: merchant },
  supplementary_data: { related_ids: { order_id: orderId } },
};
const refund = {
  id: '1JU08902781691411',
  status: 'COMPLETED',
  amount: { currency_code: 'USD', value: '1.00' },
  links: [
    { rel: 'up', href: `https://api-m.sandbox.paypal.com/v2/payments/captures/${captureId}` },
  ],
};
const dispute = {
  dispute_id: 'PP-R-ABC-12345678',
  disputed_transactions: [{ seller_transaction_id: captureId }],
};

function eventAbout(resource: unknown, more: object = {}) {
  return {
    id: `WH-${randomUUID().toUpperCase()}`,
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource_type: 'capture',
    resource,
    ...more,
  };
}

/** The same message with other headers. */
function withHeaders(raw: RawWebhook, changes: Record<string, string | undefined>): RawWebhook {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...raw.headers, ...changes })) {
    if (value !== undefined) headers[name] = value;
  }
  return { ...raw, headers };
}

describe('genuine PayPal webhooks', () => {
  test.each<[string, unknown, unknown]>([
    ['a capture names the order and the reference', capture, { pspRef: orderId, reference }],
    [
      'an approval names the order and the reference',
      { id: orderId, purchase_units: [{ custom_id: customId }] },
      { pspRef: orderId, reference },
    ],
    [
      'a reversed approval names the order and the reference',
      { order_id: orderId, purchase_units: [{ custom_id: customId }] },
      { pspRef: orderId, reference },
    ],
    ['a refund names the capture', refund, { captureId }],
    ['a dispute names the capture', dispute, { captureId }],
    ['a capture with a foreign reference has no subject', { ...capture, custom_id: 'other' }, null],
    ['another resource has no subject', { id: 'I-SUBSCRIPTION' }, null],
  ])(
    'the PayPal adapter reads from a webhook which order or capture it is about: %s',
    async (_what, resource, subject) => {
      const event = eventAbout(resource);
      expect(await provider.parseWebhook(await world.sign(event))).toEqual({
        ok: true,
        events: [{ eventId: event.id, subject }],
      });
    },
  );

  test('the PayPal adapter finds the payment of every webhook that PayPal sends about a payment, its refund and its dispute', async () => {
    const paid = await world.givenCapture();
    await provider.refund(paid.refundRequest({ money: { amountMinor: 1n, currency: 'USD' } }));
    await world.outsider.tell('/__sandbox/disputes', {
      paymentIntent: paid.captureId,
      stage: 'open',
    });
    const { events } = await world.records();
    const ours = events.filter(
      (one) =>
        JSON.stringify(one).includes(paid.pspRef) || JSON.stringify(one).includes(paid.captureId),
    );
    const subjects = [];
    for (const one of ours) {
      const parsed = await provider.parseWebhook(await world.sign(one));
      subjects.push([one.event_type, parsed.ok ? parsed.events[0]?.subject : parsed.reason]);
    }
    const whole = { pspRef: paid.pspRef, reference: paid.payment.reference };
    expect(Object.fromEntries(subjects)).toEqual({
      'CHECKOUT.ORDER.APPROVED': whole,
      'PAYMENT.CAPTURE.COMPLETED': whole,
      'PAYMENT.CAPTURE.REFUNDED': { captureId: paid.captureId },
      'PAYMENT.CAPTURE.REVERSED': whole,
      'CUSTOMER.DISPUTE.CREATED': { captureId: paid.captureId },
    });
  });

  test('the PayPal adapter gives a webhook that PayPal sends again within three days the same event id', async () => {
    const event = eventAbout(capture);
    for (const hours of [0, 1, 71]) {
      const raw = await world.sign(event, { time: hoursAgo(hours) });
      expect(await provider.parseWebhook(raw)).toMatchObject({ events: [{ eventId: event.id }] });
    }
  });

  test('the PayPal adapter fetches the signing certificate once, and the next certificate after a rotation', async () => {
    const own = world.open();
    const reads = async () => (await world.records()).certificateReads;
    const before = await reads();
    const raws = await Promise.all([1, 2, 3].map(() => world.sign(eventAbout(capture))));
    const parsed = await Promise.all(raws.map((raw) => own.parseWebhook(raw)));
    expect(parsed.every(({ ok }) => ok)).toBe(true);
    expect(await reads()).toBe(before + 1);

    await world.outsider.tell('/__sandbox/certificates/rotate', {});
    const next = await world.sign(eventAbout(capture));
    expect(await own.parseWebhook(next)).toMatchObject({ ok: true });
    expect(await own.parseWebhook(raws[0] ?? next)).toMatchObject({ ok: true });
    expect(await reads()).toBe(before + 2);
  });

  test('the PayPal adapter accepts a webhook for either of two configured webhook ids', async () => {
    const raw = await world.sign(eventAbout(capture), { webhookId: 'OLDER-WEBHOOK' });
    expect(await provider.parseWebhook(raw)).toMatchObject({ ok: true });
  });
});

type Change = (raw: RawWebhook) => RawWebhook;

const setHeader =
  (name: (typeof signedHeaders)[number], value: string | undefined): Change =>
  (raw) =>
    withHeaders(raw, { [name]: value });

const changeBody =
  (change: (body: string) => string): Change =>
  (raw) => ({ ...raw, body: Buffer.from(change(raw.body.toString())) });

describe('PayPal webhooks changed after signing', () => {
  const someSignature = Buffer.alloc(256, 7).toString('base64');

  test.each<[string, Change]>([
    ['a larger amount', changeBody((body) => body.replace('4.99', '9.99'))],
    ['another currency', changeBody((body) => body.replace('USD', 'EUR'))],
    ['another order', changeBody((body) => body.replace(orderId, orderId.toLowerCase()))],
    ['another account', changeBody((body) => body.replace(reference.accountId, randomUUID()))],
    ['another status', changeBody((body) => body.replace('COMPLETED', 'REVERSED'))],
    ['an extra space', changeBody((body) => `${body} `)],
    ['a missing character', changeBody((body) => body.slice(0, -1))],
    ['reformatted JSON', changeBody((body) => JSON.stringify(JSON.parse(body), null, 2))],
    ['no body', changeBody(() => '')],
    ['another body', changeBody(() => '{}')],
    ['a byte order mark', changeBody((body) => `\uFEFF${body}`)],
    ['no transmission id', setHeader('paypal-transmission-id', undefined)],
    ['another transmission id', setHeader('paypal-transmission-id', randomUUID())],
    ['a transmission id with a bar', setHeader('paypal-transmission-id', 'a|b|c|d|e|f|g')],
    ['no transmission time', setHeader('paypal-transmission-time', undefined)],
    ['another transmission time', setHeader('paypal-transmission-time', hoursAgo(1))],
    ['a transmission time in words', setHeader('paypal-transmission-time', 'yesterday')],
    ['a transmission time as a number', setHeader('paypal-transmission-time', '1763240000')],
    ['no algorithm', setHeader('paypal-auth-algo', undefined)],
    ['a weaker algorithm', setHeader('paypal-auth-algo', 'SHA1withRSA')],
    ['the algorithm none', setHeader('paypal-auth-algo', 'none')],
    ['no signature', setHeader('paypal-transmission-sig', undefined)],
    ['an empty signature', setHeader('paypal-transmission-sig', '')],
    ['an arbitrary signature', setHeader('paypal-transmission-sig', someSignature)],
    ['a signature that is not base64', setHeader('paypal-transmission-sig', '*'.repeat(344))],
    ['no certificate URL', setHeader('paypal-cert-url', undefined)],
  ])('the PayPal adapter refuses a signed webhook altered to have %s', async (_what, change) => {
    const genuine = await world.sign(eventAbout(capture));
    expect(await provider.parseWebhook(genuine)).toMatchObject({ ok: true });
    expect(await provider.parseWebhook(change(genuine))).toEqual({
      ok: false,
      reason: 'bad_signature',
    });
  });

  test('the PayPal adapter refuses a webhook with one flipped bit in its signature', async () => {
    const genuine = await world.sign(eventAbout(capture));
    const signature = Buffer.from(genuine.headers['paypal-transmission-sig'] ?? '', 'base64');
    for (const at of [0, 1, 100, signature.length - 1]) {
      const changed = Buffer.from(signature);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const raw = withHeaders(genuine, { 'paypal-transmission-sig': changed.toString('base64') });
      expect(await provider.parseWebhook(raw)).toMatchObject({ ok: false });
    }
  });
});

describe('PayPal webhooks with a foreign signature', () => {
  test.each<[string, object, string]>([
    ['signed for another webhook', { webhookId: '0EH40505U7160970P' }, 'bad_signature'],
    ['signed for the placeholder WEBHOOK_ID', { webhookId: 'WEBHOOK_ID' }, 'bad_signature'],
    ['signed with an expired certificate', { certificate: 'expired' }, 'bad_signature'],
    [
      'signed with a certificate that is not valid yet',
      { certificate: 'not_yet' },
      'bad_signature',
    ],
    [
      'signed with a valid certificate of another subject',
      { certificate: 'other_subject' },
      'bad_signature',
    ],
    [
      'signed with a certificate of an untrusted root',
      { certificate: 'other_root' },
      'bad_signature',
    ],
    ['sent four days ago', { time: hoursAgo(96) }, 'stale'],
    ['sent a year ago', { time: hoursAgo(24 * 365) }, 'stale'],
    ['sent an hour in the future', { time: hoursAgo(-1) }, 'stale'],
    ['sent a day in the future', { time: hoursAgo(-24) }, 'stale'],
  ])(
    'the PayPal adapter refuses a forged or stale webhook: a webhook %s',
    async (_what, forgery, reason) => {
      const raw = await world.sign(eventAbout(capture), forgery);
      expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
    },
  );

  test('the PayPal adapter refuses a webhook replayed after four days as stale', async () => {
    const raw = await world.sign(eventAbout(capture));
    const later = { ...raw, receivedAt: new Date(Date.now() + 4 * 24 * 3600_000) };
    expect(await provider.parseWebhook(later)).toEqual({ ok: false, reason: 'stale' });
  });

  const host = 'https://api-m.sandbox.paypal.com';
  test.each([
    ['the http scheme', 'http://api-m.sandbox.paypal.com/v1/notifications/certs/CERT-1'],
    ['another host', 'https://evil.example/v1/notifications/certs/CERT-1'],
    ['a host with a similar ending', 'https://evilpaypal.com/v1/notifications/certs/CERT-1'],
    [
      'PayPal’s host as a subdomain of another host',
      `https://api-m.sandbox.paypal.com.evil.example/v1/notifications/certs/C`,
    ],
    [
      'a user name before the host',
      'https://evil@api-m.sandbox.paypal.com/v1/notifications/certs/CERT-1',
    ],
    [
      'PayPal’s host as the user name',
      'https://api-m.sandbox.paypal.com@evil.example/v1/notifications/certs/C',
    ],
    ['another port', 'https://api-m.sandbox.paypal.com:8443/v1/notifications/certs/CERT-1'],
    ['the host of the other environment', 'https://api-m.paypal.com/v1/notifications/certs/CERT-1'],
    ['the host of PayPal’s website', 'https://www.paypal.com/v1/notifications/certs/CERT-1'],
    ['another path', `${host}/v1/somewhere/CERT-1`],
    ['a path with dot segments', `${host}/v1/notifications/certs/../../files/CERT-1`],
    ['a path with encoded dot segments', `${host}/v1/notifications/certs/%2e%2e%2ffiles`],
    ['a longer path', `${host}/v1/notifications/certs/CERT-1/more`],
    ['a query string', `${host}/v1/notifications/certs/CERT-1?at=evil`],
    ['a fragment', `${host}/v1/notifications/certs/CERT-1#evil`],
    ['a line feed', `${host}/v1/notifications/certs/CERT-1\nevil`],
    ['no certificate name', `${host}/v1/notifications/certs/`],
    ['the file scheme', 'file:///etc/passwd'],
  ])(
    'the PayPal adapter refuses a webhook whose certificate URL has %s and does not fetch the URL',
    async (_what, certificateUrl) => {
      const before = (await world.records()).certificateReads;
      const raw = await world.sign(eventAbout(capture));
      const forged = withHeaders(raw, { 'paypal-cert-url': certificateUrl });
      expect(await world.open().parseWebhook(forged)).toEqual({
        ok: false,
        reason: 'bad_signature',
      });
      expect((await world.records()).certificateReads).toBe(before);
    },
  );

  test('the PayPal adapter refuses a webhook with a certificate URL that PayPal does not know', async () => {
    const raw = await world.sign(eventAbout(capture), {
      certificateUrl: `${host}/v1/notifications/certs/CERT-made-up`,
    });
    expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason: 'bad_signature' });
  });

  test('the PayPal adapter refuses a webhook signed with the key of another certificate', async () => {
    const other = await world.sign(eventAbout(capture), { certificate: 'expired' });
    const raw = await world.sign(eventAbout(capture));
    const signature = other.headers['paypal-transmission-sig'];
    const forged = withHeaders(raw, { 'paypal-transmission-sig': signature });
    expect(await provider.parseWebhook(forged)).toEqual({ ok: false, reason: 'bad_signature' });
  });
});

test.each<[string, string]>([
  ['text that is not JSON', 'PAYMENT.CAPTURE.COMPLETED'],
  ['truncated JSON', '{"id":"WH-1'],
  ['an array', '[]'],
  ['null', 'null'],
  ['an event without an id', JSON.stringify({ event_type: 'X', resource: {} })],
  ['an event with a numeric id', JSON.stringify({ id: 7, event_type: 'X', resource: {} })],
  [
    'an event with the id of another provider',
    JSON.stringify({ id: 'evt_1', event_type: 'X', resource: {} }),
  ],
  ['an event without a resource', JSON.stringify({ id: 'WH-12345-X', event_type: 'X' })],
  [
    'an event with a resource as text',
    JSON.stringify({ id: 'WH-12345-X', event_type: 'X', resource: 'a' }),
  ],
])(
  'the PayPal adapter refuses a webhook with a valid signature over %s as malformed',
  async (_what, payload) => {
    expect(await provider.parseWebhook(await world.sign(payload))).toEqual({
      ok: false,
      reason: 'malformed',
    });
  },
);

test('the PayPal adapter refuses a genuine webhook for another merchant as foreign_account', async () => {
  const ours = world.open({ merchantId: merchant });
  const raw = await world.sign(eventAbout(capture));
  expect(await ours.parseWebhook(raw)).toMatchObject({ ok: true });
  const theirs = world.open({ merchantId: 'SOMEBODYELSE1' });
  expect(await theirs.parseWebhook(raw)).toEqual({ ok: false, reason: 'foreign_account' });
  const unit = { custom_id: customId, payee: { merchant_id: merchant } };
  const order = await world.sign(eventAbout({ id: orderId, purchase_units: [unit] }));
  expect(await theirs.parseWebhook(order)).toEqual({ ok: false, reason: 'foreign_account' });
});

test('the PayPal adapter reports a webhook as unverifiable while its certificate cannot be fetched', async () => {
  const raw = await world.sign(eventAbout(capture));
  const alone = world.open({ route: { ...world.route, port: 1 } });
  expect(await alone.parseWebhook(raw)).toEqual({ ok: false, reason: 'unverifiable' });
});

test('the PayPal adapter reports webhooks with made-up certificate URLs as unverifiable once it has tried too many certificates', async () => {
  const own = world.open();
  const reasons = new Set<string>();
  const before = (await world.records()).counts.requests;
  for (let number = 1; number <= 12; number += 1) {
    const certificateUrl = `https://api-m.sandbox.paypal.com/v1/notifications/certs/CERT-${number}`;
    const parsed = await own.parseWebhook(
      await world.sign(eventAbout(capture), { certificateUrl }),
    );
    reasons.add(parsed.ok ? 'accepted' : parsed.reason);
  }
  expect([...reasons]).toEqual(['bad_signature', 'unverifiable']);
  expect((await world.records()).counts.requests).toBe(before);
});

test("the PayPal adapter accepts certificate URLs of api.paypal.com and api-m.paypal.com in production, but not of PayPal's test host", () => {
  const options = { environment: 'production' } as const;
  const at = (url: string) =>
    isProviders(url, { ...options, clientId: '', clientSecret: '', webhookIds: [] });
  expect(at('https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270')).toBe(
    true,
  );
  expect(at('https://api-m.paypal.com/v1/notifications/certs/CERT-1')).toBe(true);
  expect(at('https://api-m.sandbox.paypal.com/v1/notifications/certs/CERT-1')).toBe(false);
});

function hoursAgo(hours: number): string {
  return `${new Date(Date.now() - hours * 3600_000).toISOString().slice(0, 19)}Z`;
}
