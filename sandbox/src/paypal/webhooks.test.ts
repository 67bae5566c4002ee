import { createVerify, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  agentFor,
  clientSecret,
  givenCapture,
  givenOrder,
  type PaypalProgram,
  press,
  startPaypal,
  webhookId,
} from '../../test/paypal.ts';
import { startReceiver } from '../../test/receiver.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let paypal: PaypalProgram;
beforeEach(async () => {
  receiver = await startReceiver();
  paypal = await startPaypal({ WEBHOOK_URL: receiver.url, WEBHOOK_RETRY_BASE_MS: '1' });
  await enable(['PAYMENT.CAPTURE.COMPLETED']);
});
afterEach(async () => {
  await paypal.stop();
  await receiver.stop();
});

test('the PayPal sandbox signs its webhooks, and the certificate that it serves verifies them', async () => {
  await enable(['*']);
  const { captureId } = await givenCapture(paypal);
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(
    received()
      .map(({ event_type }) => event_type)
      .sort(),
  ).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
  expect(
    received().find(({ resource_type }) => resource_type === 'capture')?.resource,
  ).toMatchObject({ id: captureId, custom_id: 'ours', status: 'COMPLETED' });
  expect(await Promise.all([isGenuine(0), isGenuine(1)])).toEqual([true, true]);
});

test('the PayPal sandbox signs webhooks with a new certificate after rotation and still serves the old one', async () => {
  await givenCapture(paypal);
  await paypal.tell('/__sandbox/certificates/rotate');
  await givenCapture(paypal);
  await expect.poll(() => receiver.received.length).toBe(2);
  const urls = receiver.received.map(({ headers }) => headers['paypal-cert-url']);
  expect(new Set(urls).size).toBe(2);
  expect(await Promise.all([isGenuine(0), isGenuine(1)])).toEqual([true, true]);
});

test.each([
  ['tampered', { tamper: true }],
  ['wrong_secret', { wrongSecret: true }],
  ['wrong_webhook', { wrongWebhook: true }],
])(
  'a webhook that the PayPal sandbox forges as %s fails signature verification, and its genuine retry passes',
  async (kind, plan) => {
    receiver.failNext(1);
    await paypal.tell('/__sandbox/webhooks', { plan, retryBaseMs: 60_000 });
    await givenCapture(paypal);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(await isGenuine(0)).toBe(false);
    await expect.poll(signatures).toEqual([kind]);
    await paypal.tell('/__sandbox/webhooks', { plan: {} });
    await paypal.tell('/__sandbox/clock', { advanceSeconds: 61 });
    await expect.poll(signatures).toEqual([kind, 'genuine']);
    expect(await isGenuine(1)).toBe(true);
  },
);

test('the PayPal sandbox sends a refused webhook 25 times and then no more', async () => {
  receiver.failNext(1000);
  // Delays sixty times as long as usual, so that only the sandbox clock triggers a retry.
  await paypal.tell('/__sandbox/webhooks', { retryBaseMs: 60_000 });
  await givenCapture(paypal);
  for (let attempt = 1; attempt <= 25; attempt += 1) {
    await expect.poll(async () => (await signatures()).length).toBe(attempt);
    const advanceSeconds = 60 * Math.min(2 ** (attempt - 1), 25_000);
    await paypal.tell('/__sandbox/clock', { advanceSeconds });
  }
  receiver.failNext(0);
  // The first access token has expired by the advanced clock.
  paypal.sdk = paypal.sdkWithSecret(clientSecret);
  await givenCapture(paypal);
  const newest = async () => (await paypal.records()).webhookDeliveries[0];
  await expect.poll(newest).toMatchObject({ attempt: 1, outcome: 'delivered' });
  expect(await signatures()).toHaveLength(26);
});

