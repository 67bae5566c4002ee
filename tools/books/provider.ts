import { z } from 'zod';
import type { Abroad } from '../../auditor/src/court.ts';
import type { Query } from '../../auditor/src/database.ts';
import { patienceMs } from '../../auditor/src/invariant.ts';
import type { Refund } from '../../auditor/src/order-story.ts';
import { type IdRange, idsIn } from '../../auditor/src/ranges.ts';
import { type Provider, read, readAll, readRange } from './outside.ts';

/** The payment providers, and from when on nothing can still be under way. */
interface Counterparts {
  providers: readonly Provider[];
  nowMs: number;
}

/** What was compared with the providers, and what is not the same there and here. */
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
  status: z.string().default('succeeded'),
});

const isCapture = `posting like 'captured:%'`;

/** I3: every charge is one credit of one order, and every credit a charge. */
export async function compareCaptures(
  query: Query,
  range: IdRange,
  { providers, nowMs }: Counterparts,
): Promise<Compared> {
  const [ours, listed] = await Promise.all([
    creditsIn(query, range),
    listedIn(providers, { kind: 'charges', record: Charge, range }),
  ]);
  // Money that is still being looked at, or was refused, is none.
  const charges = listed.filter(({ status }) => status === 'succeeded');
  return { checked: charges.length, violations: judgeCaptures(charges, ours, nowMs) };
}

/** What the providers have of a kind for some orders. */
async function listedIn<Listed>(
  providers: readonly Provider[],
  wanted: { kind: string; record: z.ZodType<Listed>; range: IdRange },
): Promise<Listed[]> {
  const listed = await Promise.all(providers.map(({ url }) => readRange(url, wanted)));
  return listed.flat();
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
async function creditsIn(query: Query, range: IdRange): Promise<Credit[]> {
  const rows = await query(
    `select origin_id, unit, sum(amount_minor),
            regexp_replace(substr(posting, 10), ':[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$', '') as capture_id
     from ledger_transfers where ${isCapture} and ${idsIn('origin_id', range)}
     group by account_id, origin_id, unit, capture_id`,
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

/** A refund of ours, with the order that it is of. */
interface OurRefund {
  refund: Refund;
  order: Abroad;
}

/** I3: every refund there is one here, and back. */
export async function compareRefunds(
  orders: readonly Abroad[],
  range: IdRange,
  { providers, nowMs }: Counterparts,
): Promise<Compared> {
  const theirs = await listedIn(providers, { kind: 'refunds', record: TheirRefund, range });
  const ours = orders.flatMap((order) =>
    order.refunds
      .filter(({ currency }) => currency !== 'EPOINT')
      .map((refund) => ({ refund, order })),
  );
  return { checked: theirs.length, violations: judgeRefunds(theirs, ours, nowMs) };
}

function judgeRefunds(
  theirs: readonly z.output<typeof TheirRefund>[],
  known: readonly OurRefund[],
  nowMs: number,
): string[] {
  const ours = new Map(known.map((one) => [one.refund.refundId, one]));
  const violations: string[] = [];
  const seen = new Set<string>();
  for (const refund of theirs) {
    const { refundId } = refund.metadata;
    // Of two that bear one id of ours the first is what we asked for.
    const name = refundId === undefined || seen.has(refundId) ? refund.id : refundId;
    seen.add(name);
    const own = ours.get(name);
    const isUnderWay = nowMs - refund.created * 1000 < patienceMs;
    if (!isUnderWay) violations.push(...judgeRefund(refund, own));
  }
  for (const [refundId, { refund }] of ours) {
    if (refund.state === 'done' && !seen.has(refundId)) {
      violations.push(`refund ${refundId} is done here, the provider knows nothing of it`);
    }
  }
  return violations;
}

function judgeRefund(theirs: z.output<typeof TheirRefund>, known: OurRefund | undefined): string[] {
  const { id, status, amount, currency } = theirs;
  if (known === undefined) {
    // One that came to nothing elsewhere never was.
    return status === 'succeeded' ? [`refund ${id} is not in our books`] : [];
  }
  const { refund } = known;
  // We go on asking about it, and whoever stops asking is found by that.
  if (refund.state === 'pending') return [];
  const isDone = refund.state === 'done';
  const is = `${amount} ${currency.toUpperCase()} of ${theirs.payment_intent}`;
  const says = `${refund.amountMinor} ${refund.currency} of ${refund.captureId}`;
  if (isDone !== (status === 'succeeded')) {
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
  orders: readonly Abroad[],
  range: IdRange,
  { providers, nowMs }: Counterparts,
): Promise<Compared> {
  const listed = await listedIn(providers, { kind: 'disputes', record: TheirDispute, range });
  const ours = orders.flatMap(({ paymentId, disputes }) =>
    disputes.map((dispute) => ({ paymentId, ...dispute })),
  );
  const expected = new Set(
    ours.flatMap(({ paymentId, stage, ...dispute }) =>
      (stages[stage] ?? []).map(
        (status) => `${paymentId}|${lineOfDispute({ ...dispute, status })}`,
      ),
    ),
  );
  const strange = listed.filter(({ paymentId, payment_intent, id, ...dispute }) => {
    const { status, amount, currency } = dispute;
    return !expected.has([paymentId, payment_intent, id, status, amount, currency].join('|'));
  });
  const moved = strange.length === 0 ? new Set() : await recentlyMoved(providers, nowMs);
  const known = new Set(listed.map(({ id }) => id));
  return {
    checked: listed.length,
    violations: [
      ...strange
        .filter(({ id }) => !moved.has(id))
        .map(({ id, status, amount }) => `dispute ${id} is ${status} over ${amount}, not so here`),
      ...ours
        .filter(({ disputeId }) => !known.has(disputeId))
        .map(({ disputeId }) => `dispute ${disputeId} is here, the provider knows nothing of it`),
    ],
  };
}

function lineOfDispute(dispute: {
  captureId: string;
  disputeId: string;
  status: string;
  amountMinor: bigint;
  currency: string;
}): string {
  const { captureId, disputeId, status, amountMinor, currency } = dispute;
  return [captureId, disputeId, status, amountMinor, currency.toLowerCase()].join('|');
}

const MoneyEvent = z.object({
  created: z.int(),
  data: z.object({ object: z.object({ id: z.string() }) }),
});

/** A dispute does not say when it was decided; the event about it does. */
async function recentlyMoved(providers: readonly Provider[], nowMs: number): Promise<Set<string>> {
  const events = await Promise.all(providers.map(({ url }) => lastEvents(url)));
  return new Set(
    events
      .flat()
      .filter(({ created }) => nowMs - created * 1000 < patienceMs)
      .map(({ data }) => data.object.id),
  );
}

async function lastEvents(url: string): Promise<z.output<typeof MoneyEvent>[]> {
  const Counts = z.object({ counts: z.object({ events: z.int() }) });
  const { counts } = Counts.parse(await read(`${url}/__sandbox/records?limit=1`));
  const after = Math.max(0, counts.events - 1000);
  const place = new URL(`${url}/__sandbox/records/events?after=${after}`);
  return await readAll(place, 'records', MoneyEvent);
}
