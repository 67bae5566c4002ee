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
  keyOf,
  lockOrder,
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
  Providers,
  WebhookClaims,
} from '../psp/psp.ts';
import type { ProviderHealth } from '../routing/provider-health.ts';
import { factsFromProvider } from './facts-from-provider.ts';
import { isPayable, openAction, pageExpiry, requirePayable } from './payable.ts';
import {
  type AttemptRow,
  insertAttempt,
  insertPaidAttempt,
  selectAttempt,
  selectCaptured,
  selectMerchantAccount,
  selectOpenAttempt,
  updateDeclined,
  updateEnded,
  updateOpened,
} from './payments.queries.ts';
import { noteKey, queryAtProvider } from './provider-keys.ts';
import { Reference } from './webhook-subject.ts';

/** The dependencies of the payment functions, created once in app.ts. */
export interface PaymentsContext {
  db: Db;
  jobs: Jobs;
  /** By contract name. */
  providers: Providers;
  effects: OrderEffects;
  /**
   * Throws if the player may not pay the order. Called in the transaction that opens the payment,
   * so that its checks and locks hold until the payment is visible to other transactions.
   */
  beforePayment(tx: Tx, order: Order): Promise<void>;
  /** Where the provider sends the player back to. */
  returnUrlOf(order: Order): Promise<string>;
  /** The contract of the order's site for its method; undefined if there is none. */
  contractAt(order: Order): Promise<string | undefined>;
  /** Tracks whether providers answer; every payment request is reported to it. */
  health: ProviderHealth;
  bounds: PlayerBounds;
  /** The intervals between the checks of an unanswered payment, in seconds. */
  checkSeconds: readonly number[];
}

export type Attempt = AttemptRow;

export async function findAttempt(
  db: Db | Tx,
  key: PaymentReference,
): Promise<Attempt | undefined> {
  return await selectAttempt(db, key);
}

/** The captured payment attempts of an order. */
export async function capturedAttempts(
  db: Db,
  key: { accountId: string; paymentId: string },
): Promise<Attempt[]> {
  return await selectCaptured(db, key);
}

/**
 * Concurrency is high because waiting for a provider is cheap, and limited per provider so that one
 * that does not answer cannot occupy all slots. Jobs that call a provider use its name as their
 * group.
 */
export const placesForProviders = { concurrency: 50, perGroup: 20 };

/** Queries the provider about a payment with a pending operation, such as a refund. */
export const askProviderJob = {
  name: 'ask_provider',
  payload: Reference,
  ...placesForProviders,
};

/**
 * Queries a refund at a provider that reports each refund separately. A refund made at the provider
 * has the provider's own id and belongs to this attempt.
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
 * Opens a payment at the provider, or returns the open one: an order has at most one at a time. The
 * attempt is written before the provider is called, so that a crash in between can be recovered.
 */
export async function openPayment(
  context: PaymentsContext,
  input: { accountId: string; paymentId: string; locale: Locale; payer: Payer },
): Promise<PaymentAction> {
  addLogFields({ paymentId: input.paymentId });
  const known = await findOrder(context.db, input);
  const contract = known === undefined ? undefined : await context.contractAt(known);
  const accounts = await context.providers(); // a transaction must not wait for a connection
  // Checked before the attempt is written, because a written attempt is always opened, if not by
  // this call then by a job.
  const begun = await selectOpenAttempt(context.db, input);
  const isOpen = begun !== undefined && openAction(begun) !== null;
  if (known !== undefined && isPayable(known) && !isOpen) {
    await context.bounds.beforePaymentCall(input);
  }
  const { order, attempt, isFirst } = await context.db.transaction((tx) =>
    findOrInsertAttempt(tx, context, { ...input, contract, known: accounts }),
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
 * Pays an open order from the player's own balance. The spend, the payment and its effects are one
 * transaction. An order that is already paid is returned unchanged; an insufficient balance is
 * refused and leaves no trace.
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
    const order = await lockOrder(tx, input);
    if (order === undefined) throw new AppError('PaymentIdWrong');
    if (order.currency !== pointsUnit) throw new AppError('OrderPricedInMoney');
    if (order.paid_at !== null) return order;
    return await payInPoints(tx, context, order, input);
  });
}

