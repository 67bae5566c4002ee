import { z } from 'zod';
import type { ExternalHistory } from '../../auditor/src/check-cache.ts';
import type { Query } from '../../auditor/src/database.ts';
import { gracePeriodMs } from '../../auditor/src/invariant.ts';
import {
  checkCharges,
  checkMissingCharges,
  creditsIn,
} from '../../auditor/src/outside/captures.ts';
import { checkMissingRefunds, checkRefunds, refundsOf } from '../../auditor/src/outside/refunds.ts';
import type { IdRange } from '../../auditor/src/ranges.ts';
import type { Compared } from './compared.ts';
import { type Provider, read, readAll, readRange } from './outside.ts';

/** The payment providers, and the time before which nothing counts as still in progress. */
interface Counterparts {
  providers: readonly Provider[];
  nowMs: number;
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

/** I3: every charge has exactly one credit of one order, and every credit has a charge. */
export async function compareCaptures(
  query: Query,
  range: IdRange,
  { providers, nowMs }: Counterparts,
): Promise<Compared> {
  const [credited, listed] = await Promise.all([
    creditsIn(query, range),
    listedIn(providers, { kind: 'charges', record: Charge, range }),
  ]);
  // Pending and failed charges have not taken money.
  const charges = listed.filter(({ status }) => status === 'succeeded');
  const violations = [...checkCharges(charges, credited, nowMs), ...checkMissingCharges(credited)];
  return { checked: charges.length, violations };
}

/** The providers' records of a kind for some orders. */
async function listedIn<Listed>(
  providers: readonly Provider[],
  wanted: { kind: string; record: z.ZodType<Listed>; range: IdRange },
): Promise<Listed[]> {
  const listed = await Promise.all(providers.map(({ url }) => readRange(url, wanted)));
  return listed.flat();
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

/** I3: every refund of the provider is in our books, and vice versa. */
export async function compareRefunds(
  orders: readonly ExternalHistory[],
  range: IdRange,
  { providers, nowMs }: Counterparts,
): Promise<Compared> {
  const theirs = await listedIn(providers, { kind: 'refunds', record: TheirRefund, range });
  const ours = refundsOf(orders);
  const seen = new Set<string>();
  const violations = [
    ...checkRefunds(theirs, { ours, seen, nowMs }),
    ...checkMissingRefunds(ours, seen),
  ];
  return { checked: theirs.length, violations };
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

/** I3: every dispute of the provider is in our books at the same stage, and vice versa. */
export async function compareDisputes(
  orders: readonly ExternalHistory[],
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

/** Disputes have no decision time, so it is taken from their latest event. */
async function recentlyMoved(providers: readonly Provider[], nowMs: number): Promise<Set<string>> {
  const events = await Promise.all(providers.map(({ url }) => lastEvents(url)));
  return new Set(
    events
      .flat()
      .filter(({ created }) => nowMs - created * 1000 < gracePeriodMs)
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
