import { z } from 'zod';
import type { Abroad } from './court.ts';
import {
  allOf,
  isSame,
  pileNumber,
  pileOf,
  pilesOfLines,
  type Records,
  readOurPiles,
  readPiles,
  totalOf,
  unlikePiles,
} from './digest.ts';
import { patienceMs } from './invariant.ts';
import type { Refund } from './order-story.ts';
import { read, readAll } from './outside.ts';
import type { Snapshot } from './snapshot.ts';
import type { Tables } from './tables.ts';

/** What was compared with the provider, and what is not the same there and here. */
export interface Compared {
  checked: number;
  violations: string[];
}

const Charge = z.object({
  id: z.string(),
  paymentId: z.string().nullable(),
  payment_intent: z.string(),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
});

const isCapture = `posting like 'captured:%'`;

const credits: Records = {
  from: 'ledger_transfers',
  where: isCapture,
  key: 'origin_id',
  cells: ['origin_id', 'substr(posting, 10)', 'amount_minor', `lower(unit collate "C")`],
};

/** I3: every charge is one credit of one order, and every credit a charge. */
export async function compareCaptures(
  { snapshot, totals }: Tables,
  { stripe, nowMs }: { stripe: string; nowMs: number },
): Promise<Compared> {
  const [ours, theirs] = await Promise.all([
    totalOf(totals, credits),
    readPiles(stripe, 'charges'),
  ]);
  const all = allOf(theirs);
  const checked = all.count;
  if (isSame(all, ours)) return { checked, violations: [] };
  const unlike = unlikePiles(theirs, await readOurPiles(snapshot, credits));
  const charges = await chargesIn(stripe, unlike);
  return { checked, violations: judgeCaptures(charges, await creditsIn(snapshot, unlike), nowMs) };
}

async function chargesIn(stripe: string, piles: readonly number[]) {
  const charges: z.output<typeof Charge>[] = [];
  for (const pile of piles) {
    const url = new URL(`${stripe}/__sandbox/charges?bucket=${pile}`);
    charges.push(...(await readAll(url, 'charges', Charge)));
  }
  return charges;
}

interface Credit {
  paymentId: string;
  captureId: string;
  unit: string;
  amountMinor: string;
}

/**
 * When a provider gave a capture a larger amount later, the difference has a posting of its own,
 * which goes on after the capture's id with attempt, currency and amount.
 */
async function creditsIn(snapshot: Snapshot, piles: readonly number[]): Promise<Credit[]> {
  const rows = await snapshot.query(
    `select origin_id, unit, sum(amount_minor),
            regexp_replace(substr(posting, 10), ':[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$', '') as capture_id
     from ledger_transfers where ${isCapture} and ${pileOf('origin_id')} = any($1)
     group by account_id, origin_id, unit, capture_id`,
    [piles],
  );
  return rows.map(([paymentId = '', unit = '', amountMinor = '', captureId = '']) => ({
    ...{ paymentId, unit, amountMinor, captureId },
  }));
}

function judgeCaptures(
  charges: readonly z.output<typeof Charge>[],
  credits: readonly Credit[],
  nowMs: number,
): string[] {
  const violations: string[] = [];
  const credited = Map.groupBy(credits, ({ captureId }) => captureId);
  for (const charge of charges) {
    const found = credited.get(charge.payment_intent) ?? [];
    credited.delete(charge.payment_intent);
    const [credit] = found;
    if (credit === undefined) {
      const isUnderWay = nowMs - charge.created * 1000 < patienceMs;
      if (!isUnderWay) violations.push(`charge ${charge.id} has no credit`);
    } else if (found.length > 1) {
      violations.push(`charge ${charge.id} was credited ${found.length} times`);
    } else if (!isSameMoney(charge, credit)) {
      violations.push(
        `charge ${charge.id} is ${charge.amount} ${charge.currency}, ` +
          `its credit ${credit.amountMinor} ${credit.unit}`,
      );
    } else if (charge.paymentId !== credit.paymentId) {
      violations.push(`charge ${charge.id} was credited to order ${credit.paymentId}`);
    }
  }
  for (const [captureId, found] of credited) {
    violations.push(`order ${found[0]?.paymentId} has a credit without a charge, ${captureId}`);
  }
  return violations;
}

function isSameMoney(charge: { amount: number; currency: string }, credit: Credit): boolean {
  return (
    credit.amountMinor === String(charge.amount) && credit.unit === charge.currency.toUpperCase()
  );
}

const TheirRefund = z.object({
  id: z.string(),
  payment_intent: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  created: z.int(),
  metadata: z.object({ refundId: z.string().optional() }),
});

/**
 * I3: every refund there is one here, and back. The provider's checksums name refunds by its own
 * ids, which we do not know of those that we asked for; so all of them are read. They are few.
 */
export async function compareRefunds(
  told: Promise<readonly Abroad[]>,
  { stripe, nowMs }: { stripe: string; nowMs: number },
): Promise<Compared> {
  const url = new URL(`${stripe}/__sandbox/records/refunds`);
  const [orders, theirs] = await Promise.all([told, readAll(url, 'records', TheirRefund)]);
  const violations: string[] = [];
  const ours = new Map<string, { refund: Refund; order: Abroad }>();
  for (const order of orders) {
    for (const refund of order.refunds) {
      if (refund.currency !== 'EPOINT') ours.set(refund.refundId, { refund, order });
    }
  }
  const seen = new Set<string>();
  for (const refund of theirs) {
    const { refundId } = refund.metadata;
    // Of two that bear one id of ours the first is what we asked for.
    const name = refundId === undefined || seen.has(refundId) ? refund.id : refundId;
    seen.add(name);
    const known = ours.get(name);
    const isUnderWay = nowMs - refund.created * 1000 < patienceMs;
    if (!isUnderWay) violations.push(...judgeRefund(refund, known));
  }
  for (const [refundId, { refund }] of ours) {
    if (refund.state === 'done' && !seen.has(refundId)) {
      violations.push(`refund ${refundId} is done here, the provider knows nothing of it`);
    }
  }
  return { checked: theirs.length, violations };
}

