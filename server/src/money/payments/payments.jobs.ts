import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { type JobWork, jobWork, type Settle } from '../../platform/jobs.ts';
import { addLogFields } from '../../platform/log.ts';
import { firstSweptId, type SweptMonths } from '../../platform/partitions.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { findArchiveOf } from '../archive/archive.ts';
import { openCase } from '../cases/cases.ts';
import type { Fact } from '../orders/order-fact.ts';
import { findOrder, recordFacts, takeExpiredOrders } from '../orders/orders.ts';
import type { WebhookSubject } from '../psp/psp.ts';
import {
  type AttemptRow,
  deleteOldEvents,
  selectAttempt,
  selectAttemptByCapture,
  selectOpenAttempt,
  selectUnansweredAttempt,
  takeDueAttempts,
  takeForgottenEvents,
  updateEnded,
  updateProcessed,
} from './payments.queries.ts';
import {
  applyPaymentState,
  askProviderJob,
  askRefundJob,
  createAtProvider,
  type PaymentsContext,
  paymentOf,
  placesForProviders,
  providerOf,
  queryPaymentState,
  referenceOf,
  settleCreate,
  stateFromClaims,
} from './payments.ts';
import { Reference, Subject } from './webhook-subject.ts';

/** Processes a webhook by querying the provider for the actual state. */
export const processWebhookJob = {
  name: 'process_webhook',
  payload: z.object({ psp: z.string(), eventId: z.string(), subject: z.unknown() }),
  ...placesForProviders,
};

/** Polls the provider about a payment without a recent webhook. */
export const checkAttemptJob = {
  name: 'check_attempt',
  payload: Reference,
  ...placesForProviders,
};

/** Closes an expired order, first at the provider and then in the shop. */
export const expireOrderJob = {
  name: 'expire_order',
  payload: z.object({ accountId: z.uuid(), paymentId: z.uuid() }),
  ...placesForProviders,
};

export function paymentWorks(context: PaymentsContext): JobWork[] {
  return [
    jobWork(processWebhookJob, (payload) => processWebhook(context, payload)),
    jobWork(checkAttemptJob, (payload) => checkAttempt(context, payload)),
    jobWork(askProviderJob, (payload) => askProvider(context, payload)),
    jobWork(expireOrderJob, (payload) => expireOrder(context, payload)),
  ];
}

const sweepRowsMax = 200;

/** Queues checks of payments that are due. */
export async function sweepAttempts(
  context: PaymentsContext,
  months: SweptMonths = 'recent',
): Promise<void> {
  const { db, jobs, checkSeconds } = context;
  await db.transaction(async (tx) => {
    const due = await takeDueAttempts(tx, {
      scheduleSeconds: checkSeconds,
      rowsMax: sweepRowsMax,
      fromId: firstSweptId(months),
    });
    for (const { account_id, payment_id, attempt_id, psp } of due) {
      const key = { accountId: account_id, paymentId: payment_id, attemptId: attempt_id };
      await jobs.enqueue(tx, checkAttemptJob, key, { group: psp });
    }
  });
}

/**
 * Tries failing providers with an unanswered payment, so that no player has to wait for the trial.
 * Every second trial is left to a player, because a provider may replay the same failure for one
 * idempotency key.
 */
export async function probeFailedProviders(context: PaymentsContext): Promise<void> {
  const { db, jobs, providers, health } = context;
  for (const psp of (await providers()).keys()) {
    const tries = await health.triesBeforeNow(psp);
    if (tries === undefined || tries % 2 === 1) continue;
    const attempt = await selectUnansweredAttempt(db, { psp, fromId: firstSweptId('recent') });
    if (attempt === undefined || !(await health.mayCall(psp))) continue;
    await db.transaction((tx) =>
      jobs.enqueue(tx, checkAttemptJob, referenceOf(attempt), { group: psp }),
    );
  }
}

// An abandoned job must not keep its order open forever.
const expireAgainMinutes = 60;

/** Queues one job per expired order, and another one later if the order is still open. */
export async function sweepExpired(
  { db, jobs }: PaymentsContext,
  months: SweptMonths = 'recent',
): Promise<void> {
  const fromId = firstSweptId(months);
  const limits = { againMinutes: expireAgainMinutes, rowsMax: sweepRowsMax, fromId };
  await db.transaction(async (tx) => {
    for (const { key, psp } of await takeExpiredOrders(tx, limits)) {
      await jobs.enqueue(tx, expireOrderJob, key, { group: psp ?? 'none' });
    }
  });
}

