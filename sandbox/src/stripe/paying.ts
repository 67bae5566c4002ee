import { recordEvent } from './events.ts';
import { newId } from './ids.ts';
import { findChargeOfIntent, findIntent, getIntent } from './intents.ts';
import { book } from './movements.ts';
import { chargeObject, intentObject } from './objects.ts';
import { expireDueSessions, findSession, wireSession } from './payments.ts';
import type { Provider } from './provider.ts';
import type { SessionRow } from './rows.ts';

export type PayOutcome =
  | { outcome: 'paid' | 'already_paid' | 'expired'; session: SessionRow }
  | { outcome: 'not_found' };

/**
 * Pays the session, once. An override charges another amount or currency than requested, to test
 * that the shop checks both.
 */
export function paySession(
  provider: Provider,
  input: { id: string; override?: { amount?: number | undefined; currency?: string | undefined } },
): PayOutcome {
  return provider.db.transaction((): PayOutcome => {
    expireDueSessions(provider);
    const before = findSession(provider, input.id);
    if (before === undefined) return { outcome: 'not_found' };
    if (before.status === 'complete') return { outcome: 'already_paid', session: before };
    if (before.status === 'expired') return { outcome: 'expired', session: before };

    const amount = input.override?.amount ?? before.amount_total;
    const currency = input.override?.currency ?? before.currency;
    const intentId = ensureIntent(provider, before);
    provider.db.run(
      `update payment_intents set status = 'succeeded', amount = ?, currency = ?, last_error = null
       where id = ?`,
      amount,
      currency,
      intentId,
    );
    const paymentId = before.intent_metadata.paymentId ?? before.metadata.paymentId ?? null;
    takeMoney(provider, { intentId, paymentId });
    provider.db.run(
      "update sessions set status = 'complete', amount_total = ?, currency = ? where id = ?",
      amount,
      currency,
      before.id,
    );

    const session = findSession(provider, before.id);
    if (session === undefined) throw new Error(`session ${before.id} does not exist`);
    announcePaid(provider, { session, intentId });
    return { outcome: 'paid', session };
  });
}

/** Pays many sessions in one transaction; each sends its own webhooks. */
export function paySessions(provider: Provider, ids: readonly string[]): PayOutcome[] {
  return provider.db.transaction(() => ids.map((id) => paySession(provider, { id })));
}

/** Declines the card. The session stays open and the payer can retry. */
export function declineSession(provider: Provider, id: string): SessionRow | undefined {
  return provider.db.transaction(() => {
    expireDueSessions(provider);
    const session = findSession(provider, id);
    if (session?.status !== 'open') return session;
    const intentId = ensureIntent(provider, session);
    provider.db.run(
      "update payment_intents set last_error = 'generic_decline' where id = ?",
      intentId,
    );
    return findSession(provider, id);
  });
}

/** The success URL with the session id filled in. */
export function successUrlOf(session: SessionRow): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

// Stripe creates the payment intent on the first attempt, not when the session is opened.
function ensureIntent(provider: Provider, session: SessionRow): string {
  const existing =
    session.payment_intent === null ? undefined : findIntent(provider, session.payment_intent);
  if (existing !== undefined) return existing.id;
  const id = newId('pi_');
  provider.db.run(
    `insert into payment_intents (id, created, amount, currency, status, metadata)
     values (?, ?, ?, ?, 'requires_payment_method', ?)`,
    id,
    provider.clock.nowSeconds(),
    session.amount_total,
    session.currency,
    JSON.stringify(session.intent_metadata),
  );
  provider.db.run('update sessions set payment_intent = ? where id = ?', id, session.id);
  return id;
}

function takeMoney(
  provider: Provider,
  { intentId, paymentId }: { intentId: string; paymentId: string | null },
): void {
  const { amount, currency, metadata, id: payment_intent } = getIntent(provider, intentId);
  const id = newId('ch_');
  provider.db.run(
    `insert into charges
       (id, created, payment_intent, amount, currency, metadata, payment_id)
     values (?, ?, ?, ?, ?, ?, ?)`,
    id,
    provider.clock.nowSeconds(),
    payment_intent,
    amount,
    currency,
    JSON.stringify(metadata),
    paymentId,
  );
  provider.db.run(
    'update charges set balance_transaction = ? where id = ?',
    book(provider, 'charge', { amount, currency, source: id, charge: id }),
    id,
  );
}

function announcePaid(
  provider: Provider,
  { session, intentId }: { session: SessionRow; intentId: string },
): void {
  const intent = getIntent(provider, intentId);
  const charge = findChargeOfIntent(provider, intentId);
  if (charge === undefined) throw new Error(`intent ${intentId} has no charge`);
  const request = null;
  recordEvent(provider, { type: 'charge.succeeded', object: chargeObject(charge), request });
  recordEvent(provider, {
    type: 'payment_intent.succeeded',
    object: intentObject(intent, charge.id),
    request,
  });
  recordEvent(provider, {
    type: 'checkout.session.completed',
    object: wireSession(provider, session),
    request,
  });
}
