import type { SQLInputValue } from 'node:sqlite';
import { recordEvent } from './events.ts';
import { missing, refused } from './failure.ts';
import { newId } from './ids.ts';
import { chargeOfIntent, findIntent } from './intents.ts';
import { intentObject, sessionObject, type WireObject } from './objects.ts';
import type { SessionInput } from './payment-params.ts';
import type { Provider } from './provider.ts';
import { type SessionRow, sessionRow } from './rows.ts';

/** The request that caused the event; null when the payer or the clock did. */
export type Asker = { id: string; idempotencyKey: string | null } | null;

export function createSession(provider: Provider, input: SessionInput): SessionRow {
  const id = newId('cs_test_');
  const values: Record<string, SQLInputValue> = {
    id,
    created: provider.clock.nowSeconds(),
    expires_at: input.expiresAt,
    status: 'open',
    amount_total: input.amountTotal,
    currency: input.currency,
    client_reference_id: input.clientReferenceId,
    metadata: JSON.stringify(input.metadata),
    intent_metadata: JSON.stringify(input.intentMetadata),
    line_items: JSON.stringify(input.lineItems),
    success_url: input.successUrl,
    cancel_url: input.cancelUrl,
    locale: input.locale,
    allowed_types: JSON.stringify(input.allowedTypes),
    customer_email: input.customerEmail,
  };
  provider.db.insert('sessions', values);
  return getSession(provider, id);
}

export function findSession(provider: Provider, id: string): SessionRow | undefined {
  return provider.db.one(sessionRow, 'select * from sessions where id = ?', id);
}

export function getSession(provider: Provider, id: string): SessionRow {
  const row = findSession(provider, id);
  if (row === undefined) throw missing({ kind: 'checkout.session', id, param: 'session' });
  return row;
}

export function expireSession(provider: Provider, input: { id: string; asker: Asker }): SessionRow {
  const row = getSession(provider, input.id);
  if (row.status !== 'open') {
    throw refused(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${row.status}.`,
      {},
    );
  }
  return close(provider, { id: row.id, asker: input.asker });
}

/** Expires the sessions that are due by the sandbox clock. */
export function expireDueSessions(provider: Provider): void {
  const { db, clock } = provider;
  const due = db.all(
    sessionRow,
    `select * from sessions where status = 'open' and expires_at <= ? order by expires_at limit 500`,
    clock.nowSeconds(),
  );
  if (due.length === 0) return;
  db.transaction(() => {
    for (const { id } of due) close(provider, { id, asker: null });
  });
}

/** The session object as answered, with the requested expansions. */
export function wireSession(
  provider: Provider,
  row: SessionRow,
  expand: ReadonlySet<string> = new Set(),
): WireObject {
  const wantsCharge = expand.has('payment_intent.latest_charge');
  const intent = row.payment_intent === null ? undefined : findIntent(provider, row.payment_intent);
  const isExpanded = intent !== undefined && (wantsCharge || expand.has('payment_intent'));
  return sessionObject(row, {
    publicUrl: provider.publicUrl(),
    paymentIntent: isExpanded
      ? intentObject(intent, chargeOfIntent(provider, { intentId: intent.id, expand: wantsCharge }))
      : null,
    withLineItems: expand.has('line_items'),
  });
}

function close(provider: Provider, input: { id: string; asker: Asker }): SessionRow {
  provider.db.run("update sessions set status = 'expired' where id = ?", input.id);
  const row = getSession(provider, input.id);
  recordEvent(provider, {
    type: 'checkout.session.expired',
    object: wireSession(provider, row),
    request: input.asker,
  });
  return row;
}