/**
 * Pays an order that the transaction has created or locked. With `givenBy` only the points of that
 * origin are spent.
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

export async function providerOf(context: PaymentsContext, psp: string): Promise<PaymentProvider> {
  const known = (await context.providers()).get(psp);
  const provider = known ?? (await context.providers('again')).get(psp);
  if (provider === undefined) throw new Error(`no provider is called ${psp}`);
  return provider;
}

/** Asks the provider to open the attempt's payment. The call is idempotent. */
export async function createAtProvider(
  context: PaymentsContext,
  { order, attempt, isFirst }: { order: Order; attempt: AttemptRow; isFirst: boolean },
): Promise<CreateResult> {
  const begunAt = Date.now();
  const result = await (await providerOf(context, attempt.psp)).createPayment({
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

/** The provider's reference of an attempt; undefined until the provider has answered. */
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
    await lockOrder(tx, reference);
    const isDeclined = await updateDeclined(tx, reference);
    if (!isDeclined) return;
    await recordFacts(tx, context.effects, reference, [
      { type: 'attempt_declined', attemptId, code: result.code },
    ]);
  }
}

/**
 * Queries the state of a payment. At providers where the shop has to capture approved payments
 * itself, the payment is captured at once as long as the order can still be paid.
 */
export async function queryPaymentState(
  context: PaymentsContext,
  attempt: AttemptRow,
  payment: Payment,
): Promise<PaymentTruth> {
  const provider = await providerOf(context, attempt.psp);
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

/** The content of a signed webhook in the form of a query result. */
export function stateFromClaims(
  payment: Payment,
  { isClosed, ...money }: WebhookClaims,
): PaymentTruth & { outcome: 'ok' } {
  const paid = money.captures.length > 0 ? 'complete' : 'open';
  return { outcome: 'ok', ...payment, ...money, status: isClosed ? 'closed' : paid };
}

/**
 * Records the answer of the provider. Rejects a payment with the reference of another attempt,
 * which is a bug or a forgery.
 */
export async function applyPaymentState(
  tx: Tx,
  context: PaymentsContext,
  { attempt, truth }: { attempt: AttemptRow; truth: PaymentTruth & { outcome: 'ok' } },
): Promise<void> {
  const reference = referenceOf(attempt);
  if (!isSame(reference, truth.reference)) {
    throw new Error(`payment ${truth.pspRef} belongs to another attempt`);
  }
  await lockOrder(tx, reference);
  const known = (await orderEvents(tx, reference)).map(({ fact }) => fact);
  const facts = factsFromProvider(truth, reference.attemptId, known);
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

/** Payments at providers are always in money, never in points. */
function moneyOf({ amount_minor, currency }: AttemptRow): Money {
  if (currency === pointsUnit) throw new Error('a provider was asked to take points');
  return { amountMinor: amount_minor, currency };
}

type Accounts = Awaited<ReturnType<Providers>>;

async function findOrInsertAttempt(
  tx: Tx,
  context: PaymentsContext,
  input: Parameters<typeof openPayment>[1] & { contract: string | undefined; known: Accounts },
): Promise<{ order: Order; attempt: AttemptRow; isFirst: boolean }> {
  const order = await lockOrder(tx, input);
  if (order === undefined) throw new AppError('PaymentIdWrong');
  // Orders priced in points are paid only through their own call.
  if (order.currency === pointsUnit) throw new AppError('OrderPricedInPoints');
  requirePayable(order);

  const open = await selectOpenAttempt(tx, input);
  if (open !== undefined) return { order, attempt: open, isFirst: false };
  await context.beforePayment(tx, order);
  // An order stays with the account of its first attempt, so that its money is in one account.
  const contract = (await selectMerchantAccount(tx, input)) ?? input.contract;
  const provider = contract === undefined ? undefined : input.known.get(contract);
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

/** Whether the order can be paid and has no open payment. */
export async function needsPayment(db: Db, order: Order): Promise<boolean> {
  return isPayable(order) && (await selectOpenAttempt(db, keyOf(order))) === undefined;
}

/**
 * The contract of the first payment attempt, which the order keeps if its site changes contracts.
 */
export async function begunMerchantAccount(db: Db, order: Order): Promise<string | undefined> {
  return await selectMerchantAccount(db, keyOf(order));
}

function isSame(left: PaymentReference, right: PaymentReference): boolean {
  return (
    left.accountId === right.accountId &&
    left.paymentId === right.paymentId &&
    left.attemptId === right.attemptId
  );
}
