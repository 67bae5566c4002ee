import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openAlipay } from '../alipay.ts';
import type { ParsedWebhook, RawWebhook } from '../psp.ts';
import {
  beijing,
  givenNews,
  givenOptions,
  givenRequest,
  notification,
} from '../test/alipay-world.ts';

const provider = openAlipay(givenOptions());
const { reference } = givenRequest();
const paid = (changes: Record<string, string | undefined> = {}) => givenNews(reference, changes);
const pspRef = reference.attemptId.replaceAll('-', '');
const refundId = randomUUID();
const sentBack = {
  gmt_refund: '2026-11-15 21:40:00.320',
  refund_fee: '100.00',
  out_biz_no: refundId,
};

describe('genuine Alipay notifications', () => {
  test('the Alipay adapter reads order and payment reference from a payment notification', async () => {
    expect(await provider.parseWebhook(notification(paid()))).toEqual({
      ok: true,
      events: [{ eventId: paid().notify_id, subject: { pspRef, reference } }],
    });
  });

  test.each(['TRADE_SUCCESS', 'TRADE_CLOSED'])(
    'the Alipay adapter reads the refund from a refund notification with the trade status %s',
    async (trade_status) => {
      const news = notification(paid({ trade_status, ...sentBack }));
      expect(await provider.parseWebhook(news)).toMatchObject({
        ok: true,
        events: [{ subject: { pspRef, reference, refundId } }],
      });
    },
  );

  test('the Alipay adapter identifies a refund made outside the shop by Alipay’s refund number', async () => {
    const news = notification(paid({ ...sentBack, out_biz_no: 'HAND01' }));
    expect(await provider.parseWebhook(news)).toMatchObject({
      events: [{ subject: { pspRef, reference, refundId: 'HAND01' } }],
    });
  });

  test.each(['TRADE_CLOSED', 'TRADE_FINISHED'])(
    'the Alipay adapter reads the order from a notification with the trade status %s',
    async (status) => {
      expect(await provider.parseWebhook(notification(paid({ trade_status: status })))).toEqual({
        ok: true,
        events: [{ eventId: paid().notify_id, subject: { pspRef, reference } }],
      });
    },
  );

  test('the Alipay adapter accepts a notification signed with the next key only when that key is configured', async () => {
    const newer = notification(paid(), { signer: 'next' });
    expect(await provider.parseWebhook(newer)).toMatchObject({ ok: true });
    const [first = ''] = givenOptions().alipayPublicKeys;
    const before = openAlipay(givenOptions({ alipayPublicKeys: [first] }));
    expect(await before.parseWebhook(newer)).toEqual({ ok: false, reason: 'bad_signature' });
  });

  test('the Alipay adapter accepts a notification with percent signs, plus signs or Chinese characters', async () => {
    const news = notification(paid({ subject: '100% 星辉+碎片 “%zz”', body: 'a+b c' }));
    expect(await provider.parseWebhook(news)).toMatchObject({ ok: true });
  });

  test('the Alipay adapter gives a repeated notification the same event id for 25 hours and refuses it as stale later', async () => {
    const raw = notification(paid());
    const again = { ...raw, receivedAt: new Date(Date.now() + 24.5 * 3600_000) };
    expect(await provider.parseWebhook(again)).toEqual(await provider.parseWebhook(raw));
    const late = { ...raw, receivedAt: new Date(Date.now() + 25.1 * 3600_000) };
    expect(await provider.parseWebhook(late)).toEqual({ ok: false, reason: 'stale' });
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['a payment with a foreign reference', { passback_params: 'somebody else' }],
    ['a payment without a reference', { passback_params: undefined }],
    ['our reference with another order number', { out_trade_no: 'x'.repeat(32) }],
    ['a payment that is not made yet', { trade_status: 'WAIT_BUYER_PAY' }],
    ['an unknown trade status', { trade_status: 'TRADE_PENDING' }],
    ['another notification type', { notify_type: 'dut_user_sign' }],
    ['a payment without an order number', { out_trade_no: undefined }],
  ])(
    'the Alipay adapter reads no payment or refund from a notification about %s',
    async (_what, changes) => {
      expect(await provider.parseWebhook(notification(paid(changes)))).toMatchObject({
        ok: true,
        events: [{ subject: null }],
      });
    },
  );
});

test.each<[string, Parameters<typeof givenOptions>[0]]>([
  ['a malformed app id', { appId: 'shop' }],
  ['a malformed seller id', { sellerId: 'shop@example.com' }],
  ['no Alipay public key', { alipayPublicKeys: [] }],
  ['a malformed Alipay public key', { alipayPublicKeys: ['key'] }],
  ['no private key', { privateKey: '' }],
  ['no notify URL', { notifyUrl: '' }],
  ['a notify URL with a query', { notifyUrl: 'https://shop.test/hook?a=1' }],
])('the Alipay adapter throws at start when its configuration has %s', (_what, changes) => {
  expect(() => openAlipay(givenOptions(changes))).toThrow();
});