/** Requeues events whose job was abandoned, in case the cause was fixed meanwhile. */
export async function sweepInbox({ db, jobs }: PaymentsContext): Promise<void> {
  await db.transaction(async (tx) => {
    for (const event of await takeForgottenEvents(tx, { rowsMax: sweepRowsMax })) {
      const { psp, event_id: eventId, subject } = event;
      await jobs.enqueue(tx, processWebhookJob, { psp, eventId, subject }, { group: psp });
    }
  });
}

// Disputes arrive up to four months after the payment; processed events are in the order's facts.
const keepEventsDays = 180;

export async function forgetOldEvents({ db }: PaymentsContext): Promise<void> {
  await deleteInBatches(db, deleteOldEvents({ keepDays: keepEventsDays }));
}

async function processWebhook(
  context: PaymentsContext,
  { psp, eventId, ...told }: z.output<typeof processWebhookJob.payload>,
): Promise<Settle> {
  const subject = Subject.parse(told.subject);
  const { attempt, reference } = await attemptOf(context, psp, subject);
  if (attempt === undefined) {
    const archive = reference && (await findArchiveOf(context.db, reference.paymentId));
    // The event stays unprocessed, so the sweep requeues it until the month is restored.
    if (archive !== undefined)
      return (tx) => openArchived(tx, { psp, eventId, ...reference, ...archive });
    return async (tx) => {
      await openUnknown(tx, { psp, eventId, subject });
      await updateProcessed(tx, { psp, eventId, outcome: 'unknown_attempt' });
    };
  }
  addLogFields({ paymentId: attempt.payment_id, accountId: attempt.account_id });
  const payment = paymentOf(attempt, 'pspRef' in subject ? subject.pspRef : attempt.psp_ref);
  // The payment request is unanswered. Its scheduled check resolves that, and this job is retried.
  if (payment === undefined) throw new Error('the payment is still being opened');
  const truth =
    subject.told === undefined
      ? await queryPaymentState(context, attempt, payment)
      : stateFromClaims(payment, subject.told);
  if (truth.outcome !== 'ok')
    throw new Error(`${psp} did not answer the query for ${payment.pspRef}`);
  return async (tx) => {
    await applyPaymentState(tx, context, { attempt, truth });
    if (subject.refundId !== undefined) {
      const key = { ...referenceOf(attempt), refundId: subject.refundId };
      await context.jobs.enqueue(tx, askRefundJob, key, { group: psp });
    }
    await updateProcessed(tx, { psp, eventId, outcome: truth.status });
  };
}

/**
 * An unknown payment with our reference opens a case each time. One without our reference may
 * belong to another business on the same account with many payments, so these share one case a day.
 */
async function openUnknown(
  tx: Tx,
  { psp, eventId, subject }: { psp: string; eventId: string; subject: WebhookSubject },
): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const name = 'captureId' in subject ? `${today}:not_ours` : eventId;
  await openCase(tx, {
    kind: 'unknown_payment',
    subject: `${psp}:${name}`,
    order: null,
    details: { psp, eventId },
  });
}

async function openArchived(
  tx: Tx,
  details: { psp: string; eventId: string; month: string; folder: string },
): Promise<void> {
  const subject = `${details.psp}:${details.eventId}`;
  await openCase(tx, { kind: 'archived_order', subject, order: null, details });
}

/** The attempt is absent if unknown here, the reference if the payment is not the shop's. */
async function attemptOf(
  context: PaymentsContext,
  psp: string,
  subject: WebhookSubject,
): Promise<{ attempt?: AttemptRow; reference?: z.output<typeof Reference> }> {
  if ('captureId' in subject) {
    const { captureId } = subject;
    const known = await selectAttemptByCapture(context.db, { psp, captureId });
    if (known !== undefined) return { attempt: known };
    const found = await (await providerOf(context, psp)).findCapture(captureId);
    if (found.outcome === 'not_found') return {};
    if (found.outcome === 'unknown')
      throw new Error(`${psp} did not answer which payment ${captureId} belongs to`);
    return await attemptOf(context, psp, { pspRef: '', reference: found.reference });
  }
  const { reference } = subject;
  const attempt = await selectAttempt(context.db, reference);
  return attempt?.psp === psp ? { attempt, reference } : { reference };
}

