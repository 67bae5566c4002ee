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
import { packed, unpacked } from './reference.ts';

const provider = openAdyen(givenOptions());
const { reference } = givenRequest();
const merchantReference = givenReference(reference);
const paid = givenItem({ merchantReference });
const captureId = paid.pspReference;
const money = { amountMinor: 499n, currency: 'USD' } as const;
const later = (changes: Partial<Item>) =>
  givenItem({
    ...{ merchantReference, originalReference: captureId, pspReference: 'B3HVNW4VPN9D7NZ2' },
    ...changes,
  });

async function subjectOf(item: Item): Promise<WebhookSubject | null | undefined> {
  const parsed = await provider.parseWebhook(message([item]));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.events[0]?.subject;
}

const nothing = { isClosed: false, captures: [], refunds: [], disputes: [] };

describe('a genuine message', () => {
  test('is signed as in the vector that Adyen documents', () => {
    const item = {
      ...{ pspReference: '7914073381342284', originalReference: '' },
      ...{ merchantAccountCode: 'TestMerchant', merchantReference: 'TestPayment-1407325143704' },
      ...{ amount: { value: 1130, currency: 'EUR' }, eventCode: 'AUTHORISATION', success: 'true' },
    };
    expect(hmacOf(item)).toBe('coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=');
  });

  test('of a payment tells whose it is, and proves the money', async () => {
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

  test('of a capture proves the same money under the name of its payment', async () => {
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
  ])('of %s with success "%s" moves nothing', async (eventCode, success) => {
    expect(await subjectOf(later({ eventCode, success }))).toBeNull();
  });

  test.each(['CAPTURE_FAILED', 'CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND'])(
    'of %s proves that the money is not there',
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
    'of %s with success "%s" tells what became of our refund',
    async (eventCode, success, state) => {
      const refundId = randomUUID();
      expect(await subjectOf(later({ eventCode, success, merchantReference: refundId }))).toEqual({
        captureId,
        told: { ...nothing, refunds: [{ refundId, isOurs: true, captureId, money, state }] },
      });
    },
  );

  test('of a refund that was made at Adyen calls it by Adyen’s name', async () => {
    const refund = { refundId: 'B3HVNW4VPN9D7NZ2', isOurs: false, captureId, money, state: 'done' };
    expect(await subjectOf(later({ eventCode: 'REFUND' }))).toMatchObject({
      ...{ reference, told: { refunds: [refund] } },
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
  ])('of %s is a dispute that is %s', async (eventCode, stage) => {
    expect(await subjectOf(later({ eventCode }))).toEqual({
      pspRef: merchantReference,
      reference,
      told: {
        ...nothing,
        disputes: [{ disputeId: 'B3HVNW4VPN9D7NZ2', captureId, money, stage }],
      },
    });
  });

  test.each<[string, Partial<Item>]>([
    ['of a currency nobody here knows', { amount: { value: 499, currency: 'XAU' } }],
    ['of no money at all', { amount: { value: 0, currency: 'USD' } }],
    ['of a payment with a name that is none', { pspReference: 'short' }],
  ])('about our payment %s proves nothing, and is not passed over', async (_what, changes) => {
    expect(await subjectOf({ ...paid, ...changes })).toEqual({
      pspRef: merchantReference,
      reference,
      told: undefined,
    });
  });

  test.each<[string, Item]>([
    ['a payment of others', { ...paid, merchantReference: 'their-order-1' }],
    ['a payment without a reference', { ...paid, merchantReference: '' }],
    ['a reference with a letter too many', { ...paid, merchantReference: `${merchantReference}A` }],
    ['a reference written otherwise', { ...paid, merchantReference: rewritten(merchantReference) }],
    ['a dispute of others', later({ eventCode: 'CHARGEBACK', merchantReference: 'theirs' })],
    [
      'a refund of nothing',
      later({ eventCode: 'REFUND', merchantReference: 'x', originalReference: '' }),
    ],
  ])('about %s means nobody', async (_what, item) => {
    expect(await subjectOf(item)).toBeNull();
  });

  test('may be signed with either key', async () => {
    for (const key of hmacKeys) {
      expect(await provider.parseWebhook(message([signed(paid, key)]))).toMatchObject({ ok: true });
    }
    const after = openAdyen(givenOptions({ hmacKeys: hmacKeys.slice(1) }));
    expect(await after.parseWebhook(message([signed(paid)]))).toMatchObject({ ok: false });
  });

  test('is the same event each time it comes, whenever that is', async () => {
    const raw = message([paid]);
    const again = { ...raw, receivedAt: new Date(Date.now() + 30 * 86_400_000) };
    expect(await provider.parseWebhook(again)).toEqual(await provider.parseWebhook(raw));
  });

  test('may tell several things, each an event by itself', async () => {
    const items = [paid, later({ eventCode: 'CAPTURE' }), later({ eventCode: 'REFUND' })];
    const parsed = await provider.parseWebhook(message(items));
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(new Set(parsed.events.map(({ eventId }) => eventId)).size).toBe(3);
  });

  // These can be altered without detection, so nothing may hang on them.
  test('is read only as far as it is signed', async () => {
    const item = signed(paid);
    const altered = {
      ...item,
      ...{ reason: 'Refused', paymentMethod: 'ideal', eventDate: '1999-01-01' },
      additionalData: { ...item.additionalData, checkoutSessionId: 'CS0', merchantReference: 'x' },
    };
    expect(await provider.parseWebhook(message([altered]))).toEqual(
      await provider.parseWebhook(message([item])),
    );
  });
});

describe('what is not Adyen’s word', () => {
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
    ['another payment', { pspReference: 'KHQC5N7G84BLNK44' }],
    ['an original', { originalReference: captureId }],
    ['another reference', { merchantReference: givenReference(givenRequest().reference) }],
    ['another amount', { amount: { value: 1, currency: 'USD' } }],
    ['a greater amount', { amount: { value: 4990, currency: 'USD' } }],
    ['another currency', { amount: { value: 499, currency: 'VND' } }],
    ['another event', { eventCode: 'REFUND' }],
    ['another end', { success: 'false' }],
    ['another merchant', { merchantAccountCode: 'Other' }],
  ] as const) {
    refuse(`${what} than was signed`, message([{ ...good, ...changes }]), 'bad_signature');
  }
  for (const [what, changes] of [
    ['a refund of another payment', { originalReference: 'KHQC5N7G84BLNK44' }],
    ['a refund of no payment', { originalReference: undefined }],
    ['a refund under another name', { pspReference: 'B3HVNW4VPN9D7NZ3' }],
    ['a refund that failed', { success: 'false' }],
    ['a refund of more', { amount: { value: 500, currency: 'USD' } }],
    ['a refund that is a chargeback', { eventCode: 'CHARGEBACK' }],
    ['a refund for another order', { merchantReference: randomUUID() }],
  ] as const) {
    refuse(`${what} than was signed`, message([{ ...goodRefund, ...changes }]), 'bad_signature');
  }
  refuse(
    'no additional data',
    message([{ ...paid, additionalData: { more: 'x', hmacSignature: '' } }]),
    'bad_signature',
  );
  refuse('no signature', rawOf(bodyOf({ ...paid })), 'bad_signature');
  refuse('a signature elsewhere', rawOf(bodyOf({ ...paid, hmacSignature: hmac })), 'bad_signature');
  refuse('an empty signature', withSignature(''), 'bad_signature');
  refuse('a signature that is no base64', withSignature('?!'), 'bad_signature');
  refuse(
    'a signature in hex',
    withSignature(Buffer.from(hmac, 'base64').toString('hex')),
    'bad_signature',
  );
  refuse('a signature with a space', withSignature(` ${hmac}`), 'bad_signature');
  refuse('a signature cut short', withSignature(hmac.slice(0, -2)), 'bad_signature');
  refuse('a signature and more', withSignature(`${hmac}AAAA`), 'bad_signature');
  refuse('a signature of another message', withSignature(hmacOf(later({}))), 'bad_signature');
  refuse('a stranger’s key', message([signed(paid, 'AB'.repeat(32))]), 'bad_signature');
  refuse('a key of nothing', message([signed(paid, '00'.repeat(32))]), 'bad_signature');
  refuse(
    'the key read as text',
    message([signed(paid, Buffer.from(hmacKeys[0] ?? '').toString('hex'))]),
    'bad_signature',
  );
  refuse(
    'one forged among good ones',
    message([good, { ...good, success: 'false' }, goodRefund]),
    'bad_signature',
  );
  refuse(
    'a good one under a forged one',
    message([{ ...good, success: 'false' }, good]),
    'bad_signature',
  );
  // Signed as "a:b" it could be read as two fields.
  refuse(
    'a colon in a payment’s name',
    message([signed({ ...paid, pspReference: `${captureId}:` })]),
    'malformed',
  );
  refuse(
    'a colon in an original',
    message([signed({ ...paid, originalReference: 'a:b' })]),
    'malformed',
  );
  for (const [what, changes] of [
    ['a success that is a value', { success: true }],
    ['a success in capitals', { success: 'TRUE' }],
    ['no success', { success: undefined }],
    ['an amount as text', { amount: { value: '499', currency: 'USD' } }],
    ['a broken amount', { amount: { value: 4.99, currency: 'USD' } }],
    ['a negative amount', { amount: { value: -499, currency: 'USD' } }],
    ['an amount that is too much', { amount: { value: 1e21, currency: 'USD' } }],
    ['no amount', { amount: undefined }],
    ['a small currency', { amount: { value: 499, currency: 'usd' } }],
    ['no event', { eventCode: undefined }],
    ['an event with a colon', { eventCode: 'A:B' }],
    ['no payment', { pspReference: '' }],
    ['an endless reference', { merchantReference: 'x'.repeat(201) }],
    ['a list for a reference', { merchantReference: ['x'] }],
    ['a list for additional data', { additionalData: [] }],
  ] as const) {
    refuse(what, rawOf(bodyOf({ ...good, ...changes })), 'malformed');
  }
  for (const body of ['', 'not JSON', 'null', '[]', '{}', '"text"', '{"live":"false"}']) {
    refuse(`the content ${JSON.stringify(body)}`, rawOf(body), 'malformed');
  }
  refuse('no items', message([], {}), 'malformed');
  refuse('no word on whether it is live', message([good], { live: undefined }), 'malformed');
  refuse('half a message', rawOf(bodyOf(good).slice(0, 300)), 'malformed');
  refuse('a message twice', rawOf(bodyOf(good) + bodyOf(good)), 'malformed');
  refuse('a bare item', rawOf(JSON.stringify(good)), 'malformed');
  refuse('the live account', message([good], { live: 'true' }), 'foreign_account');
  refuse(
    'another merchant',
    message([givenItem({ merchantAccountCode: 'Other' })]),
    'foreign_account',
  );
  refuse(
    'another merchant in small letters',
    message([givenItem({ merchantAccountCode: merchantAccount.toLowerCase() })]),
    'foreign_account',
  );
  refuse(
    'another merchant among ours',
    message([good, givenItem({ merchantAccountCode: 'Other' })]),
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
    expect(await provider.parseWebhook(rawOf(bodyOf(good)))).toMatchObject({ ok: true });
  });
});

test.each<[string, Parameters<typeof givenOptions>[0]]>([
  ['no key', { apiKey: '' }],
  ['no merchant', { merchantAccount: '' }],
  ['a merchant with a colon', { merchantAccount: 'a:b' }],
  ['no key for messages', { hmacKeys: [] }],
  ['a key that is not in hex', { hmacKeys: ['x'.repeat(64)] }],
  ['a short key', { hmacKeys: ['AB'] }],
  ['no address of its own, live', { environment: 'live' }],
])('options with %s are refused at once', (_what, changes) => {
  expect(() => openAdyen(givenOptions(changes))).toThrow();
});

test('our three ids fit into the one text that Adyen signs, and come back', () => {
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

/** The same bytes in other letters: the last one of each part has bits that count for nothing. */
function rewritten(text: string): string {
  const last = text.at(-1) ?? '';
  const next = { A: 'B', Q: 'R', g: 'h', w: 'x' }[last];
  if (next === undefined) throw new Error(`${last} is no last letter`);
  return text.slice(0, -1) + next;
}
