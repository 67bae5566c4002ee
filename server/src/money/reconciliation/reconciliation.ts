import { Currency } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { derivedId, firstIdAt } from '../../platform/ids.ts';
import { type JobWork, jobWork, type Settle } from '../../platform/jobs.ts';
import { openCase } from '../cases/cases.ts';
import type { FactOf } from '../orders/order-fact.ts';
import { recordFacts } from '../orders/orders.ts';
import {
  type Attempt,
  askProviderJob,
  capturedAttempts,
  type PaymentsContext,
  paymentOf,
  providerOf,
} from '../payments/payments.ts';
import type { PaymentReference, SettlementLine } from '../psp/psp.ts';
import { postBalanceLines } from './balance-lines.ts';
import {
  type Day,
  type DayRow,
  type Difference,
  insertDay,
  insertLines,
  type LineRow,
  type RefundLine,
  type Stretch,
  selectDay,
  selectMissingHere,
  selectMissingThere,
  selectOpenDays,
  selectRefundLine,
  selectStretchEnd,
  selectUnbookedRefunds,
  selectUnknownCaptures,
  selectUnknownLines,
  selectUnknownSums,
  selectWasUsed,
  updateCompared,
  updateImported,
  updateReport,
  updateStep,
  updateToCompare,
} from './reconciliation.queries.ts';

/** Imports the settlement file of a day and compares it with the ledger. */
export const reconcileDayJob = {
  name: 'reconcile_day',
  payload: z.object({ psp: z.string(), day: z.iso.date() }),
  concurrency: 1,
};

export function reconciliationWorks(context: PaymentsContext): JobWork[] {
  return [jobWork(reconcileDayJob, (key) => reconcileDay(context, key))];
}

// Providers still add lines to a day for a while after midnight.
const closedHours = 2;
const daysMax = 7;
const askAgainMs = 60_000;
const roundMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/**
 * Queues every closed day that is not compared yet. A day that is still not compared a day after it
 * was queued opens a case.
 */
export async function sweepSettlements({ db, jobs, providers }: PaymentsContext): Promise<void> {
  const round = Math.floor(Date.now() / roundMs);
  for (const psp of (await providers()).keys()) {
    await db.transaction(async (tx) => {
      for (const day of closedDays()) {
        const fromId = firstIdAt(startOf(day, -daysMax));
        const untilId = firstIdAt(startOf(day, 1));
        const wasUsed = await selectWasUsed(tx, { psp, day, fromId, untilId });
        if (wasUsed) await insertDay(tx, { psp, day });
      }
      for (const { day, asked_at: askedAt } of await selectOpenDays(tx, psp)) {
        const id = derivedId(reconcileDayJob.name, psp, day, round);
        await jobs.enqueue(tx, reconcileDayJob, { psp, day }, { id });
        if (isLate(day, askedAt)) await openNotCompared(tx, { psp, day });
      }
    });
  }
}

function isLate(day: string, askedAt: Date): boolean {
  const closedAt = startOf(day, 1).getTime() + closedHours * 60 * 60_000;
  return Date.now() > Math.max(closedAt, askedAt.getTime()) + dayMs;
}