async function askProvider(
  context: PaymentsContext,
  key: z.output<typeof Reference>,
): Promise<Settle> {
  addLogFields({ paymentId: key.paymentId, accountId: key.accountId });
  const attempt = await selectAttempt(context.db, key);
  const payment = attempt === undefined ? undefined : paymentOf(attempt);
  if (attempt === undefined || payment === undefined) return nothing;
  const truth = await queryPaymentState(context, attempt, payment);
  if (truth.outcome !== 'ok')
    throw new Error(`${attempt.psp} did not answer the query for its payment`);
  return (tx) => applyPaymentState(tx, context, { attempt, truth });
}

async function checkAttempt(
  context: PaymentsContext,
  key: z.output<typeof Reference>,
): Promise<Settle> {
  addLogFields({ paymentId: key.paymentId, accountId: key.accountId });
  const attempt = await selectAttempt(context.db, key);
  if (attempt?.state === 'opening') return await createAgain(context, attempt);
  const payment = attempt?.state === 'open' ? paymentOf(attempt) : undefined;
  if (attempt === undefined || payment === undefined) return nothing;
  const truth = await queryPaymentState(context, attempt, payment);
  // A missing answer is not an error, because the schedule checks again.
  if (truth.outcome !== 'ok') return nothing;
  return (tx) => applyPaymentState(tx, context, { attempt, truth });
}

/**
 * Repeats a payment request that was never answered, with the same idempotency key. Once the page
 * would have expired anyway, the attempt is closed.
 */
async function createAgain(context: PaymentsContext, attempt: AttemptRow): Promise<Settle> {
  const reference = referenceOf(attempt);
  if (isPast(attempt.expires_at)) return closeAttempt(context, attempt, []);
  const order = await findOrder(context.db, reference);
  if (order === undefined) throw new Error(`attempt ${reference.attemptId} has no order`);
  const result = await createAtProvider(context, { order, attempt, isFirst: false });
  return (tx) => settleCreate(tx, context, { attempt, result });
}

async function expireOrder(
  context: PaymentsContext,
  key: z.output<typeof expireOrderJob.payload>,
): Promise<Settle> {
  addLogFields(key);
  const order = await findOrder(context.db, key);
  if (order?.state !== 'created' && order?.state !== 'paying') return nothing;
  const attempt = await selectOpenAttempt(context.db, key);
  if (attempt === undefined) {
    return async (tx) => {
      await recordFacts(tx, context.effects, key, [{ type: 'expired' }]);
    };
  }
  const payment = paymentOf(attempt);
  if (payment === undefined) return await waitForAttempt(context, attempt);

  const provider = await providerOf(context, attempt.psp);
  const closed = await provider.closePayment(payment);
  // A page unknown to the provider may still be open, for example after a change of API keys.
  const isGone = closed.outcome === 'not_found' && isPast(attempt.expires_at);
  if (closed.outcome === 'closed' || isGone) {
    return closeAttempt(context, attempt, [{ type: 'expired' }]);
  }
  const truth = await provider.queryPayment(payment);
  if (truth.outcome !== 'ok' || truth.status === 'open' || truth.status === 'approved') {
    throw new Error(`${attempt.psp} could not close ${payment.pspRef}`);
  }
  return async (tx) => {
    await applyPaymentState(tx, context, { attempt, truth });
    if (truth.status === 'closed') {
      await recordFacts(tx, context.effects, key, [{ type: 'expired' }]);
    }
  };
}

/** Closes an attempt and records its consequences in one transaction. */
function closeAttempt(context: PaymentsContext, attempt: AttemptRow, also: Fact[]): Settle {
  const reference = referenceOf(attempt);
  const { attemptId } = reference;
  return async (tx) => {
    const facts: Fact[] = [{ type: 'attempt_closed', attemptId }, ...also];
    await recordFacts(tx, context.effects, reference, facts);
    await updateEnded(tx, reference, { state: 'closed', pspRef: null, captureId: null });
  };
}

/** Postpones the closing of the order until it is known whether the payment page exists. */
async function waitForAttempt(context: PaymentsContext, attempt: AttemptRow): Promise<Settle> {
  const { accountId, paymentId } = referenceOf(attempt);
  const startAfter = new Date(Date.now() + 60_000);
  const when = { startAfter, group: attempt.psp };
  return (tx) => context.jobs.enqueue(tx, expireOrderJob, { accountId, paymentId }, when);
}

const nothing: Settle = async () => {};

function isPast(moment: Date): boolean {
  return moment.getTime() <= Date.now();
}
