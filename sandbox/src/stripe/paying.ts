import { recordEvent } from './events.ts';
import { newId } from './ids.ts';
import { findIntent } from './payments.ts';
import type { Provider } from './provider.ts';
import type { SessionRow } from './rows.ts';
import { expireDueSessions, findSession, wireSession } from './sessions.ts';

export type PayOutcome =
  | { outcome: 'paid' | 'already_paid' | 'expired'; session: SessionRow }
  | { outcome: 'not_found' };

/**
 * The payer pays. The second time changes nothing. An override makes the provider charge something
 * other than it was asked for, so that a shop can show that it looks.
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
    provider.db.run(
      `insert into charges (id, created, payment_intent, amount, currency, metadata, payment_id)
       values (?, ?, ?, ?, ?, ?, ?)`,
      newId('ch_'),
      provider.clock.nowSeconds(),
      intentId,
      amount,
      currency,
      JSON.stringify(before.intent_metadata),
      before.intent_metadata.paymentId ?? before.metadata.paymentId ?? null,
    );
    provider.db.run(
      "update sessions set status = 'complete', amount_total = ?, currency = ? where id = ?",
      amount,
      currency,
      before.id,
    );

    const session = findSession(provider, before.id);
    if (session === undefined) throw new Error(`session ${before.id} has gone`);
    recordEvent(provider, {
      type: 'checkout.session.completed',
      object: wireSession(provider, session),
      request: null,
    });
    return { outcome: 'paid', session };
  });
}

/** The card is refused. The session stays open and the payer may try again. */
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

/** Where the payer goes after paying, with the session's id filled in. */
export function successUrlOf(session: SessionRow): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

// The provider makes the intent when the payer first tries, not when the session is opened.
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
