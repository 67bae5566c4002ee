import { recordEvent } from './events.ts';
import { newPspReference } from './ids.ts';
import { book } from './movements.ts';
import { findSession } from './payments.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, chargeRow, type SessionRow } from './rows.ts';

export type PayOutcome =
  | { outcome: 'paid' | 'already_paid' | 'expired' | 'closed'; session: SessionRow }
  | { outcome: 'not_found' };

/** The number of declined attempts after which the session is refused. */
const refusalsMax = 10;

/**
 * Pays the session, once. An override charges another amount or currency than requested; `isLate`
 * stands for a payer who began the 3D Secure challenge before the session expired.
 */
export function paySession(
  provider: Provider,
  input: {
    id: string;
    isLate?: boolean;
    override?: { amount?: number | undefined; currency?: string | undefined };
  },
): PayOutcome {
  return provider.db.transaction((): PayOutcome => {
    const { id, override, isLate = false } = input;
    const session = findSession(provider, id);
    if (session === undefined) return { outcome: 'not_found' };
    if (session.status === 'completed') return { outcome: 'already_paid', session };
    if (session.status === 'expired' && !isLate && session.challenged === null) {
      return { outcome: 'expired', session };
    }
    if (session.status === 'refused' || session.status === 'canceled') {
      return { outcome: 'closed', session };
    }
    const charge = takeMoney(provider, {
      session,
      amount: override?.amount ?? session.amount,
      currency: override?.currency ?? session.currency,
    });
    setStatus(provider, id, 'completed');
    announce(provider, session, charge);
    return { outcome: 'paid', session: { ...session, status: 'completed' } };
  });
}

/** Declines an attempt. The payer can retry up to a limit. */
export function refuseSession(provider: Provider, id: string): SessionRow | undefined {
  return provider.db.transaction(() => {
    const session = findSession(provider, id);
    if (session?.status !== 'active') return session;
    provider.db.run('update sessions set refusals = refusals + 1 where id = ?', id);
    if (session.refusals + 1 >= refusalsMax) setStatus(provider, id, 'refused');
    recordEvent(provider, {
      type: 'AUTHORISATION',
      pspReference: newPspReference(),
      merchantReference: session.reference,
      amount: session.amount,
      currency: session.currency,
      isSuccess: false,
      reason: 'Refused',
      more: { checkoutSessionId: id },
    });
    return findSession(provider, id);
  });
}

/** Begins a 3D Secure challenge, during which the session does not expire. */
export function beginChallenge(provider: Provider, id: string): SessionRow | undefined {
  const session = findSession(provider, id);
  if (session?.status !== 'active') return session;
  const now = provider.clock.nowSeconds();
  provider.db.run('update sessions set challenged = ? where id = ?', now, id);
  return { ...session, challenged: now };
}

export function setStatus(provider: Provider, id: string, status: SessionRow['status']): void {
  provider.db.run('update sessions set status = ? where id = ?', status, id);
}

export function findCharge(provider: Provider, id: string): ChargeRow | undefined {
  return provider.db.one(chargeRow, 'select * from charges where id = ?', id);
}

export function findChargeOfSession(provider: Provider, id: string): ChargeRow | undefined {
  return provider.db.one(chargeRow, 'select * from charges where session = ?', id);
}

/** The return URL with the session result, with which the shop can query the outcome. */
export function returnUrlOf(session: SessionRow): string {
  const url = new URL(session.return_url);
  url.searchParams.set('sessionId', session.id);
  url.searchParams.set('sessionResult', session.session_result);
  return url.href;
}

function takeMoney(
  provider: Provider,
  input: { session: SessionRow; amount: number; currency: string },
): ChargeRow {
  const { session, amount, currency } = input;
  const { payment_id, reference } = session;
  const created = provider.clock.nowSeconds();
  const id = newPspReference();
  const charge: ChargeRow = {
    id,
    created,
    session: session.id,
    capture: newPspReference(),
    reference,
    amount,
    amount_refunded: 0,
    currency,
    payment_id,
  };
  provider.db.insert('charges', charge);
  book(provider, { type: 'Settled', charge, modification: charge.capture, amount });
  return charge;
}

/** Captures the payment automatically and writes its event. */
function announce(provider: Provider, session: SessionRow, charge: ChargeRow): void {
  const about = {
    merchantReference: charge.reference,
    amount: charge.amount,
    currency: charge.currency,
  };
  recordEvent(provider, {
    ...about,
    type: 'AUTHORISATION',
    pspReference: charge.id,
    reason: '064668:1111:03/2030',
    more: { checkoutSessionId: session.id, authCode: '064668', expiryDate: '03/2030' },
  });
  recordEvent(provider, {
    ...about,
    type: 'CAPTURE',
    pspReference: charge.capture,
    originalReference: charge.id,
  });
}
