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

describe('a genuine notification', () => {
  test('of a payment tells whose it is', async () => {
    expect(await provider.parseWebhook(notification(paid()))).toEqual({
      ok: true,
      events: [{ eventId: paid().notify_id, subject: { pspRef, reference } }],
    });
  });

  test.each(['TRADE_SUCCESS', 'TRADE_CLOSED'])(
    'of a refund names it, whether the trade is now %s or not',
    async (trade_status) => {
      const news = notification(paid({ trade_status, ...sentBack }));
      expect(await provider.parseWebhook(news)).toMatchObject({
        ok: true,
        events: [{ subject: { pspRef, reference, refundId } }],
      });
    },
  );

  test('of a refund made by hand names it as Alipay does', async () => {
    const news = notification(paid({ ...sentBack, out_biz_no: 'HAND01' }));
    expect(await provider.parseWebhook(news)).toMatchObject({
      events: [{ subject: { pspRef, reference, refundId: 'HAND01' } }],
    });
  });

  test.each(['TRADE_CLOSED', 'TRADE_FINISHED'])('of %s says that there is news', async (status) => {
    expect(await provider.parseWebhook(notification(paid({ trade_status: status })))).toEqual({
      ok: true,
      events: [{ eventId: paid().notify_id, subject: { pspRef, reference } }],
    });
  });

  test('may be signed with either of Alipay’s keys', async () => {
    const newer = notification(paid(), { signer: 'next' });
    expect(await provider.parseWebhook(newer)).toMatchObject({ ok: true });
    const [first = ''] = givenOptions().alipayPublicKeys;
    const before = openAlipay(givenOptions({ alipayPublicKeys: [first] }));
    expect(await before.parseWebhook(newer)).toEqual({ ok: false, reason: 'bad_signature' });
  });

  test('with a per cent sign, a plus or another script in its words is read as it was sent', async () => {
    const news = notification(paid({ subject: '100% 星辉+碎片 “%zz”', body: 'a+b c' }));
    expect(await provider.parseWebhook(news)).toMatchObject({ ok: true });
  });

  test('comes for a day, and is the same event each time', async () => {
    const raw = notification(paid());
    const again = { ...raw, receivedAt: new Date(Date.now() + 24.5 * 3600_000) };
    expect(await provider.parseWebhook(again)).toEqual(await provider.parseWebhook(raw));
    const late = { ...raw, receivedAt: new Date(Date.now() + 25.1 * 3600_000) };
    expect(await provider.parseWebhook(late)).toEqual({ ok: false, reason: 'stale' });
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['a payment that is not ours', { passback_params: 'somebody else' }],
    ['a payment without a reference', { passback_params: undefined }],
    ['our reference under another number', { out_trade_no: 'x'.repeat(32) }],
    ['a payment that nobody has made yet', { trade_status: 'WAIT_BUYER_PAY' }],
    ['a state we do not know', { trade_status: 'TRADE_PENDING' }],
    ['something else', { notify_type: 'dut_user_sign' }],
    ['a payment without a number', { out_trade_no: undefined }],
  ])('about %s means nobody', async (_what, changes) => {
    expect(await provider.parseWebhook(notification(paid(changes)))).toMatchObject({
      ok: true,
      events: [{ subject: null }],
    });
  });
});

test.each<[string, Parameters<typeof givenOptions>[0]]>([
  ['an application that is none', { appId: 'shop' }],
  ['a seller that is none', { sellerId: 'shop@example.com' }],
  ['no key to verify with', { alipayPublicKeys: [] }],
  ['a key that is none', { alipayPublicKeys: ['key'] }],
  ['no key to sign with', { privateKey: '' }],
  ['no address', { notifyUrl: '' }],
  ['an address with a query', { notifyUrl: 'https://shop.test/hook?a=1' }],
])('options with %s are refused at once', (_what, changes) => {
  expect(() => openAlipay(givenOptions(changes))).toThrow();
});