test('the PayPal sandbox keeps its root and signing certificates in TLS_FOLDER across a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'paypal-certificates-'));
  const first = await startPaypal({ TLS_FOLDER: folder });
  await first.tell('/__sandbox/certificates/rotate');
  await first.stop();
  const second = await startPaypal({ TLS_FOLDER: folder });
  await second.tell('/__sandbox/certificates/rotate');
  await second.stop();
  expect(second.api.root).toBe(first.api.root);
  expect(readFileSync(join(folder, 'paypal-root.pem'), 'utf8')).toBe(first.api.root);
  // The certificates of signers from before the restart are still served.
  const kept = JSON.parse(readFileSync(join(folder, 'paypal-certificates.json'), 'utf8'));
  expect(kept.signers).toHaveLength(3);
  for (const { chain } of kept.signers) {
    const [leaf = '', issuer = ''] = String(chain).split(/(?<=-----END CERTIFICATE-----)\s*/);
    const above = new X509Certificate(issuer);
    expect(new X509Certificate(leaf).verify(above.publicKey)).toBe(true);
    expect(above.verify(new X509Certificate(first.api.root).publicKey)).toBe(true);
  }
});

test('the PayPal sandbox drops, duplicates and reorders webhooks when its control API is told to', async () => {
  await paypal.tell('/__sandbox/webhooks', { plan: { drop: 1 } });
  await givenCapture(paypal);
  await paypal.tell('/__sandbox/webhooks', { plan: { duplicate: 1, reorder: true } });
  const first = await givenCapture(paypal);
  const second = await givenCapture(paypal);
  await expect.poll(() => receiver.received.length).toBe(4);
  const captures = received().map(({ resource }) => resource.id);
  expect(captures.slice(0, 2)).toEqual([second.captureId, second.captureId]);
  expect(captures.slice(2)).toEqual([first.captureId, first.captureId]);
});

test('the PayPal sandbox approval page sends the payer back to the shop, or stays and shows the approval', async () => {
  const id = await givenOrder(paypal);
  const page = await fetch(`${paypal.url}/checkoutnow?token=${id}`);
  expect(await page.text()).toContain('Agree and pay $4.99');
  const stays = await press(paypal, id, 'approve-and-stay');
  expect(stays.headers.get('location')).toBe(`/checkoutnow?token=${id}`);
  expect(await (await fetch(`${paypal.url}/checkoutnow?token=${id}`)).text()).toContain('Agreed');

  const other = await givenOrder(paypal);
  const back = await press(paypal, other, 'approve');
  expect(back.status).toBe(303);
  expect(back.headers.get('location')).toBe(
    `http://127.0.0.1:9/return?token=${other}&PayerID=QYR5Z8XDVJNXQ`,
  );
  const nobodys = await fetch(`${paypal.url}/checkoutnow?token=none`);
  expect(nobodys.status).toBe(404);
});

function received() {
  return receiver.received.map(({ body }) => JSON.parse(body.toString()));
}

async function enable(enabledEvents: string[]) {
  await paypal.tell('/__sandbox/webhooks', { enabledEvents });
}

async function signatures() {
  const { webhookDeliveries } = await paypal.records();
  return webhookDeliveries.map(({ signature }) => signature).reverse();
}

/** Verifies by the provider's documentation, independently of the code that signs. */
async function isGenuine(index: number): Promise<boolean> {
  const { body, headers } = receiver.received[index] ?? { body: Buffer.from(''), headers: {} };
  const [id, time] = [headers['paypal-transmission-id'], headers['paypal-transmission-time']];
  const signed = `${id}|${time}|${webhookId}|${crc32(body)}`;
  const certificate = new X509Certificate(await fetchText(String(headers['paypal-cert-url'])));
  return createVerify('RSA-SHA256')
    .update(signed)
    .verify(certificate.publicKey, String(headers['paypal-transmission-sig']), 'base64');
}

async function fetchText(url: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    get(url, { agent: agentFor(paypal.api) }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks).toString());
    }).on('error', reject);
  });
}