/** The closed days of the last week, oldest first. */
function closedDays(): string[] {
  const lastMs = Date.now() - closedHours * 60 * 60_000 - dayMs;
  return Array.from({ length: daysMax }, (_, index) =>
    new Date(lastMs - (daysMax - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

function startOf(day: string, daysLater = 0): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + daysLater * dayMs);
}

/** Queues a day on request of an operator, even if it was compared before. */
export async function queueReconciliation(
  tx: Tx,
  { jobs }: Pick<PaymentsContext, 'jobs'>,
  key: Day,
): Promise<void> {
  await insertDay(tx, key);
  await updateToCompare(tx, key);
  await jobs.enqueue(tx, reconcileDayJob, key);
}

// Shorter than the timeout of a job, so that a long day continues in another job.
const workMs = 30_000;

async function reconcileDay(context: PaymentsContext, key: Day): Promise<Settle> {
  const known = await selectDay(context.db, key);
  if (known === undefined) throw new Error(`${key.day} of ${key.psp} was never queued`);
  if (!known.is_imported) {
    const reportId = await importDay(context, known);
    if (reportId !== undefined) {
      return async (tx) => {
        await updateReport(tx, key, reportId);
        const startAfter = new Date(Date.now() + askAgainMs);
        await context.jobs.enqueue(tx, reconcileDayJob, key, { startAfter });
      };
    }
  }
  const isOver = await compareFor(context, key, Date.now() + workMs);
  return async (tx) => {
    if (isOver) await finish(tx, key);
    else await context.jobs.enqueue(tx, reconcileDayJob, key);
  };
}

const linesPerWrite = 5_000;

/** Returns the id of a report that is not ready yet, if there is one to wait for. */
async function importDay(
  context: PaymentsContext,
  { psp, day, report_id: reportId }: DayRow,
): Promise<string | undefined> {
  const period = { from: startOf(day), until: startOf(day, 1), reportId };
  const settlement = await (await providerOf(context, psp)).settlement(period);
  if (settlement.outcome === 'unknown') throw new Error(`no settlement file: ${settlement.cause}`);
  if (settlement.outcome === 'not_ready') return settlement.reportId;
  const { lines } = settlement;
  for (let start = 0; start < lines.length; start += linesPerWrite) {
    const some: SettlementLine[] = lines.slice(start, start + linesPerWrite);
    await context.db.transaction((tx) => insertLines(tx, { psp, day }, some));
  }
  await context.db.transaction((tx) => updateImported(tx, { psp, day }));
  return undefined;
}

/** Compares step by step until the time is over; true if no step is left. */
async function compareFor(context: PaymentsContext, key: Day, untilMs: number): Promise<boolean> {
  while (Date.now() < untilMs) {
    const known = await selectDay(context.db, key);
    if (known === undefined) throw new Error(`${key.day} of ${key.psp} does not exist`);
    const hasMore =
      (await compareLines(context, known)) || (await compareTransfers(context, known));
    if (!hasMore) return true;
  }
  return false;
}

const stretchLines = 5_000;

/** Compares the next lines of the settlement file with the ledger. */
async function compareLines(context: PaymentsContext, known: DayRow): Promise<boolean> {
  const { psp, day, compared_line } = known;
  const after = compared_line ?? '';
  const last = await selectStretchEnd(context.db, { psp, day, after, rowsMax: stretchLines });
  if (last === undefined) return false;
  const stretch: Stretch = { psp, day, after, last };
  for (const line of await selectUnbookedRefunds(context.db, stretch)) {
    await recordRefund(context, line);
  }
  const forgotten = await findForgotten(context, stretch);
  const missing = await selectMissingHere(context.db, stretch);
  await context.db.transaction(async (tx) => {
    const step = { comparedLine: last, found: missing.length };
    if (!(await updateStep(tx, known, step))) return;
    await postBalanceLines(tx, { psp, fromDay: day, untilDay: day, after, last });
    for (const difference of listed(known, missing)) {
      await openDifference(tx, known, 'missing_here', difference);
    }
    for (const { line, reference } of forgotten) {
      await openForgotten(tx, known, line, reference);
      await context.jobs.enqueue(tx, askProviderJob, reference, { group: psp });
    }
  });
  return true;
}

const sliceMs = 30 * 60_000;

/** Compares the next half hour of the previous day in the ledger with the settlement files. */
async function compareTransfers(context: PaymentsContext, known: DayRow): Promise<boolean> {
  const from = known.compared_until ?? startOf(known.day, -1);
  if (from >= startOf(known.day)) return false;
  const until = new Date(from.getTime() + sliceMs);
  const missing = await selectMissingThere(context.db, known, { from, until });
  await context.db.transaction(async (tx) => {
    const step = { comparedUntil: until, found: missing.length };
    if (!(await updateStep(tx, known, step))) return;
    for (const difference of listed(known, missing)) {
      await openDifference(tx, known, 'missing_there', difference);
    }
  });
  return true;
}

/**
 * A settlement line proves a refund, whether it was made in the provider's dashboard or its webhook
 * was lost. A line with the opposite sign is a returned refund.
 */
async function recordRefund({ db, effects }: PaymentsContext, line: RefundLine): Promise<void> {
  const { account_id: accountId, payment_id: paymentId } = line;
  const fact = factOf(line);
  await db.transaction((tx) => recordFacts(tx, effects, { accountId, paymentId }, [fact]));
}

function factOf(line: LineRow): FactOf<'refund_settled'> {
  const { subject_id: refundId, capture_id: captureId, amount_minor } = line;
  if (captureId === null) throw new Error(`line ${line.line_id} has no capture`);
  const hasLeft = amount_minor < 0n;
  return {
    type: 'refund_settled',
    refundId,
    captureId,
    amountMinor: hasLeft ? -amount_minor : amount_minor,
    currency: Currency.parse(line.currency),
    outcome: hasLeft ? 'done' : 'returned',
  };
}

/**
 * Records a refund made in the provider's dashboard on request of an operator, but only if the
 * provider proves it by its answer or in a settlement file.
 */
export async function recordOutsideRefund(
  context: PaymentsContext,
  key: { accountId: string; paymentId: string },
  reference: string,
): Promise<{ refundId: string; amountMinor: string; currency: string; state: string } | undefined> {
  for (const attempt of await capturedAttempts(context.db, key)) {
    const fact = await provenRefund(context, attempt, reference);
    if (fact === undefined) continue;
    const order = await context.db.transaction((tx) =>
      recordFacts(tx, context.effects, key, [fact]),
    );
    const { refundId, amountMinor, currency } = fact;
    return { refundId, amountMinor: amountMinor.toString(), currency, state: order.state };
  }
  return undefined;
}

async function provenRefund(
  context: PaymentsContext,
  attempt: Attempt,
  reference: string,
): Promise<FactOf<'refund_settled'> | undefined> {
  const payment = paymentOf(attempt);
  const { psp, capture_id: captureId } = attempt;
  if (payment === undefined || captureId === null) return undefined;
  const query = { refundId: reference, payment, captureId, money: null };
  const answer = await (await providerOf(context, psp)).queryRefund(query);
  if (answer.outcome === 'ok' && answer.refund.state === 'done') {
    const { refundId, money } = answer.refund;
    return { type: 'refund_settled', refundId, captureId, ...money, outcome: 'done' };
  }
  const line = await selectRefundLine(context.db, { psp, captureId, reference });
  return line === undefined ? undefined : factOf({ ...line, capture_id: captureId });
}

// An account shared with another business may have any number of unknown lines.
const askedMax = 20;

/** Finds payments of the shop that had no webhook, by querying their captures. */
async function findForgotten(
  context: PaymentsContext,
  stretch: Stretch,
): Promise<{ line: LineRow; reference: PaymentReference }[]> {
  const found: { line: LineRow; reference: PaymentReference }[] = [];
  for (const line of await selectUnknownCaptures(context.db, stretch, { rowsMax: askedMax })) {
    if (line.capture_id === null) continue;
    const capture = await (await providerOf(context, stretch.psp)).findCapture(line.capture_id);
    if (capture.outcome === 'ok') found.push({ line, reference: capture.reference });
  }
  return found;
}

// More differences of one day than this have a common cause, so further cases would not help.
const casesMax = 100;

function listed(known: DayRow, found: readonly Difference[]): readonly Difference[] {
  return found.slice(0, Math.max(0, casesMax - known.differences));
}

async function finish(tx: Tx, { psp, day }: Day): Promise<void> {
  // Payments unknown at first may be known by now.
  await postBalanceLines(tx, { psp, fromDay: dayBefore(day, daysMax), untilDay: day });
  await updateCompared(tx, { psp, day });
  await openUnknown(tx, { psp, day });
  const known = await selectDay(tx, { psp, day });
  if (known === undefined || known.differences <= casesMax) return;
  await openCase(tx, {
    kind: 'settlement',
    subject: `${psp}:${day}:more`,
    order: null,
    details: { difference: 'more_than_listed', found: known.differences, listed: casesMax },
  });
}

function dayBefore(day: string, days: number): string {
  return startOf(day, -days).toISOString().slice(0, 10);
}

async function openNotCompared(tx: Tx, { psp, day }: Day): Promise<void> {
  await openCase(tx, {
    kind: 'settlement',
    subject: `${psp}:${day}:not_compared`,
    order: null,
    details: { difference: 'not_compared' },
  });
}

const linesShown = 20;

/** Opens one case a day for all unknown payments, because they have one common cause. */
async function openUnknown(tx: Tx, { psp, day }: Day): Promise<void> {
  const sums = await selectUnknownSums(tx, { psp, day });
  if (sums.length === 0) return;
  const lines = await selectUnknownLines(tx, { psp, day }, { rowsMax: linesShown });
  await openCase(tx, {
    kind: 'settlement',
    subject: `${psp}:${day}:unknown_here`,
    order: null,
    details: {
      difference: 'unknown_here',
      sums: sums.map(({ kind, currency, lines, theirs }) => ({
        kind,
        currency,
        lines,
        theirs: theirs.toString(),
      })),
      lines: lines.map(shownLine),
    },
  });
}

async function openForgotten(
  tx: Tx,
  { psp, day }: Day,
  line: LineRow,
  { accountId, paymentId }: PaymentReference,
): Promise<void> {
  await openCase(tx, {
    kind: 'settlement',
    subject: `${psp}:${day}:${line.line_id}`,
    order: { accountId, paymentId },
    details: { difference: 'not_told', ...shownLine(line) },
  });
}

function shownLine({ line_id, kind, subject_id, capture_id, currency, amount_minor }: LineRow) {
  return {
    lineId: line_id,
    kind,
    subjectId: subject_id,
    captureId: capture_id,
    currency,
    theirs: amount_minor.toString(),
  };
}

async function openDifference(
  tx: Tx,
  { psp, day }: Day,
  difference: 'missing_here' | 'missing_there',
  found: Difference,
): Promise<void> {
  const { account_id: accountId, payment_id: paymentId, kind, currency, theirs, ours } = found;
  await openCase(tx, {
    kind: 'settlement',
    subject: `${psp}:${day}:${difference}:${paymentId}:${kind}:${currency}`,
    order: { accountId, paymentId },
    details: {
      difference,
      kind,
      currency,
      theirs: theirs.toString(),
      ours: ours.toString(),
    },
  });
}
