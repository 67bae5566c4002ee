import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openAdyen } from '../adyen.ts';
import type { ParsedWebhook, RawWebhook, WebhookSubject } from '../psp.ts';
import {
  givenItem,
  givenOptions,
  givenReference,
  givenRequest,
  hmacKeys,
  hmacOf,
  type Item,
  merchantAccount,
  message,
  rawOf,
  signed,
} from '../test/adyen-world.ts';
import { packed, unpacked } from './ids.ts';

const provider = openAdyen(givenOptions());
const { reference } = givenRequest();
const merchantReference = givenReference(reference);
const paid = givenItem({ merchantReference });
const captureId = paid.pspReference;
const money = { amountMinor: 499n, currency: 'USD' } as const;
const later = (changes: Partial<Item>) =>
  givenItem({
    merchantReference,
    originalReference: captureId,
    pspReference: 'B3HVNW4VPN9D7NZ2',
    ...changes,
  });

async function subjectOf(item: Item): Promise<WebhookSubject | null | undefined> {
  const parsed = await provider.parseWebhook(message([item]));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events[0]?.subject;
}

const nothing = { isClosed: false, captures: [], refunds: [], disputes: [] };

describe('genuine Adyen webhooks', () => {
  test('the HMAC helper of the Adyen adapter tests matches the test vector that Adyen documents', () => {
    const item = {
      pspReference: '7914073381342284',
      originalReference: '',
      merchantAccountCode: 'TestMerchant',
      merchantReference: 'TestPayment-1407325143704',
      amount: { value: 1130, currency: 'EUR' },
      eventCode: 'AUTHORISATION',
      success: 'true',
    };
    expect(hmacOf(item)).toBe('coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=');
  });

  test('the Adyen adapter reads payment reference and capture from an AUTHORISATION webhook', async () => {
    expect(await provider.parseWebhook(message([paid]))).toEqual({
      ok: true,
      events: [
        {
          eventId: `AUTHORISATION:${captureId}:true`,
          subject: {
            pspRef: merchantReference,
            reference,
            told: { ...nothing, captures: [{ captureId, money }] },
          },
        },
      ],
    });
  });

  test('the Adyen adapter reads a CAPTURE webhook as a capture with the PSP reference of its payment', async () => {
    expect(await subjectOf(later({ eventCode: 'CAPTURE' }))).toMatchObject({
      told: { captures: [{ captureId, money }] },
    });
  });

  test.each([
    ['AUTHORISATION', 'false'],
    ['CAPTURE', 'false'],
    ['CAPTURE_FAILED', 'false'],
    ['CHARGEBACK', 'false'],
    ['REFUND_FAILED', 'false'],
    ['NOTIFICATION_OF_FRAUD', 'true'],
    ['REPORT_AVAILABLE', 'true'],
    ['OFFER_CLOSED', 'true'],
    ['SOMETHING_NEW', 'true'],
  ])(
    'the Adyen adapter reads no payment, refund or dispute from a webhook of the event code %s with success "%s"',
    async (eventCode, success) => {
      expect(await subjectOf(later({ eventCode, success }))).toBeNull();
    },
  );

  test.each(['CAPTURE_FAILED', 'CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND'])(
    'the Adyen adapter reads a webhook of the event code %s as a refund of the captured money',
    async (eventCode) => {
      expect(await subjectOf(later({ eventCode }))).toMatchObject({
        reference,
        told: {
          refunds: [
            { refundId: 'B3HVNW4VPN9D7NZ2', isOurs: false, captureId, money, state: 'done' },
          ],
        },
      });
    },
  );

  test.each([
    ['REFUND', 'true', 'done'],
    ['REFUND', 'false', 'failed'],
    ['REFUND_FAILED', 'true', 'returned'],
    ['REFUNDED_REVERSED', 'true', 'returned'],
  ])(
    'the Adyen adapter reads a webhook of the event code %s with success "%s" about a refund by the shop as %s',
    async (eventCode, success, state) => {
      const refundId = randomUUID();
      expect(await subjectOf(later({ eventCode, success, merchantReference: refundId }))).toEqual({
        captureId,
        told: { ...nothing, refunds: [{ refundId, isOurs: true, captureId, money, state }] },
      });
    },
  );

  test('the Adyen adapter identifies a refund made outside the shop by Adyen’s reference', async () => {
    const refund = { refundId: 'B3HVNW4VPN9D7NZ2', isOurs: false, captureId, money, state: 'done' };
    expect(await subjectOf(later({ eventCode: 'REFUND' }))).toMatchObject({
      reference,
      told: { refunds: [refund] },
    });
    const typed = later({ eventCode: 'REFUND', merchantReference: 'asked: by phone' });
    expect(await subjectOf(typed)).toMatchObject({ captureId, told: { refunds: [refund] } });
  });

  test.each([
    ['REQUEST_FOR_INFORMATION', 'warning'],
    ['NOTIFICATION_OF_CHARGEBACK', 'warning'],
    ['CHARGEBACK', 'open'],
    ['CHARGEBACK_REVERSED', 'won'],
    ['PREARBITRATION_WON', 'won'],
    ['SECOND_CHARGEBACK', 'lost'],
    ['PREARBITRATION_LOST', 'lost'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'lost'],
  ])(
    'the Adyen adapter reads a webhook of the event code %s as a dispute in the stage %s',
    async (eventCode, stage) => {
      expect(await subjectOf(later({ eventCode }))).toEqual({
        pspRef: merchantReference,
        reference,
        told: {
          ...nothing,
          disputes: [{ disputeId: 'B3HVNW4VPN9D7NZ2', captureId, money, stage }],
        },
      });
    },
  );

  test.each<[string, Partial<Item>]>([
    ['in an unsupported currency', { amount: { value: 499, currency: 'XAU' } }],
    ['over a zero amount', { amount: { value: 0, currency: 'USD' } }],
    ['with a malformed PSP reference', { pspReference: 'short' }],
  ])(
    'the Adyen adapter reads from an AUTHORISATION webhook %s only the payment that it is about, and no captured amount',
    async (_what, changes) => {
      expect(await subjectOf({ ...paid, ...changes })).toEqual({
        pspRef: merchantReference,
        reference,
        told: undefined,
      });
    },
  );

  test.each<[string, Item]>([
    ['a payment with a foreign reference', { ...paid, merchantReference: 'their-order-1' }],
    ['a payment without a reference', { ...paid, merchantReference: '' }],
    [
      'a reference with an extra character',
      { ...paid, merchantReference: `${merchantReference}A` },
    ],
    [
      'a reference in another encoding',
      { ...paid, merchantReference: rewritten(merchantReference) },
    ],
    [
      'a dispute with a foreign reference',
      later({ eventCode: 'CHARGEBACK', merchantReference: 'theirs' }),
    ],
    [
      'a refund without a payment',
      later({ eventCode: 'REFUND', merchantReference: 'x', originalReference: '' }),
    ],
  ])(
    'the Adyen adapter reads no payment, refund or dispute from a webhook about %s',
    async (_what, item) => {
      expect(await subjectOf(item)).toBeNull();
    },
  );

  test('the Adyen adapter accepts a webhook with either of two HMAC keys and refuses it once its key is removed', async () => {
    for (const key of hmacKeys) {
      expect(await provider.parseWebhook(message([signed(paid, key)]))).toMatchObject({ ok: true });
    }
    const after = openAdyen(givenOptions({ hmacKeys: hmacKeys.slice(1) }));
    expect(await after.parseWebhook(message([signed(paid)]))).toMatchObject({ ok: false });
  });

  test('the Adyen adapter gives a webhook delivered again 30 days later the same event id', async () => {
    const raw = message([paid]);
    const again = { ...raw, receivedAt: new Date(Date.now() + 30 * 86_400_000) };
    expect(await provider.parseWebhook(again)).toEqual(await provider.parseWebhook(raw));
  });

  test('the Adyen adapter reads three events with distinct ids from a webhook with three items', async () => {
    const items = [paid, later({ eventCode: 'CAPTURE' }), later({ eventCode: 'REFUND' })];
    const parsed = await provider.parseWebhook(message(items));
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(new Set(parsed.events.map(({ eventId }) => eventId)).size).toBe(3);
  });

  // The signature does not cover these fields, so the adapter must not depend on them.
  test('the Adyen adapter reads a webhook the same whatever its unsigned fields say', async () => {
    const item = signed(paid);
    const altered = {
      ...item,
      reason: 'Refused',
      paymentMethod: 'ideal',
      eventDate: '1999-01-01',
      additionalData: { ...item.additionalData, checkoutSessionId: 'CS0', merchantReference: 'x' },
    };
    expect(await provider.parseWebhook(message([altered]))).toEqual(
      await provider.parseWebhook(message([item])),
    );
  });
});

