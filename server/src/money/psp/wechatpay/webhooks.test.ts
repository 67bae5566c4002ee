import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ParsedWebhook, RawWebhook } from '../psp.ts';
import {
  apiV3Keys,
  appId,
  certificateSerial,
  givenOptions,
  givenRequest,
  givenTransaction,
  mchId,
  notification,
  publicKeyId,
} from '../test/wechatpay-world.ts';
import { openWechatpay } from '../wechatpay.ts';

const Sealed = z.object({ resource: z.looseObject({ ciphertext: z.string() }) });
const provider = openWechatpay(givenOptions());
const { reference } = givenRequest();
const paid = givenTransaction(reference);
const pspRef = reference.attemptId.replaceAll('-', '');
const refundId = randomUUID();
const sentBack = {
  mchid: mchId,
  out_trade_no: pspRef,
  transaction_id: paid.transaction_id,
  out_refund_no: refundId,
  refund_id: '50300000000202611150000000001',
  refund_status: 'SUCCESS',
  amount: { total: 600, refund: 600, payer_total: 600, payer_refund: 600 },
};

const headerOf = (raw: RawWebhook, name: string) => raw.headers[`wechatpay-${name}`] ?? '';

describe('genuine WeChat notifications', () => {
  test('the WeChat adapter reads order and payment reference from a payment notification', async () => {
    expect(await provider.parseWebhook(notification(paid, { id: 'EV-1' }))).toEqual({
      ok: true,
      events: [{ eventId: 'EV-1', subject: { pspRef, reference } }],
    });
  });

  test.each(['REFUND.SUCCESS', 'REFUND.ABNORMAL', 'REFUND.CLOSED'])(
    'the WeChat adapter reads the refund and its capture from a notification of the type %s',
    async (type) => {
      expect(await provider.parseWebhook(notification(sentBack, { type }))).toMatchObject({
        ok: true,
        events: [{ subject: { captureId: paid.transaction_id, refundId } }],
      });
    },
  );

  test('the WeChat adapter accepts a notification with either signing key and either API v3 key', async () => {
    for (const apiV3Key of apiV3Keys) {
      expect(await provider.parseWebhook(notification(paid, { apiV3Key }))).toMatchObject({
        ok: true,
      });
    }
    const old = { signer: 'certificate', serial: certificateSerial } as const;
    expect(await provider.parseWebhook(notification(paid, old))).toMatchObject({ ok: true });
  });

  test('the WeChat adapter gives a repeated notification the same event id for five minutes and refuses it as stale later', async () => {
    const raw = notification(paid, { id: 'EV-2' });
    const after = (seconds: number) => ({
      ...raw,
      receivedAt: new Date((Number(headerOf(raw, 'timestamp')) + seconds) * 1000),
    });
    expect(await provider.parseWebhook(after(300))).toEqual(await provider.parseWebhook(raw));
    expect(await provider.parseWebhook(after(301))).toEqual({ ok: false, reason: 'stale' });
  });

  test.each<[string, object, string?]>([
    ['a payment with a foreign reference', { ...paid, attach: 'somebody else' }],
    ['a payment without a reference', { ...paid, attach: undefined }],
    ['our reference with another order number', { ...paid, out_trade_no: 'x'.repeat(32) }],
    ['an overlong reference', { ...paid, attach: `${paid.attach}.${randomUUID()}` }],
    ['a failed payment', { ...paid, trade_state: 'PAYERROR' }],
    ['an unknown event type', paid, 'SCORE.USED'],
    [
      'a refund with a malformed transaction id',
      { ...sentBack, transaction_id: 'none' },
      'REFUND.SUCCESS',
    ],
  ])(
    'the WeChat adapter reads no payment or refund from a notification about %s',
    async (_what, content, type = 'TRANSACTION.SUCCESS') => {
      expect(await provider.parseWebhook(notification(content, { type }))).toMatchObject({
        ok: true,
        events: [{ subject: null }],
      });
    },
  );
});

