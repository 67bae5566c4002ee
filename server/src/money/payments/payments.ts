import type { Locale } from '@pointgate/contract/locales.ts';
import { type Money, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { addLogFields, log } from '../../platform/log.ts';
import type { PlayerBounds } from '../../platform/player-bounds.ts';
import type { OrderEffects } from '../orders/order-effects.ts';
import {
  findOrder,
  holdOrder,
  keyOf,
  type Order,
  orderEvents,
  recordFacts,
} from '../orders/orders.ts';
import { spendPoints } from '../points/points.ts';
import type {
  CreateResult,
  Payer,
  Payment,
  PaymentProvider,
  PaymentReference,
  PaymentTruth,
  Told,
} from '../psp/psp.ts';
import type { ProviderHealth } from '../routing/provider-health.ts';
import { factsIn } from './facts-in-truth.ts';
import { isPayable, openAction, pageExpiry, requirePayable } from './payable.ts';
import {
  type AttemptRow,
  insertAttempt,
  insertPaidAttempt,
  selectAttempt,
  selectCaptured,
  selectContract,
  selectOpenAttempt,
  updateDeclined,
  updateEnded,
  updateOpened,
} from './payments.queries.ts';
import { noteKey, queryAtProvider } from './provider-keys.ts';
import { Reference } from './webhook-subject.ts';

/** What the payment functions need around them; made once in app.ts. */
export interface PaymentsContext {
  db: Db;
  jobs: Jobs;
  /** By the names of their contracts. */
  providers: ReadonlyMap<string, PaymentProvider>;
  effects: OrderEffects;
  /**
   * Throws where the player may not pay this. Called in the transaction that opens the payment, so
   * that what it locks and sees stays true until the payment can be seen by the next one.
   */
  beforePayment(tx: Tx, order: Order): Promise<void>;
  /** Where the provider sends the player back to. */
  returnUrlOf(order: Order): Promise<string>;
  /** The contract of the order's site for its method; nothing where there is none such. */
  contractAt(order: Order): Promise<string | undefined>;
  /** Whether providers answer; hears of every try to make a payment at one. */
  health: ProviderHealth;
  bounds: PlayerBounds;
  /** When an unanswered payment is asked about, in seconds after the last time. */
  checkSeconds: readonly number[];
}

export type Attempt = AttemptRow;

export async function findAttempt(
  db: Db | Tx,
  key: PaymentReference,
): Promise<Attempt | undefined> {
  return await selectAttempt(db, key);
}

/** The payments of an order whose money came. */
export async function capturedAttempts(
  db: Db,
  key: { accountId: string; paymentId: string },
): Promise<Attempt[]> {
  return await selectCaptured(db, key);
}

/**
 * Places are many, because waiting for a provider costs nothing, and fewer for one provider, so that a
 * dead one never fills them all. Jobs that ask a provider have its name as their group.
 */
export const placesForProviders = { concurrency: 50, perGroup: 20 };

/** Something is on its way at the provider, a refund for example; ask how it stands. */
export const askProviderJob = {
  name: 'ask_provider',
  payload: Reference,
  ...placesForProviders,
};

/**
 * A refund is on its way, or was made, at a provider that tells of each by itself; ask how it stands.
 * One that was made elsewhere has the provider's own id, and is of this attempt's money.
 */
export const askRefundJob = {
  name: 'ask_refund',
  payload: z.object({
    accountId: z.uuid(),
    paymentId: z.uuid(),
    refundId: z.string(),
    attemptId: z.uuid().optional(),
  }),
  ...placesForProviders,
};

/**
 * Opens a payment at the provider, or finds the one that is open: an order has one at a time. The
 * attempt is written before the provider is called, so whatever happens in between is found again.
 */
export async function openPayment(
  context: PaymentsContext,
  input: { accountId: string; paymentId: string; locale: Locale; payer: Payer },
): Promise<PaymentAction> {
  addLogFields({ paymentId: input.paymentId });
  const known = await findOrder(context.db, input);
  const contract = known === undefined ? undefined : await context.contractAt(known);
  // Before anything is written: a payment that is written is made, by a job if not by this call.
  const begun = await selectOpenAttempt(context.db, input);
  const isOpen = begun !== undefined && openAction(begun) !== null;
  if (known !== undefined && isPayable(known) && !isOpen) {
    await context.bounds.beforePaymentCall(input);
  }
  const { order, attempt, isFirst } = await context.db.transaction((tx) =>
    findOrInsertAttempt(tx, context, { ...input, contract }),
  );
  const open = openAction(attempt);
  if (open !== null) return open;

  const result = await createAtProvider(context, { order, attempt, isFirst });
  await context.db.transaction((tx) => settleCreate(tx, context, { attempt, result }));
  switch (result.outcome) {
    case 'created':
      return result.action;
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
    if (order.currency !== pointsUnit) throw new AppError('OrderPricedInMoney');
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
    psp: 'epoint',
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
  { order, attempt, isFirst }: { order: Order; attempt: AttemptRow; isFirst: boolean },
): Promise<CreateResult> {
  const begunAt = Date.now();
  const result = await providerOf(context, attempt.psp).createPayment({
    reference: referenceOf(attempt),
    money: moneyOf(attempt),
    description: order.snapshot.itemName['en-US'] ?? order.item_id,
    returnUrl: await context.returnUrlOf(order),
    expiresAt: attempt.expires_at,
    locale: attempt.locale,
    payer: attempt.payer ?? unknownPayer,
  });
  if (result.outcome === 'created' && result.wasAsked === false) return result;
  const isKeyRefused = result.outcome !== 'created' && result.isKeyRefused === true;
  const isAnswered = result.outcome !== 'unknown' && !isKeyRefused;
  const call = { begunAt, endedAt: Date.now(), isAnswered, isFirst, isKeyRefused };
  await context.health.told(attempt.psp, call);
  return result;
}

const unknownPayer: Payer = { scene: 'desktop', clientIp: '127.0.0.1', openId: null };

/** How the provider knows an attempt; nothing as long as it has not answered. */
export function paymentOf(attempt: AttemptRow, pspRef = attempt.psp_ref): Payment | undefined {
  if (pspRef === null) return undefined;
  return { pspRef, reference: referenceOf(attempt), money: moneyOf(attempt) };
}

export async function settleCreate(
  tx: Tx,
  context: PaymentsContext,
  { attempt, result }: { attempt: AttemptRow; result: CreateResult },
): Promise<void> {
  const reference = referenceOf(attempt);
  await noteKey(tx, attempt.psp, result);
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
 * Asks how a payment stands. What a payer has agreed to is taken in the same breath where that is left
 * to us, as long as the order still waits for it.
 */
export async function askTruth(
  context: PaymentsContext,
  attempt: AttemptRow,
  payment: Payment,
): Promise<PaymentTruth> {
  const provider = providerOf(context, attempt.psp);
  const truth = await queryAtProvider(context, provider, payment);
  const isApproved = truth.outcome === 'ok' && truth.status === 'approved';
  if (!isApproved || provider.capture === undefined) return truth;
  const order = await findOrder(context.db, payment.reference);
  const isWaiting = order?.state === 'paying' && order.expire_at > new Date();
  return isWaiting && isOpen(attempt) ? await provider.capture(payment) : truth;
}

function isOpen({ state }: AttemptRow): boolean {
  return state === 'opening' || state === 'open';
}

/** What a signed message proves by itself, in the form of an answer. */
export function toldTruth(
  payment: Payment,
  { isClosed, ...money }: Told,
): PaymentTruth & { outcome: 'ok' } {
  const paid = money.captures.length > 0 ? 'complete' : 'open';
  return { outcome: 'ok', ...payment, ...money, status: isClosed ? 'closed' : paid };
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
  input: Parameters<typeof openPayment>[1] & { contract: string | undefined },
): Promise<{ order: Order; attempt: AttemptRow; isFirst: boolean }> {
  const order = await holdOrder(tx, input);
  if (order === undefined) throw new AppError('PaymentIdWrong');
  // Points are paid by their own call, and only by that.
  if (order.currency === pointsUnit) throw new AppError('OrderPricedInPoints');
  requirePayable(order);

  const open = await selectOpenAttempt(tx, input);
  if (open !== undefined) return { order, attempt: open, isFirst: false };
  await context.beforePayment(tx, order);
  // An order stays with the account it began with: its money is added up in one provider's books.
  const contract = (await selectContract(tx, input)) ?? input.contract;
  const provider = contract === undefined ? undefined : context.providers.get(contract);
  if (provider === undefined) throw new AppError('MethodUnavailable');
  const attempt = await insertAttempt(tx, {
    ...keyOf(order),
    attemptId: newId(),
    psp: provider.name,
    currency: order.currency,
    amountMinor: order.amount_minor,
    expiresAt: pageExpiry(order, provider),
    locale: input.locale,
    payer: input.payer,
    firstCheckSeconds: context.checkSeconds[0] ?? 30,
  });
  await recordFacts(tx, context.effects, keyOf(order), [
    { type: 'attempt_opened', attemptId: attempt.attempt_id },
  ]);
  return { order, attempt, isFirst: true };
}

/** Whether a new payment would have to begin: the order waits for one, and none is open. */
export async function needsPayment(db: Db, order: Order): Promise<boolean> {
  return isPayable(order) && (await selectOpenAttempt(db, keyOf(order))) === undefined;
}

/** The contract that an order's payments began with; it stays with that, whatever its site has now. */
export async function begunContract(db: Db, order: Order): Promise<string | undefined> {
  return await selectContract(db, keyOf(order));
}

function isSame(left: PaymentReference, right: PaymentReference): boolean {
  return (
    left.accountId === right.accountId &&
    left.paymentId === right.paymentId &&
    left.attemptId === right.attemptId
  );
}
