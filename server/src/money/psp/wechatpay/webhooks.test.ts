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

describe('a genuine notification', () => {
  test('of a payment tells whose it is', async () => {
    expect(await provider.parseWebhook(notification(paid, { id: 'EV-1' }))).toEqual({
      ok: true,
      events: [{ eventId: 'EV-1', subject: { pspRef, reference } }],
    });
  });

  test.each(['REFUND.SUCCESS', 'REFUND.ABNORMAL', 'REFUND.CLOSED'])(
    'of %s names the refund and its payment',
    async (type) => {
      expect(await provider.parseWebhook(notification(sentBack, { type }))).toMatchObject({
        ok: true,
        events: [{ subject: { captureId: paid.transaction_id, refundId } }],
      });
    },
  );

  test('may be signed with either of WeChat’s keys, and encrypted with either of ours', async () => {
    for (const apiV3Key of apiV3Keys) {
      expect(await provider.parseWebhook(notification(paid, { apiV3Key }))).toMatchObject({
        ok: true,
      });
    }
    const old = { signer: 'certificate', serial: certificateSerial } as const;
    expect(await provider.parseWebhook(notification(paid, old))).toMatchObject({ ok: true });
  });

  test('is the same event each time it comes, and too old after five minutes', async () => {
    const raw = notification(paid, { id: 'EV-2' });
    const after = (seconds: number) => ({
      ...raw,
      receivedAt: new Date((Number(headerOf(raw, 'timestamp')) + seconds) * 1000),
    });
    expect(await provider.parseWebhook(after(300))).toEqual(await provider.parseWebhook(raw));
    expect(await provider.parseWebhook(after(301))).toEqual({ ok: false, reason: 'stale' });
  });

  test.each<[string, object, string?]>([
    ['a payment that is not ours', { ...paid, attach: 'somebody else' }],
    ['a payment without a reference', { ...paid, attach: undefined }],
    ['our reference under another number', { ...paid, out_trade_no: 'x'.repeat(32) }],
    ['a reference that is too long', { ...paid, attach: `${paid.attach}.${randomUUID()}` }],
    ['a payment that is none', { ...paid, trade_state: 'PAYERROR' }],
    ['something we do not know', paid, 'SCORE.USED'],
    ['a refund without a payment', { ...sentBack, transaction_id: 'none' }, 'REFUND.SUCCESS'],
  ])('about %s means nobody', async (_what, content, type = 'TRANSACTION.SUCCESS') => {
    expect(await provider.parseWebhook(notification(content, { type }))).toMatchObject({
      ok: true,
      events: [{ subject: null }],
    });
  });
});

test.each<[string, Parameters<typeof givenOptions>[0]]>([
  ['a key that is not there', { answerSerial: 'PUB_KEY_ID_0' }],
  ['no key to open with', { apiV3Keys: [] }],
  ['a key of another length', { apiV3Keys: ['short'] }],
  ['an address with a query', { notifyUrl: 'https://shop.test/hook?a=1' }],
  ['no address', { notifyUrl: '' }],
])('options with %s are refused at once', (_what, changes) => {
  expect(() => openWechatpay(givenOptions(changes))).toThrow();
});

