import { object, text } from '../platform/shape.ts';
import { invalid } from './failure.ts';
import { newSessionId, newSessionResult } from './ids.ts';
import type { SessionInput } from './payment-params.ts';
import type { Provider } from './provider.ts';
import { chargeRow, type SessionRow, sessionRow } from './rows.ts';

/** Opens a payment session. Only a hosted one has a payment page. */
export function createSession(provider: Provider, input: SessionInput): object {
  const session: SessionRow = {
    id: newSessionId(),
    created: provider.clock.nowSeconds(),
    reference: input.reference,
    amount: input.amount,
    currency: input.currency,
    return_url: input.returnUrl,
    expires_at: input.expiresAt,
    locale: input.locale,
    item: input.item,
    asked: input.asked,
    session_result: newSessionResult(),
    status: 'active',
    refusals: 0,
    challenged: null,
    payment_id: paymentIdIn(input.reference),
  };
  provider.db.insert('sessions', session);
  return {
    ...JSON.parse(input.asked),
    expiresAt: new Date(session.expires_at * 1000).toISOString(),
    id: session.id,
    ...(input.isHosted
      ? { url: new URL(`/hosted/${session.id}`, provider.publicUrl()).href }
      : { sessionData: Buffer.from(session.id).toString('base64') }),
  };
}

/** The result of a session, for the session result that the payer's browser brought back. */
export function sessionResult(provider: Provider, id: string, result: string | undefined): object {
  const session = findSession(provider, id);
  if (result === undefined) throw invalid('14_031', 'sessionResult is required');
  if (session?.session_result !== result) throw invalid('14_032', 'Invalid sessionResult');
  const charge = provider.db.one(chargeRow, 'select * from charges where session = ?', id);
  const { status, reference } = session;
  if (charge === undefined) return { id, reference, status };
  const payment = {
    amount: { currency: charge.currency, value: charge.amount },
    paymentMethod: { brand: 'visa', type: 'scheme' },
    pspReference: charge.id,
    resultCode: 'Authorised',
  };
  return { id, reference, status, payments: [payment] };
}

/** Finds a session after expiring the due ones; a running 3D Secure challenge prevents expiry. */
export function findSession(provider: Provider, id: string): SessionRow | undefined {
  endDueSessions(provider);
  return provider.db.one(sessionRow, 'select * from sessions where id = ?', id);
}

export function endDueSessions({ db, clock }: Provider): void {
  const now = clock.nowSeconds();
  const due = db.one(
    object({ id: text }),
    `select id from sessions where status = 'active' and expires_at <= ? limit 1`,
    now,
  );
  if (due === undefined) return;
  db.run(`update sessions set status = 'expired' where status = 'active' and expires_at <= ?`, now);
}

/**
 * The payment id inside the merchant's reference, whose format the sandbox knows: three ids of
 * sixteen bytes each, of which the second is the payment id.
 */
function paymentIdIn(reference: string): string | null {
  const packed = /^[\w-]{22}\.([\w-]{22})\.[\w-]{22}$/.exec(reference)?.[1];
  if (packed === undefined) return null;
  const hex = Buffer.from(packed, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