describe('forged Alipay notifications', () => {
  type Reason = (ParsedWebhook & { ok: false })['reason'];
  const forged: [what: string, raw: RawWebhook, reason: Reason][] = [];
  const refuse = (what: string, raw: RawWebhook, reason: Reason) =>
    forged.push([what, raw, reason]);
  const changed = (after: Record<string, string | undefined>) => notification(paid(), { after });

  const another: Record<string, string> = {
    total_amount: '999.00',
    receipt_amount: '0.01',
    out_trade_no: 'f'.repeat(32),
    trade_no: '2026111522001000000000000002',
    trade_status: 'TRADE_FINISHED',
    notify_id: '2026111501222000000000000000002',
    // In the past, so that it differs from the notify_time that is generated a moment later.
    notify_time: beijing(new Date(Date.now() - 60_000)),
    app_id: '2021000000000001',
    seller_id: '2088000000000001',
    passback_params: [randomUUID(), randomUUID(), randomUUID()].join('.'),
    subject: 'Something else',
    buyer_id: '2088000000000003',
    charset: 'GBK',
    notify_type: 'other',
  };
  for (const [name, value] of Object.entries(another)) {
    refuse(`${name} changed after signing`, changed({ [name]: value }), 'bad_signature');
    refuse(`${name} removed after signing`, changed({ [name]: undefined }), 'bad_signature');
  }
  refuse('a field added after signing', changed({ refund_fee: '648.00' }), 'bad_signature');
  for (const [what, sign] of [
    ['no signature', undefined],
    ['an empty signature', ''],
    ['a signature that is not base64', '?!'],
    ['a signature of zeros', Buffer.alloc(256).toString('base64')],
    ['a short signature', 'AAAA'],
  ] as const) {
    refuse(what, changed({ sign }), 'bad_signature');
  }
  refuse(
    'a signature by an unknown key',
    notification(paid(), { signer: 'stranger' }),
    'bad_signature',
  );
  refuse(
    'a signature by the merchant’s own key',
    notification(paid(), { signer: 'merchant' }),
    'bad_signature',
  );
  refuse('no sign_type', changed({ sign_type: undefined }), 'bad_signature');
  refuse('an unknown sign_type', changed({ sign_type: 'RSA3' }), 'bad_signature');
  refuse(
    'an inherited property name as sign_type',
    changed({ sign_type: 'toString' }),
    'bad_signature',
  );
  refuse(
    'a valid SHA-1 signature',
    notification(paid({ sign_type: 'RSA' }), { hash: 'sha1' }),
    'bad_signature',
  );
  refuse(
    'a SHA-1 signature declared as RSA2',
    notification(paid(), { hash: 'sha1' }),
    'bad_signature',
  );
  // These two fields are adjacent in the sorted text, so merging them leaves the signed text as it is.
  const { total_amount, trade_no } = paid();
  const hidden = { total_amount: `${total_amount}&trade_no=${trade_no}`, trade_no: undefined };
  refuse('two fields merged into one under the same signature', changed(hidden), 'malformed');
  refuse(
    'a field injected into another field that Alipay signed',
    notification(paid({ subject: 'gems&trade_status=TRADE_SUCCESS' })),
    'malformed',
  );
  for (const [what, change] of [
    ['no content', () => ''],
    ['a duplicate field', (body: string) => `${body}&total_amount=648.00`],
    ['a capital letter in a field name', (body: string) => `${body}&Total=1`],
    ['an inherited property name as field name', (body: string) => `${body}&__proto__.x=1`],
    ['JSON', (body: string) => JSON.stringify(Object.fromEntries(new URLSearchParams(body)))],
    ['a byte order mark', (body: string) => `\uFEFF${body}`],
    ['too many fields', (body: string) => body + '&x=1'.repeat(101)],
  ] as const) {
    refuse(`${what} in its body`, notification(paid(), { change }), 'malformed');
  }
  refuse(
    'a repeated body',
    notification(paid(), { change: (body) => `${body}&${body}` }),
    'malformed',
  );
  refuse(
    'a body that is not UTF-8',
    { ...notification(paid()), body: Buffer.from([0x61, 0x3d, 0xff, 0xfe]) },
    'malformed',
  );
  refuse(
    'a truncated body',
    notification(paid(), { change: (body) => body.slice(0, body.length / 2) }),
    'bad_signature',
  );
  // From here on the signature is valid and the content is wrong.
  for (const [what, changes] of [
    ['no notify_id', { notify_id: undefined }],
    ['an overlong notify_id', { notify_id: '1'.repeat(129) }],
    ['no notify_time', { notify_time: undefined }],
    ['a malformed notify_time', { notify_time: 'yesterday' }],
    ['an invalid month in notify_time', { notify_time: '2026-13-01 00:00:00' }],
    ['no notify_type', { notify_type: undefined }],
    ['no app_id', { app_id: undefined }],
    ['no seller_id', { seller_id: undefined }],
  ] as const) {
    refuse(`${what} under a valid signature`, notification(paid(changes)), 'malformed');
  }
  for (const [what, changes] of [
    ['app_id', { app_id: '2021000000000001' }],
    ['seller_id', { seller_id: '2088000000000001' }],
  ] as const) {
    refuse(
      `another ${what} under a valid signature`,
      notification(paid(changes)),
      'foreign_account',
    );
  }
  for (const hours of [25.1, 48, 24 * 365, -0.1, -1, -24, -24 * 365]) {
    const notify_time = beijing(new Date(Date.now() - hours * 3600_000));
    refuse(`an age of ${hours} hours`, notification(paid({ notify_time })), 'stale');
  }
  refuse(
    'a notify_time 8 hours ahead of Beijing',
    notification(paid({ notify_time: beijing(new Date(Date.now() + 8 * 3600_000)) })),
    'stale',
  );

  test('the tests of forged Alipay notifications cover at least 40 distinct cases', () => {
    expect(forged.length).toBeGreaterThanOrEqual(40);
    expect(new Set(forged.map(([what]) => what)).size).toBe(forged.length);
  });

  test.each(forged)(
    'the Alipay adapter refuses a notification with %s',
    async (_what, raw, reason) => {
      expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
    },
  );

  test('the Alipay adapter accepts the genuine notification that the forgery tests alter', async () => {
    expect(await provider.parseWebhook(notification(paid()))).toMatchObject({ ok: true });
  });
});