describe('what is not Alipay’s word', () => {
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
    // Earlier, not later: the notification below is written after this line, perhaps a second after.
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
    refuse(`another ${name}`, changed({ [name]: value }), 'bad_signature');
    refuse(`no ${name}`, changed({ [name]: undefined }), 'bad_signature');
  }
  refuse('a field more', changed({ refund_fee: '648.00' }), 'bad_signature');
  for (const [what, sign] of [
    ['no signature', undefined],
    ['an empty signature', ''],
    ['a signature that is no base64', '?!'],
    ['a signature of zeros', Buffer.alloc(256).toString('base64')],
    ['half a signature', 'AAAA'],
  ] as const) {
    refuse(what, changed({ sign }), 'bad_signature');
  }
  refuse('a stranger’s key', notification(paid(), { signer: 'stranger' }), 'bad_signature');
  refuse('our own key', notification(paid(), { signer: 'merchant' }), 'bad_signature');
  refuse('no kind of signature', changed({ sign_type: undefined }), 'bad_signature');
  refuse('an unknown kind of signature', changed({ sign_type: 'RSA3' }), 'bad_signature');
  refuse('an inherited kind of signature', changed({ sign_type: 'toString' }), 'bad_signature');
  refuse(
    'a weak signature that is right',
    notification(paid({ sign_type: 'RSA' }), { hash: 'sha1' }),
    'bad_signature',
  );
  refuse(
    'a weak signature under the name of a strong one',
    notification(paid(), { hash: 'sha1' }),
    'bad_signature',
  );
  // In order of their names these two stand side by side, so the signature covers the same letters.
  const { total_amount, trade_no } = paid();
  const hidden = { total_amount: `${total_amount}&trade_no=${trade_no}`, trade_no: undefined };
  refuse('two fields in one, under the same signature', changed(hidden), 'malformed');
  refuse(
    'a field inside another that Alipay signed',
    notification(paid({ subject: 'gems&trade_status=TRADE_SUCCESS' })),
    'malformed',
  );
  for (const [what, change] of [
    ['nothing', () => ''],
    ['a field twice', (body: string) => `${body}&total_amount=648.00`],
    ['a name with a capital', (body: string) => `${body}&Total=1`],
    ['a name that is inherited', (body: string) => `${body}&__proto__.x=1`],
    ['JSON', (body: string) => JSON.stringify(Object.fromEntries(new URLSearchParams(body)))],
    ['a mark before it', (body: string) => `\uFEFF${body}`],
    ['too many fields', (body: string) => body + '&x=1'.repeat(101)],
  ] as const) {
    refuse(`a body with ${what}`, notification(paid(), { change }), 'malformed');
  }
  refuse(
    'the whole twice',
    notification(paid(), { change: (body) => `${body}&${body}` }),
    'malformed',
  );
  refuse(
    'bytes that are no text',
    { ...notification(paid()), body: Buffer.from([0x61, 0x3d, 0xff, 0xfe]) },
    'malformed',
  );
  refuse(
    'half of it',
    notification(paid(), { change: (body) => body.slice(0, body.length / 2) }),
    'bad_signature',
  );
  // From here on Alipay has signed it, and it is not what it should be.
  for (const [what, changes] of [
    ['no id', { notify_id: undefined }],
    ['an endless id', { notify_id: '1'.repeat(129) }],
    ['no time', { notify_time: undefined }],
    ['a time that is none', { notify_time: 'yesterday' }],
    ['a time with a month too many', { notify_time: '2026-13-01 00:00:00' }],
    ['no kind', { notify_type: undefined }],
    ['no application', { app_id: undefined }],
    ['no seller', { seller_id: undefined }],
  ] as const) {
    refuse(`a notification with ${what}`, notification(paid(changes)), 'malformed');
  }
  for (const [what, changes] of [
    ['application', { app_id: '2021000000000001' }],
    ['seller', { seller_id: '2088000000000001' }],
  ] as const) {
    refuse(`the payment of another ${what}`, notification(paid(changes)), 'foreign_account');
  }
  for (const hours of [25.1, 48, 24 * 365, -0.1, -1, -24, -24 * 365]) {
    const notify_time = beijing(new Date(Date.now() - hours * 3600_000));
    refuse(`an age of ${hours} h`, notification(paid({ notify_time })), 'stale');
  }
  refuse(
    'a time that is right here and not in Beijing',
    notification(paid({ notify_time: beijing(new Date(Date.now() + 8 * 3600_000)) })),
    'stale',
  );

  test('there are enough ways to lie', () => {
    expect(forged.length).toBeGreaterThanOrEqual(40);
    expect(new Set(forged.map(([what]) => what)).size).toBe(forged.length);
  });

  test.each(forged)('%s is refused', async (_what, raw, reason) => {
    expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
  });

  test('a genuine one is taken, so that it is not all refused', async () => {
    expect(await provider.parseWebhook(notification(paid()))).toMatchObject({ ok: true });
  });
});