describe('forged Adyen webhooks', () => {
  type Reason = (ParsedWebhook & { ok: false })['reason'];
  const forged: [what: string, raw: RawWebhook, reason: Reason][] = [];
  const refuse = (what: string, raw: RawWebhook, reason: Reason) =>
    forged.push([what, raw, reason]);
  const good = signed(paid);
  const goodRefund = signed(later({ eventCode: 'REFUND' }));
  const withSignature = (hmacSignature: string) =>
    message([{ ...paid, additionalData: { hmacSignature } }]);
  const hmac = hmacOf(paid);

  for (const [what, changes] of [
    ['another PSP reference', { pspReference: 'KHQC5N7G84BLNK44' }],
    ['an original reference', { originalReference: captureId }],
    ['another merchant reference', { merchantReference: givenReference(givenRequest().reference) }],
    ['another amount', { amount: { value: 1, currency: 'USD' } }],
    ['a greater amount', { amount: { value: 4990, currency: 'USD' } }],
    ['another currency', { amount: { value: 499, currency: 'VND' } }],
    ['another event code', { eventCode: 'REFUND' }],
    ['another success flag', { success: 'false' }],
    ['another merchant account', { merchantAccountCode: 'Other' }],
  ] as const) {
    refuse(`${what} set after signing`, message([{ ...good, ...changes }]), 'bad_signature');
  }
  for (const [what, changes] of [
    ['another payment', { originalReference: 'KHQC5N7G84BLNK44' }],
    ['no payment', { originalReference: undefined }],
    ['another PSP reference', { pspReference: 'B3HVNW4VPN9D7NZ3' }],
    ['a success flag of false', { success: 'false' }],
    ['a greater amount', { amount: { value: 500, currency: 'USD' } }],
    ['the event code CHARGEBACK', { eventCode: 'CHARGEBACK' }],
    ['another refund id', { merchantReference: randomUUID() }],
  ] as const) {
    refuse(
      `a refund with ${what} set after signing`,
      message([{ ...goodRefund, ...changes }]),
      'bad_signature',
    );
  }
  refuse(
    'an empty signature beside other additional data',
    message([{ ...paid, additionalData: { more: 'x', hmacSignature: '' } }]),
    'bad_signature',
  );
  refuse('no signature', rawOf(bodyOf({ ...paid })), 'bad_signature');
  refuse(
    'a signature outside additionalData',
    rawOf(bodyOf({ ...paid, hmacSignature: hmac })),
    'bad_signature',
  );
  refuse('an empty signature', withSignature(''), 'bad_signature');
  refuse('a signature that is not base64', withSignature('?!'), 'bad_signature');
  refuse(
    'a signature in hex',
    withSignature(Buffer.from(hmac, 'base64').toString('hex')),
    'bad_signature',
  );
  refuse('a signature with a leading space', withSignature(` ${hmac}`), 'bad_signature');
  refuse('a truncated signature', withSignature(hmac.slice(0, -2)), 'bad_signature');
  refuse('a signature with extra bytes', withSignature(`${hmac}AAAA`), 'bad_signature');
  refuse('a signature of another message', withSignature(hmacOf(later({}))), 'bad_signature');
  refuse('a foreign signature', message([signed(paid, 'AB'.repeat(32))]), 'bad_signature');
  refuse('an all-zero signing key', message([signed(paid, '00'.repeat(32))]), 'bad_signature');
  refuse(
    'a signature by the key read as text',
    message([signed(paid, Buffer.from(hmacKeys[0] ?? '').toString('hex'))]),
    'bad_signature',
  );
  refuse(
    'one forged item among genuine items',
    message([good, { ...good, success: 'false' }, goodRefund]),
    'bad_signature',
  );
  refuse(
    'a genuine item after a forged item',
    message([{ ...good, success: 'false' }, good]),
    'bad_signature',
  );
  // The signed text joins the fields with colons, so "a:b" could be read as two fields.
  refuse(
    'a colon in the PSP reference',
    message([signed({ ...paid, pspReference: `${captureId}:` })]),
    'malformed',
  );
  refuse(
    'a colon in the original reference',
    message([signed({ ...paid, originalReference: 'a:b' })]),
    'malformed',
  );
  for (const [what, changes] of [
    ['a boolean success flag', { success: true }],
    ['a success flag in capitals', { success: 'TRUE' }],
    ['no success flag', { success: undefined }],
    ['an amount as text', { amount: { value: '499', currency: 'USD' } }],
    ['a fractional amount', { amount: { value: 4.99, currency: 'USD' } }],
    ['a negative amount', { amount: { value: -499, currency: 'USD' } }],
    ['an amount above the safe integer range', { amount: { value: 1e21, currency: 'USD' } }],
    ['no amount', { amount: undefined }],
    ['a currency in lower case', { amount: { value: 499, currency: 'usd' } }],
    ['no event code', { eventCode: undefined }],
    ['a colon in the event code', { eventCode: 'A:B' }],
    ['no PSP reference', { pspReference: '' }],
    ['an overlong merchant reference', { merchantReference: 'x'.repeat(201) }],
    ['an array as merchant reference', { merchantReference: ['x'] }],
    ['an array as additional data', { additionalData: [] }],
  ] as const) {
    refuse(what, rawOf(bodyOf({ ...good, ...changes })), 'malformed');
  }
  for (const body of ['', 'not JSON', 'null', '[]', '{}', '"text"', '{"live":"false"}']) {
    refuse(`the body ${JSON.stringify(body)}`, rawOf(body), 'malformed');
  }
  refuse('no items', message([], {}), 'malformed');
  refuse('no live flag', message([good], { live: undefined }), 'malformed');
  refuse('a truncated body', rawOf(bodyOf(good).slice(0, 300)), 'malformed');
  refuse('a repeated body', rawOf(bodyOf(good) + bodyOf(good)), 'malformed');
  refuse('an item without its envelope', rawOf(JSON.stringify(good)), 'malformed');
  refuse('the live flag set', message([good], { live: 'true' }), 'foreign_account');
  refuse(
    'another merchant account',
    message([givenItem({ merchantAccountCode: 'Other' })]),
    'foreign_account',
  );
  refuse(
    'the merchant account in lower case',
    message([givenItem({ merchantAccountCode: merchantAccount.toLowerCase() })]),
    'foreign_account',
  );
  refuse(
    'one item of another merchant account',
    message([good, givenItem({ merchantAccountCode: 'Other' })]),
    'foreign_account',
  );

  test('the tests of forged Adyen webhooks cover at least 40 distinct cases', () => {
    expect(forged.length).toBeGreaterThanOrEqual(40);
    expect(new Set(forged.map(([what]) => what)).size).toBe(forged.length);
  });

  test.each(forged)('the Adyen adapter refuses a webhook with %s', async (_what, raw, reason) => {
    expect(await provider.parseWebhook(raw)).toEqual({ ok: false, reason });
  });

  test('the Adyen adapter accepts the genuine webhook that the forgery tests alter', async () => {
    expect(await provider.parseWebhook(rawOf(bodyOf(good)))).toMatchObject({ ok: true });
  });
});