test.each<[string, Parameters<typeof givenOptions>[0]]>([
  ['an answer serial that has no key', { answerSerial: 'PUB_KEY_ID_0' }],
  ['no API v3 key', { apiV3Keys: [] }],
  ['an API v3 key of another length', { apiV3Keys: ['short'] }],
  ['a notify URL with a query', { notifyUrl: 'https://shop.test/hook?a=1' }],
  ['no notify URL', { notifyUrl: '' }],
])('the WeChat adapter throws at start when its configuration has %s', (_what, changes) => {
  expect(() => openWechatpay(givenOptions(changes))).toThrow();
});

describe('forged WeChat notifications', () => {
  const genuine = () => notification(paid);
  const withHeader = (name: string, value: string | undefined) =>
    notification(paid, { headers: { [`wechatpay-${name}`]: value } });
  const flip = (share: number) => (body: string) => {
    const at = Math.floor((body.length - 1) * share);
    return body.slice(0, at) + (body[at] === '0' ? '1' : '0') + body.slice(at + 1);
  };
  /** The encrypted resource with only the first digit of the amount changed. */
  const withAnotherAmount = () => {
    const { resource } = Sealed.parse(JSON.parse(String(genuine().body)));
    const ciphertext = Buffer.from(resource.ciphertext, 'base64');
    const at = JSON.stringify(paid).indexOf('"total":6') + '"total":'.length;
    ciphertext.writeUInt8(ciphertext.readUInt8(at) ^ 0x0f, at); // 6 becomes 9
    return { ...resource, ciphertext: ciphertext.toString('base64') };
  };

  type Reason = (ParsedWebhook & { ok: false })['reason'];
  const forged: [what: string, raw: RawWebhook, reason: Reason][] = [];
  const refuse = (what: string, raw: RawWebhook, reason: Reason) =>
    forged.push([what, raw, reason]);

  for (const name of ['timestamp', 'nonce', 'serial', 'signature']) {
    refuse(`no ${name}`, withHeader(name, undefined), 'bad_signature');
    refuse(`an empty ${name}`, withHeader(name, ''), 'bad_signature');
    refuse(
      `the ${name} of another message`,
      withHeader(name, name === 'serial' ? certificateSerial : `${headerOf(genuine(), name)}0`),
      'bad_signature',
    );
  }
  for (const share of [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]) {
    refuse(
      `a body changed at ${share * 100} % of its length`,
      notification(paid, { change: flip(share) }),
      'bad_signature',
    );
  }
  for (const [what, change] of [
    ['a line feed added', (body: string) => `${body}\n`],
    ['a byte order mark added', (body: string) => `\uFEFF${body}`],
    ['spaces added', (body: string) => JSON.stringify(JSON.parse(body), null, 2)],
    ['its body removed', () => ''],
    ['its body truncated', (body: string) => body.slice(0, body.length / 2)],
    ['its body repeated', (body: string) => body + body],
    ['its payment replaced', () => String(genuine().body)],
  ] as const) {
    refuse(`${what} after signing`, notification(paid, { change }), 'bad_signature');
  }
  refuse(
    'a signature by an unknown key',
    notification(paid, { signer: 'stranger' }),
    'bad_signature',
  );
  refuse(
    'a signature by the merchant’s own key',
    notification(paid, { signer: 'merchant' }),
    'bad_signature',
  );
  refuse(
    'a signature by the certificate under the serial of the public key',
    notification(paid, { signer: 'certificate' }),
    'bad_signature',
  );
  refuse('an unknown serial', notification(paid, { serial: '0'.repeat(40) }), 'bad_signature');
  refuse('the serial __proto__', withHeader('serial', '__proto__'), 'bad_signature');
  refuse('a method name as serial', withHeader('serial', 'toString'), 'bad_signature');
  refuse('a signature that is not base64', withHeader('signature', '?!'), 'bad_signature');
  refuse('a hexadecimal timestamp', withHeader('timestamp', '0x10'), 'bad_signature');
  refuse('a negative timestamp', withHeader('timestamp', '-1'), 'bad_signature');
  refuse(
    'a signature probe',
    withHeader('signature', `WECHATPAY/SIGNTEST/${'A'.repeat(320)}==`),
    'probe',
  );
  refuse(
    'a probe prefix before a valid signature',
    withHeader('signature', `WECHATPAY/SIGNTEST/${headerOf(genuine(), 'signature')}`),
    'probe',
  );
  for (const seconds of [302, 3600, 86_400, -302, -3600, -86_400]) {
    refuse(`an age of ${seconds} seconds`, notification(paid, { ageSeconds: seconds }), 'stale');
  }
  // From here on the signature is valid and the content is wrong.
  for (const body of ['', 'not JSON', 'null', '[]', '{}', '"text"']) {
    refuse(`the signed body ${JSON.stringify(body)}`, notification(paid, { body }), 'malformed');
  }
  for (const [what, envelope] of [
    ['no id', { id: undefined }],
    ['an empty id', { id: '' }],
    ['an overlong id', { id: 'x'.repeat(65) }],
    ['no event type', { event_type: undefined }],
    ['another resource type', { resource_type: 'plain-resource' }],
    ['no resource', { resource: undefined }],
    ['an unencrypted resource', { resource: paid }],
  ] as const) {
    refuse(what, notification(paid, { envelope }), 'malformed');
  }
  for (const [what, resource] of [
    ['another algorithm', { algorithm: 'AEAD_SM4_GCM' }],
    ['no ciphertext', { ciphertext: undefined }],
    ['a short nonce', { nonce: 'short' }],
  ] as const) {
    refuse(what, notification(paid, { resource }), 'malformed');
  }
  refuse('content that is not JSON', notification('not JSON'), 'malformed');
  refuse('content without a merchant id', notification({ ...paid, mchid: undefined }), 'malformed');
  for (const [what, resource] of [
    ['an empty ciphertext', { ciphertext: '' }],
    ['a ciphertext shorter than its tag', { ciphertext: 'AAAA' }],
    ['another ciphertext', { ciphertext: 'A'.repeat(64) }],
    ['other associated data', { associated_data: 'refund' }],
    ['another nonce', { nonce: '000000000000' }],
  ] as const) {
    refuse(what, notification(paid, { resource }), 'unverifiable');
  }
  // Without a check of the GCM tag this would decrypt to a payment of another amount.
  refuse(
    'another amount in the ciphertext',
    notification(paid, { resource: withAnotherAmount() }),
    'unverifiable',
  );
  refuse('an unknown API v3 key', notification(paid, { apiV3Key: 'k'.repeat(32) }), 'unverifiable');
  refuse(
    'a payment of another merchant',
    notification({ ...paid, mchid: '1900000110' }),
    'foreign_account',
  );
  refuse(
    'a payment of another application',
    notification({ ...paid, appid: 'wx0' }),
    'foreign_account',
  );
  refuse(
    'a refund of another merchant',
    notification({ ...sentBack, mchid: '1900000110' }, { type: 'REFUND.SUCCESS' }),
    'foreign_account',
  );

  test('the tests of forged WeChat notifications cover at least 40 distinct cases', () => {
    expect(forged.length).toBeGreaterThanOrEqual(40);
    expect(new Set(forged.map(([what]) => what)).size).toBe(forged.length);
  });

  test.each(forged)(
    'the WeChat adapter refuses a notification with %s',
    async (_what, raw, reason) => {
      expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
    },
  );

  test('the WeChat adapter accepts the genuine notification that the forgery tests alter', async () => {
    expect(await provider.parseWebhook(genuine())).toMatchObject({ ok: true });
    expect(headerOf(genuine(), 'serial')).toBe(publicKeyId);
    expect(paid.appid).toBe(appId);
  });
});
