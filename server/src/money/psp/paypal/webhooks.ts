import { z } from 'zod';
import type { ParsedWebhook, RawWebhook, WebhookSubject } from '../psp.ts';
import { JoinedReference } from '../references.ts';
import { jsonOf } from '../replies.ts';
import type { FindKey } from './certificates.ts';
import { Id } from './ids.ts';
import type { PaypalOptions } from './options.ts';
import { Refund } from './orders.ts';
import { Headers, isSigned } from './signature.ts';

const clockToleranceMs = 300_000;
/** PayPal repeats a webhook with the same signature for three days; older ones are replays. */
const ageMsMax = 3 * 24 * 3600_000 + 3600_000;

const Event = z.object({
  id: z.string().regex(/^WH-[A-Z0-9-]{5,60}$/),
  event_type: z.string().min(1),
  resource: z.looseObject({}),
});

/**
 * Accepts a webhook only if it is signed with the key of a PayPal certificate. The signature covers our
 * webhook id, so a webhook sent to another merchant does not verify.
 */
export async function parseWebhook(
  options: PaypalOptions,
  findKey: FindKey,
  { body, headers: sent, receivedAt }: RawWebhook,
): Promise<ParsedWebhook> {
  const headers = Headers.safeParse(sent);
  if (!headers.success) return { ok: false, reason: 'bad_signature' };
  const ageMs = receivedAt.getTime() - Date.parse(headers.data['paypal-transmission-time']);
  if (ageMs > ageMsMax || ageMs < -clockToleranceMs) return { ok: false, reason: 'stale' };
  const found = await findKey(headers.data['paypal-cert-url'], receivedAt);
  if (found.outcome === 'unverifiable') return { ok: false, reason: 'unverifiable' };
  const isGenuine =
    found.outcome === 'ok' &&
    options.webhookIds.some((webhookId) =>
      isSigned({ key: found.key, headers: headers.data, webhookId, body }),
    );
  if (!isGenuine) return { ok: false, reason: 'bad_signature' };

  const event = Event.safeParse(jsonOf(body.toString('utf8')));
  if (!event.success) return { ok: false, reason: 'malformed' };
  const { id: eventId, resource } = event.data;
  if (isForeign(resource, options.merchantId)) return { ok: false, reason: 'foreign_account' };
  return { ok: true, events: [{ eventId, subject: subjectOf(resource) }] };
}

/** Events about an order before the capture. */
const AboutOrder = z
  .object({ id: Id, purchase_units: z.tuple([z.object({ custom_id: JoinedReference })]) })
  .transform(({ id, purchase_units: [unit] }) => ({ pspRef: id, reference: unit.custom_id }));

const AboutApproval = z
  .object({ order_id: Id, purchase_units: z.tuple([z.object({ custom_id: JoinedReference })]) })
  .transform(({ order_id, purchase_units: [unit] }) => ({
    pspRef: order_id,
    reference: unit.custom_id,
  }));

const AboutCapture = z
  .object({
    id: Id,
    custom_id: JoinedReference,
    supplementary_data: z.object({ related_ids: z.object({ order_id: Id }) }),
  })
  .transform(({ supplementary_data: { related_ids }, custom_id: reference }) => ({
    pspRef: related_ids.order_id,
    reference,
  }));

/** A refund or a dispute names only its capture; the payment has to be queried. */
const AboutRefund = Refund.transform(({ captureId }) => ({ captureId }));

const AboutDispute = z
  .object({
    dispute_id: z.string(),
    disputed_transactions: z.tuple([z.object({ seller_transaction_id: Id })]),
  })
  .transform(({ disputed_transactions: [{ seller_transaction_id: captureId }] }) => ({
    captureId,
  }));

const Subject = z.union([AboutCapture, AboutOrder, AboutApproval, AboutRefund, AboutDispute]);

function subjectOf(resource: unknown): WebhookSubject | null {
  const subject = Subject.safeParse(resource);
  return subject.success ? subject.data : null;
}

const Payee = z.object({ payee: z.object({ merchant_id: z.string() }) });
const Payees = z.union([
  Payee.transform(({ payee }) => [payee.merchant_id]),
  z
    .object({ purchase_units: z.array(Payee) })
    .transform(({ purchase_units: units }) => units.map(({ payee }) => payee.merchant_id)),
]);

/** Whether the payee is another merchant; without a payee the signature alone decides. */
function isForeign(resource: unknown, merchantId: string | undefined): boolean {
  if (merchantId === undefined) return false;
  const payees = Payees.safeParse(resource);
  return payees.success && payees.data.some((payee) => payee !== merchantId);
}