test.each<[string, Parameters<typeof givenOptions>[0]]>([
  ['no API key', { apiKey: '' }],
  ['no merchant account', { merchantAccount: '' }],
  ['a merchant account with a colon', { merchantAccount: 'a:b' }],
  ['no HMAC key', { hmacKeys: [] }],
  ['an HMAC key that is not hexadecimal', { hmacKeys: ['x'.repeat(64)] }],
  ['a short HMAC key', { hmacKeys: ['AB'] }],
  ['the live environment and no API base', { environment: 'live' }],
])('the Adyen adapter throws at start when its configuration has %s', (_what, changes) => {
  expect(() => openAdyen(givenOptions(changes))).toThrow();
});

test("the merchant reference that the Adyen adapter sends contains the account, payment and attempt ids and fits Adyen's length limit", () => {
  for (let times = 0; times < 100; times += 1) {
    const ids = givenRequest().reference;
    const text = packed(ids);
    expect(text).toBe(givenReference(ids));
    expect(text.length).toBeLessThanOrEqual(80);
    expect(unpacked(text)).toEqual(ids);
  }
});

function bodyOf(item: object): string {
  const notificationItems = [{ NotificationRequestItem: item }];
  return JSON.stringify({ live: 'false', notificationItems });
}

/** Encodes the same bytes differently: base64url ignores some bits of the last character. */
function rewritten(text: string): string {
  const last = text.at(-1) ?? '';
  const next = { A: 'B', Q: 'R', g: 'h', w: 'x' }[last];
  if (next === undefined) throw new Error(`${last} cannot end a base64url part`);
  return text.slice(0, -1) + next;
}
