import type { Locale } from '@pointgate/contract/locales.ts';
import { type Money, pointsUnit } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { type Fact, factsOf } from '../orders/order-fact.ts';
import {
  holdOrder,
  keyOf,
  type Order,
  type OrderEffects,
  orderEvents,
  recordFacts,
} from '../orders/orders.ts';
import type { Db, Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Jobs } from '../platform/jobs.ts';
import { addLogFields, log } from '../platform/log.ts';
import { spendPoints } from '../points/points.ts';
import type { PaymentProvider, PaymentReference, PaymentTruth } from '../psp/psp.ts';
import {
  type AttemptRow,
  insertAttempt,
  insertPaidAttempt,
  selectAttempt,
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
  /**
   * Throws where the player may not pay this. Called in the transaction that opens the payment, so
   * that what it locks and sees stays true until the payment can be seen by the next one.
   */
  beforePayment(tx: Tx, order: Order): Promise<void>;
  /** Where the provider sends the player back to. */
  returnUrlOf(order: Order): Promise<string>;
  /** When an unanswered payment is asked about, in seconds after the last time. */
  checkSeconds: readonly number[];
}

/** Which provider takes which method. */
const providerOfMethod = {
  card: 'stripe',
  epoint: 'epoint',
} as const satisfies Record<Order['method'], string>;

export type Attempt = AttemptRow;

export async function findAttempt(db: Db, key: PaymentReference): Promise<Attempt | undefined> {
  return await selectAttempt(db, key);
}

export const Reference = z.object({
  accountId: z.uuid(),
  paymentId: z.uuid(),
  attemptId: z.uuid(),
});

/** Something is on its way at the provider, a refund for example; ask how it stands. */
export const askProviderJob = { name: 'ask_provider', payload: Reference, concurrency: 10 };

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

/**
 * Pays an open order from the player's own balance. The spend, the payment and what follows from it
 * are one transaction. Paid already, it is answered as it is; a balance that does not cover it
 * refuses and leaves no trace.
 */
export async function payFromBalance(
  context: PaymentsContext,
  input: {
    accountId: string;
    paymentId: string;
    locale: Locale;
    spendOrder: 'present_first' | 'basic_first';
  },
): Promise<Order> {
  addLogFields({ paymentId: input.paymentId });
  return await context.db.transaction(async (tx) => {
    const order = await holdOrder(tx, input);
    if (order === undefined) throw new AppError('PaymentIdWrong');
    if (order.currency !== pointsUnit) throw new AppError('OrderNotPayable');
    if (order.paid_at !== null) return order;
    return await payInPoints(tx, context, order, input);
  });
}

/**
 * Pays an order that the transaction has made or holds. With `givenBy` it is paid with the points of
 * that origin, and with no others.
 */
export async function payInPoints(
  tx: Tx,
  { effects }: Pick<PaymentsContext, 'effects'>,
  order: Order,
  how: { locale: Locale; spendOrder: 'present_first' | 'basic_first'; givenBy?: string },
): Promise<Order> {
  requirePayable(order);
  const attemptId = newId();
  const key = keyOf(order);
  const { amount_minor: amountMinor, currency } = order;
  await spendPoints(tx, {
    accountId: order.account_id,
    originId: order.payment_id,
    points: amountMinor,
    spendOrder: how.spendOrder,
    givenBy: how.givenBy,
  });
  await insertPaidAttempt(tx, {
    ...key,
    attemptId,
    psp: providerOfMethod.epoint,
    currency,
    amountMinor,
    locale: how.locale,
  });
  return await recordFacts(tx, effects, key, [
    { type: 'attempt_opened', attemptId },
    { type: 'captured', attemptId, captureId: attemptId, amountMinor, currency },
  ]);
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
    money: moneyOf(attempt),
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
  await holdOrder(tx, reference);
  const known = (await orderEvents(tx, reference)).map(({ fact }) => fact);
  const facts = factsIn(truth, reference.attemptId, known);
  if (facts.length === 0) return;
  await recordFacts(tx, context.effects, reference, facts);
  const capture = truth.captures[0];
  if (capture === undefined && truth.status !== 'closed') return;
  await updateEnded(tx, reference, {
    state: capture === undefined ? 'closed' : 'captured',
    pspRef: truth.pspRef,
    captureId: capture?.captureId ?? null,
  });
}

function factsIn(
  truth: PaymentTruth & { outcome: 'ok' },
  attemptId: string,
  known: readonly Fact[],
): Fact[] {
  const facts: Fact[] = truth.captures.map(({ captureId, money }) => ({
    type: 'captured',
    attemptId,
    captureId,
    ...money,
  }));
  if (truth.status === 'closed') facts.push({ type: 'attempt_closed', attemptId });
  for (const { refundId, isOurs, captureId, money, state } of truth.refunds) {
    // One that failed elsewhere never was; one of ours somebody is waiting for.
    if (state === 'done' || (state === 'failed' && isOurs)) {
      facts.push({ type: 'refund_settled', refundId, captureId, ...money, outcome: state });
    }
  }
  const lost = new Set(
    factsOf(known, 'disputed')
      .filter(({ stage }) => stage === 'lost')
      .map(({ disputeId }) => disputeId),
  );
  for (const { disputeId, captureId, money, stage } of truth.disputes) {
    const isReinstated = stage === 'won' && lost.has(disputeId);
    facts.push({
      type: 'disputed',
      disputeId,
      captureId,
      ...money,
      stage: isReinstated ? 'reinstated' : stage,
    });
  }
  return facts;
}

export function referenceOf(attempt: AttemptRow): PaymentReference {
  return {
    accountId: attempt.account_id,
    paymentId: attempt.payment_id,
    attemptId: attempt.attempt_id,
  };
}

/** A provider takes money, never points. */
function moneyOf({ amount_minor, currency }: AttemptRow): Money {
  if (currency === pointsUnit) throw new Error('a provider was asked to take points');
  return { amountMinor: amount_minor, currency };
}

async function findOrInsertAttempt(
  tx: Tx,
  context: PaymentsContext,
  input: { accountId: string; paymentId: string; locale: Locale },
): Promise<{ order: Order; attempt: AttemptRow }> {
  const order = await holdOrder(tx, input);
  if (order === undefined) throw new AppError('PaymentIdWrong');
  // Points are paid by their own call, and only by that.
  if (order.currency === pointsUnit) throw new AppError('OrderNotPayable');
  requirePayable(order);

  const open = await selectOpenAttempt(tx, input);
  if (open !== undefined) return { order, attempt: open };
  await context.beforePayment(tx, order);
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

function requirePayable(order: Order): void {
  const isOpen = order.state === 'created' || order.state === 'paying';
  if (!isOpen || order.expire_at <= new Date()) throw new AppError('OrderNotPayable');
  // Money is there already; what becomes of it is an operator's decision.
  if (order.review_reason !== null) throw new AppError('OrderNotPayable');
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
