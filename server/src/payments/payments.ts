import type { Locale } from '@pointgate/contract/locales.ts';
import type { Fact } from '../orders/order-state.ts';
import { holdOrder, keyOf, type Order, type OrderEffects, recordFacts } from '../orders/orders.ts';
import type { Db, Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Jobs } from '../platform/jobs.ts';
import { addLogFields, log } from '../platform/log.ts';
import type { PaymentProvider, PaymentReference, PaymentTruth } from '../psp/psp.ts';
import {
  type AttemptRow,
  insertAttempt,
  selectOpenAttempt,
  updateDeclined,
  updateEnded,
  updateOpened,
} from './payments.queries.ts';

/** What the payment functions need around them; made once in app.ts. */
export interface PaymentsContext {
  db: Db;
  jobs: Jobs;
  providers: ReadonlyMap<string, PaymentProvider>;
  effects: OrderEffects;
  /** Where the provider sends the player back to. */
  returnUrlOf(order: Order): Promise<string>;
  /** When an unanswered payment is asked about, in seconds after the last time. */
  checkSeconds: readonly number[];
}

/** Which provider takes which method. */
const providerOfMethod = { card: 'stripe' } as const satisfies Record<Order['method'], string>;

export interface OpenedPayment {
  redirectUrl: string;
}

/**
 * Opens a payment at the provider, or finds the one that is open: an order has one at a time. The
 * attempt is written before the provider is called, so whatever happens in between is found again.
 */
export async function openPayment(
  context: PaymentsContext,
  input: { accountId: string; paymentId: string; locale: Locale },
): Promise<OpenedPayment> {
  addLogFields({ paymentId: input.paymentId });
  const { order, attempt } = await context.db.transaction((tx) =>
    findOrInsertAttempt(tx, context, input),
  );
  if (attempt.redirect_url !== null) return { redirectUrl: attempt.redirect_url };

  const result = await createAtProvider(context, { order, attempt });
  await context.db.transaction((tx) => settleCreate(tx, context, { attempt, result }));
  switch (result.outcome) {
    case 'created':
      return { redirectUrl: result.redirectUrl };
    case 'rejected':
      log.warn({ psp: attempt.psp, code: result.code }, 'the provider refused a payment');
      throw new AppError('PaymentInitiationFailed');
    case 'unknown':
      log.warn({ psp: attempt.psp, cause: result.cause }, 'the provider did not answer');
      throw new AppError('PaymentUnconfirmed');
  }
}

export function providerOf(context: PaymentsContext, psp: string): PaymentProvider {
  const provider = context.providers.get(psp);
  if (provider === undefined) throw new Error(`no provider is called ${psp}`);
  return provider;
}

/** Asks the provider to make the attempt's payment; repeating it makes no second one. */
export async function createAtProvider(
  context: PaymentsContext,
  { order, attempt }: { order: Order; attempt: AttemptRow },
) {
  return await providerOf(context, attempt.psp).createPayment({
    reference: referenceOf(attempt),
    money: { amountMinor: attempt.amount_minor, currency: attempt.currency },
    description: order.snapshot.itemName['en-US'] ?? order.item_id,
    returnUrl: await context.returnUrlOf(order),
    expiresAt: attempt.expires_at,
    locale: attempt.locale,
  });
}

export async function settleCreate(
  tx: Tx,
  context: PaymentsContext,
  {
    attempt,
    result,
  }: { attempt: AttemptRow; result: Awaited<ReturnType<PaymentProvider['createPayment']>> },
): Promise<void> {
  const reference = referenceOf(attempt);
  if (result.outcome === 'created') await updateOpened(tx, reference, result);
  if (result.outcome === 'rejected') {
    const { attemptId } = reference;
    await holdOrder(tx, reference);
    const isDeclined = await updateDeclined(tx, reference);
    if (!isDeclined) return;
    await recordFacts(tx, context.effects, reference, [
      { type: 'attempt_declined', attemptId, code: result.code },
    ]);
  }
}

/**
 * Writes what the provider said when asked. Believes only what is about our attempt: a payment with
 * another reference is a bug or a forgery, and moves nothing.
 */
export async function settleTruth(
  tx: Tx,
  context: PaymentsContext,
  { attempt, truth }: { attempt: AttemptRow; truth: PaymentTruth & { outcome: 'ok' } },
): Promise<void> {
  const reference = referenceOf(attempt);
  if (!isSame(reference, truth.reference)) {
    throw new Error(`payment ${truth.pspRef} belongs to another attempt`);
  }
  const facts: Fact[] = truth.captures.map(({ captureId, money }) => ({
    type: 'captured',
    attemptId: reference.attemptId,
    captureId,
    ...money,
  }));
  if (truth.status === 'closed') {
    facts.push({ type: 'attempt_closed', attemptId: reference.attemptId });
  }
  if (facts.length === 0) return;
  const state = truth.captures.length > 0 ? 'captured' : 'closed';
  await recordFacts(tx, context.effects, reference, facts);
  await updateEnded(tx, reference, { state, pspRef: truth.pspRef });
}

export function referenceOf(attempt: AttemptRow): PaymentReference {
  return {
    accountId: attempt.account_id,
    paymentId: attempt.payment_id,
    attemptId: attempt.attempt_id,
  };
}

async function findOrInsertAttempt(
  tx: Tx,
  context: PaymentsContext,
  input: { accountId: string; paymentId: string; locale: Locale },
): Promise<{ order: Order; attempt: AttemptRow }> {
  const order = await holdOrder(tx, input);
  if (order === undefined) throw new AppError('PaymentIdWrong');
  const isOpen = order.state === 'created' || order.state === 'paying';
  if (!isOpen || order.expire_at <= new Date()) throw new AppError('OrderNotPayable');
  // Money is there already; what becomes of it is an operator's decision.
  if (order.review_reason !== null) throw new AppError('OrderNotPayable');

  const open = await selectOpenAttempt(tx, input);
  if (open !== undefined) return { order, attempt: open };
  const provider = providerOf(context, providerOfMethod[order.method]);
  const attempt = await insertAttempt(tx, {
    ...keyOf(order),
    attemptId: newId(),
    psp: provider.name,
    currency: order.currency,
    amountMinor: order.amount_minor,
    expiresAt: pageExpiry(order, provider),
    locale: input.locale,
    firstCheckSeconds: context.checkSeconds[0] ?? 30,
  });
  await recordFacts(tx, context.effects, keyOf(order), [
    { type: 'attempt_opened', attemptId: attempt.attempt_id },
  ]);
  return { order, attempt };
}

/** The provider's page closes with the order, as far as the provider allows. */
function pageExpiry(order: Order, { openSeconds }: PaymentProvider): Date {
  const now = Date.now();
  const earliest = now + openSeconds.min * 1000;
  const latest = now + openSeconds.max * 1000;
  return new Date(Math.min(latest, Math.max(earliest, order.expire_at.getTime())));
}

function isSame(left: PaymentReference, right: PaymentReference): boolean {
  return (
    left.accountId === right.accountId &&
    left.paymentId === right.paymentId &&
    left.attemptId === right.attemptId
  );
}