function judgeRefund(
  theirs: z.output<typeof TheirRefund>,
  known: { refund: Refund; order: Abroad } | undefined,
): string[] {
  const { id, status, amount, currency } = theirs;
  if (known === undefined) {
    // One that came to nothing elsewhere never was.
    return status === 'succeeded' ? [`refund ${id} is not in our books`] : [];
  }
  const { refund, order } = known;
  // We go on asking about it, and whoever stops asking is found by that.
  if (refund.state === 'pending') return [];
  const isTold = order.cases.includes(`refund_failed ${refund.refundId}`);
  const isDone = refund.state === 'done';
  const is = `${amount} ${currency.toUpperCase()} of ${theirs.payment_intent}`;
  const says = `${refund.amountMinor} ${refund.currency} of ${refund.captureId}`;
  if (isDone !== (status === 'succeeded') && !isTold) {
    return [`refund ${refund.refundId} is ${refund.state} here and ${status} at the provider`];
  }
  return isDone && is !== says ? [`refund ${id} is ${is}, in our books ${says}`] : [];
}

const stages: Record<string, readonly string[]> = {
  warning: ['warning_needs_response'],
  open: ['needs_response'],
  won: ['won', 'warning_closed'],
  reinstated: ['won'],
  lost: ['lost'],
};

const TheirDispute = z.object({
  id: z.string(),
  paymentId: z.string().nullable(),
  payment_intent: z.string(),
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
});

/** I3: every dispute there is one here, at the same stage, and back. */
export async function compareDisputes(
  told: Promise<readonly Abroad[]>,
  { stripe, nowMs }: { stripe: string; nowMs: number },
): Promise<Compared> {
  const [orders, theirs] = await Promise.all([told, readPiles(stripe, 'disputes')]);
  const ours = orders.flatMap(({ paymentId, disputes }) =>
    disputes.map((dispute) => ({ paymentId, ...dispute })),
  );
  const lines = ours.map(({ paymentId, stage, ...dispute }) => ({
    paymentId,
    line: lineOf({ ...dispute, paymentId, status: stages[stage]?.[0] ?? '' }),
  }));
  const isUnlike = new Set(unlikePiles(theirs, pilesOfLines(lines)));
  const suspect = ours.filter(({ paymentId }) => isUnlike.has(pileNumber(paymentId)));
  const listed = await disputesIn(stripe, [...isUnlike]);
  const expected = new Set(
    suspect.flatMap(({ stage, ...dispute }) =>
      (stages[stage] ?? []).map((status) => lineOf({ ...dispute, status })),
    ),
  );
  const strange = listed.filter(({ line }) => !expected.has(line));
  const moved = strange.length === 0 ? new Set() : await recentlyMoved(stripe, nowMs);
  const known = new Set(listed.map(({ id }) => id));
  return {
    checked: allOf(theirs).count,
    violations: [
      ...strange
        .filter(({ id }) => !moved.has(id))
        .map(({ id, status, amount }) => `dispute ${id} is ${status} over ${amount}, not so here`),
      ...suspect
        .filter(({ disputeId }) => !known.has(disputeId))
        .map(({ disputeId }) => `dispute ${disputeId} is here, the provider knows nothing of it`),
    ],
  };
}

function lineOf(dispute: {
  paymentId: string;
  captureId: string;
  disputeId: string;
  status: string;
  amountMinor: bigint;
  currency: string;
}): string {
  const { paymentId, captureId, disputeId, status, amountMinor, currency } = dispute;
  return [paymentId, captureId, disputeId, status, amountMinor, currency.toLowerCase()].join('|');
}

async function disputesIn(stripe: string, piles: readonly number[]) {
  const disputes: (z.output<typeof TheirDispute> & { line: string })[] = [];
  for (const pile of piles) {
    const url = new URL(`${stripe}/__sandbox/disputes?bucket=${pile}`);
    for (const dispute of await readAll(url, 'disputes', TheirDispute)) {
      const { paymentId, payment_intent, id, status, amount, currency } = dispute;
      const line = [paymentId, payment_intent, id, status, amount, currency].join('|');
      disputes.push({ ...dispute, line });
    }
  }
  return disputes;
}

const DisputeEvent = z.object({
  type: z.string(),
  created: z.int(),
  data: z.object({ object: z.object({ id: z.string() }) }),
});

/** A dispute does not say when it was decided; the event about it does. */
async function recentlyMoved(stripe: string, nowMs: number): Promise<Set<string>> {
  const Counts = z.object({ counts: z.object({ events: z.int() }) });
  const { counts } = Counts.parse(await read(`${stripe}/__sandbox/records?limit=1`));
  const after = Math.max(0, counts.events - 1000);
  const url = new URL(`${stripe}/__sandbox/records/events?after=${after}`);
  const events = await readAll(url, 'records', DisputeEvent);
  return new Set(
    events
      .filter(({ type }) => type.startsWith('charge.dispute.'))
      .filter(({ created }) => nowMs - created * 1000 < patienceMs)
      .map(({ data }) => data.object.id),
  );
}