describe('what is not WeChat’s word', () => {
  const genuine = () => notification(paid);
  const withHeader = (name: string, value: string | undefined) =>
    notification(paid, { headers: { [`wechatpay-${name}`]: value } });
  const flip = (share: number) => (body: string) => {
    const at = Math.floor((body.length - 1) * share);
    return body.slice(0, at) + (body[at] === '0' ? '1' : '0') + body.slice(at + 1);
  };
  /** What was encrypted, with the first digit of the amount changed and all else as it was. */
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
      `a body changed at ${share * 100} %`,
      notification(paid, { change: flip(share) }),
      'bad_signature',
    );
  }
  for (const [what, change] of [
    ['a line feed more', (body: string) => `${body}\n`],
    ['a mark before it', (body: string) => `\uFEFF${body}`],
    ['spaces between', (body: string) => JSON.stringify(JSON.parse(body), null, 2)],
    ['nothing', () => ''],
    ['half of it', (body: string) => body.slice(0, body.length / 2)],
    ['the whole twice', (body: string) => body + body],
    ['another payment', () => String(genuine().body)],
  ] as const) {
    refuse(`the signature over ${what}`, notification(paid, { change }), 'bad_signature');
  }
  refuse('a stranger’s key', notification(paid, { signer: 'stranger' }), 'bad_signature');
  refuse('our own key', notification(paid, { signer: 'merchant' }), 'bad_signature');
  refuse(
    'the certificate under the name of the public key',
    notification(paid, { signer: 'certificate' }),
    'bad_signature',
  );
  refuse('a serial nobody knows', notification(paid, { serial: '0'.repeat(40) }), 'bad_signature');
  refuse('a serial that is no serial', withHeader('serial', '__proto__'), 'bad_signature');
  refuse('a serial that is a method', withHeader('serial', 'toString'), 'bad_signature');
  refuse('a signature that is no base64', withHeader('signature', '?!'), 'bad_signature');
  refuse('a time that is no number', withHeader('timestamp', '0x10'), 'bad_signature');
  refuse('a time with a sign', withHeader('timestamp', '-1'), 'bad_signature');
  refuse('a probe', withHeader('signature', `WECHATPAY/SIGNTEST/${'A'.repeat(320)}==`), 'probe');
  refuse(
    'a probe in front of a good signature',
    withHeader('signature', `WECHATPAY/SIGNTEST/${headerOf(genuine(), 'signature')}`),
    'probe',
  );
  for (const seconds of [302, 3600, 86_400, -302, -3600, -86_400]) {
    refuse(`an age of ${seconds} s`, notification(paid, { ageSeconds: seconds }), 'stale');
  }
  // From here on WeChat has signed it, and it is not what it should be.
  for (const body of ['', 'not JSON', 'null', '[]', '{}', '"text"']) {
    refuse(`the content ${JSON.stringify(body)}`, notification(paid, { body }), 'malformed');
  }
  for (const [what, envelope] of [
    ['no id', { id: undefined }],
    ['an empty id', { id: '' }],
    ['an endless id', { id: 'x'.repeat(65) }],
    ['no type', { event_type: undefined }],
    ['another kind of resource', { resource_type: 'plain-resource' }],
    ['no resource', { resource: undefined }],
    ['an open resource', { resource: paid }],
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
  refuse('content that is no JSON', notification('not JSON'), 'malformed');
  refuse('content without a merchant', notification({ ...paid, mchid: undefined }), 'malformed');
  for (const [what, resource] of [
    ['a ciphertext of nothing', { ciphertext: '' }],
    ['a ciphertext too short for its tag', { ciphertext: 'AAAA' }],
    ['another ciphertext', { ciphertext: 'A'.repeat(64) }],
    ['another purpose', { associated_data: 'refund' }],
    ['another nonce', { nonce: '000000000000' }],
  ] as const) {
    refuse(what, notification(paid, { resource }), 'unverifiable');
  }
  // Without a look at the tag this would be a payment of another amount, and nobody would notice.
  refuse('another amount', notification(paid, { resource: withAnotherAmount() }), 'unverifiable');
  refuse('a key we do not have', notification(paid, { apiV3Key: 'k'.repeat(32) }), 'unverifiable');
  refuse(
    'the payment of another merchant',
    notification({ ...paid, mchid: '1900000110' }),
    'foreign_account',
  );
  refuse(
    'the payment of another application',
    notification({ ...paid, appid: 'wx0' }),
    'foreign_account',
  );
  refuse(
    'the refund of another merchant',
    notification({ ...sentBack, mchid: '1900000110' }, { type: 'REFUND.SUCCESS' }),
    'foreign_account',
  );

  test('there are enough ways to lie', () => {
    expect(forged.length).toBeGreaterThanOrEqual(40);
    expect(new Set(forged.map(([what]) => what)).size).toBe(forged.length);
  });

  test.each(forged)('%s is refused', async (_what, raw, reason) => {
    expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
  });

  test('a genuine one is taken, so that it is not all refused', async () => {
    expect(await provider.parseWebhook(genuine())).toMatchObject({ ok: true });
    expect(headerOf(genuine(), 'serial')).toBe(publicKeyId);
    expect(paid.appid).toBe(appId);
  });
});
