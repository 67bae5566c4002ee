import { z } from 'zod';
import { openCase } from '../cases/cases.ts';
import { askProviderJob, type PaymentsContext, providerOf } from '../payments/payments.ts';
import type { Tx } from '../platform/db.ts';
import { derivedId } from '../platform/ids.ts';
import { type JobWork, jobWork, type Settle } from '../platform/jobs.ts';
import type { PaymentReference } from '../psp/psp.ts';
import {
  type Day,
  type Difference,
  insertClosedDays,
  insertDay,
  insertLines,
  selectDay,
  selectMissingHere,
  selectMissingThere,
  selectOpenDays,
  selectUnknownLines,
  updateCompared,
  updateImported,
  updateReport,
} from './reconciliation.queries.ts';

/** Reads a provider's books of one day and holds them against ours. */
export const reconcileDayJob = {
  name: 'reconcile_day',
  payload: z.object({ psp: z.string(), day: z.iso.date() }),
  concurrency: 1,
};

export function reconciliationWorks(context: PaymentsContext): JobWork[] {
  return [jobWork(reconcileDayJob, (key) => reconcileDay(context, key))];
}

// Providers go on writing into a day for a while after midnight.
const closedHours = 2;
const daysMax = 7;
const askAgainMs = 60_000;
const roundMs = 60 * 60_000;

/** Queues every day that has closed and was not compared yet. */
export async function sweepSettlements({ db, jobs, providers }: PaymentsContext): Promise<void> {
  const round = Math.floor(Date.now() / roundMs);
  for (const psp of providers.keys()) {
    await db.transaction(async (tx) => {
      await insertClosedDays(tx, { psp, closedHours, daysMax });
      for (const { day } of await selectOpenDays(tx, psp)) {
        const id = derivedId(reconcileDayJob.name, psp, day, round);
        await jobs.enqueue(tx, reconcileDayJob, { psp, day }, { id });
      }
    });
  }
}

/** An operator wants a day compared now, again perhaps. */
export async function queueReconciliation({ db, jobs }: PaymentsContext, key: Day): Promise<void> {
  await db.transaction(async (tx) => {
    await insertDay(tx, key);
    await jobs.enqueue(tx, reconcileDayJob, key);
  });
}

async function reconcileDay(context: PaymentsContext, key: Day): Promise<Settle> {
  const known = await selectDay(context.db, key);
  if (known === undefined) throw new Error(`${key.day} of ${key.psp} was never asked for`);
  if (known.is_imported) return (tx) => compare(tx, context, key, []);

  const from = new Date(`${key.day}T00:00:00Z`);
  const until = new Date(from.getTime() + 24 * 60 * 60_000);
  const provider = providerOf(context, key.psp);
  const settlement = await provider.settlement({ from, until, reportId: known.report_id });
  if (settlement.outcome === 'unknown') throw new Error(`no books: ${settlement.cause}`);
  if (settlement.outcome === 'not_ready') {
    return async (tx) => {
      await updateReport(tx, key, settlement.reportId);
      const startAfter = new Date(Date.now() + askAgainMs);
      await context.jobs.enqueue(tx, reconcileDayJob, key, { startAfter });
    };
  }
  await context.db.transaction(async (tx) => {
    await insertLines(tx, key, settlement.lines);
    await updateImported(tx, key);
  });
  const forgotten = await findForgotten(context, key);
  return (tx) => compare(tx, context, key, forgotten);
}

const askedMax = 100;

/** Money of ours that we never heard of: the capture itself says whose it is. */
async function findForgotten(context: PaymentsContext, key: Day): Promise<PaymentReference[]> {
  const unknown = await context.db.transaction((tx) => selectUnknownLines(tx, key));
  const captureIds = new Set(unknown.map(({ capture_id }) => capture_id));
  const found: PaymentReference[] = [];
  for (const captureId of [...captureIds].slice(0, askedMax)) {
    if (captureId === null) continue;
    const capture = await providerOf(context, key.psp).findCapture(captureId);
    if (capture.outcome === 'ok') found.push(capture.reference);
  }
  return found;
}

/** Every difference becomes a case; what can heal by asking the provider is asked. */
async function compare(
  tx: Tx,
  { jobs }: PaymentsContext,
  key: Day,
  forgotten: readonly PaymentReference[],
): Promise<void> {
  for (const line of await selectUnknownLines(tx, key)) {
    const { line_id, kind, subject_id, capture_id, currency, amount_minor } = line;
    await openCase(tx, {
      kind: 'settlement',
      subject: `${key.psp}:${key.day}:${line_id}`,
      order: null,
      details: {
        difference: 'unknown_here',
        kind,
        subjectId: subject_id,
        captureId: capture_id,
        currency,
        theirs: amount_minor.toString(),
      },
    });
  }
  for (const reference of forgotten) {
    await jobs.enqueue(tx, askProviderJob, reference, { group: key.psp });
  }
  for (const found of await selectMissingHere(tx, key)) {
    await openDifference(tx, key, 'missing_here', found);
  }
  for (const found of await selectMissingThere(tx, key)) {
    await openDifference(tx, key, 'missing_there', found);
  }
  await updateCompared(tx, key);
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
