import type { OutsideAudit } from '../audit-database.ts';
import type { ExternalHistory } from '../check-cache.ts';
import type { Refund } from '../expected-order.ts';
import { type IdRange, isWithin, readRanges } from '../ranges.ts';
import { slicesOf } from '../slices.ts';
import { ordersOfCaptures, refundsOfAccount } from './account-orders.ts';
import type { Account, Span } from './accounts.ts';
import {
  type Charge,
  type Credited,
  checkCharges,
  checkMissingCharges,
  creditsIn,
  creditsOf,
} from './captures.ts';
import { NoAnswer } from './no-answer.ts';
import { checkMissingRefunds, checkRefunds, refundsOf, type TheirRefund } from './refunds.ts';

/**
 * The maximum number of single lookups for 20,000 orders; with more, the provider's list is
 * considered incomplete.
 */
const singleLookupsMax = 5_000;

interface Comparison {
  audit: OutsideAudit;
  account: Account;
  /** Whether the order lies in a month that is archived or being archived. */
  isArchived: (paymentId: string | null) => boolean;
  nowMs: number;
  add(violations: readonly string[]): void;
}

/**
 * I3: compares the charges and refunds of a provider account with the orders. The provider lists by
 * time; each listed object is looked up here, whatever its order. Captures of ours that are not in
 * the list are requested by id, because they were made in another period than their order.
 */
export async function compareAccount(
  audit: OutsideAudit,
  { range, orders, nowMs }: { range: IdRange; orders: readonly ExternalHistory[]; nowMs: number },
  account: Account,
): Promise<void> {
  const archivedRanges = (await readRanges(audit.query)).filter(
    ({ state }) => state === 'archived' || state === 'moving',
  );
  const comparison: Comparison = {
    audit,
    account,
    nowMs,
    isArchived: (id) => id !== null && archivedRanges.some((part) => isWithin(id, part)),
    add: (texts) => audit.findings.add(texts.map((text) => ({ id: 'I3', text }))),
  };
  for (const slice of await slicesOf(audit.query, range)) {
    const span = spanOf(slice);
    await compareCharges(comparison, slice, span);
    const own = orders.filter(({ paymentId }) => isWithin(paymentId, slice));
    await compareRefunds(comparison, own, span);
  }
}

/** Undefined if the ids belong to no month or to a future month. */
function spanOf({ from, until, month }: IdRange): Span | undefined {
  const momentOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  if (month === undefined || momentOf(from) >= Date.now()) return undefined;
  return { fromMs: momentOf(from), untilMs: Math.min(momentOf(until), Date.now() + 1000) };
}

async function compareCharges(
  { audit: { query, findings }, account, isArchived, nowMs, add }: Comparison,
  slice: IdRange,
  span: Span | undefined,
): Promise<void> {
  const credited = await creditsIn(query, slice, account.name);
  const check = async (page: readonly Charge[]) => {
    const charges = page.filter(({ paymentId }) => !isArchived(paymentId));
    findings.count('I3', charges.length);
    const known: Credited = new Map();
    const strange: Charge[] = [];
    for (const charge of charges) {
      const found = credited.get(charge.payment_intent);
      if (found === undefined) strange.push(charge);
      else known.set(charge.payment_intent, found);
    }
    const others = await creditsOf(query, strange, account.name);
    for (const [captureId, found] of others) known.set(captureId, found);
    for (const { payment_intent } of charges) credited.delete(payment_intent);
    add(checkCharges(charges, known, nowMs));
  };
  if (span !== undefined) for await (const page of account.charges(span)) await check(page);
  if (credited.size > singleLookupsMax)
    throw new NoAnswer(`${credited.size} captures are not listed`);
  for (const captureId of [...credited.keys()]) await check(await account.chargesOf(captureId));
  add(checkMissingCharges(credited));
}

async function compareRefunds(
  { audit: { query, findings }, account, isArchived, nowMs, add }: Comparison,
  orders: readonly ExternalHistory[],
  span: Span | undefined,
): Promise<void> {
  const ours = refundsOf(await refundsOfAccount(query, orders, account.name));
  const seen = new Set<string>();
  const check = async (theirs: readonly TheirRefund[]) => {
    findings.count('I3', theirs.length);
    const strange = theirs.filter(({ id, metadata }) => !ours.has(metadata.refundId ?? id));
    const captures = strange.map(({ payment_intent }) => payment_intent);
    const others = await ordersOfCaptures(query, captures, account.name);
    const known = new Map<string, Refund>([...refundsOf(others), ...ours]);
    const checked: TheirRefund[] = [];
    for (const refund of theirs) {
      const isKnown = known.has(refund.metadata.refundId ?? refund.id);
      if (isKnown || !(await isOfArchived(refund))) checked.push(refund);
    }
    add(checkRefunds(checked, { ours: known, seen, nowMs }));
  };
  const isOfArchived = async ({ payment_intent }: TheirRefund) => {
    const charges = await account.chargesOf(payment_intent);
    return charges.some(({ paymentId }) => isArchived(paymentId));
  };
  if (span !== undefined) for await (const page of account.refunds(span)) await check(page);
  const unseen = [...ours.values()].filter(
    ({ refundId, state }) => state === 'done' && !seen.has(refundId),
  );
  if (unseen.length > singleLookupsMax)
    throw new NoAnswer(`${unseen.length} refunds are not listed`);
  for (const captureId of new Set(unseen.map((refund) => refund.captureId))) {
    const theirs = await account.refundsOf(captureId);
    const names = new Set(unseen.map(({ refundId }) => refundId));
    await check(theirs.filter(({ id, metadata }) => names.has(metadata.refundId ?? id)));
  }
  add(checkMissingRefunds(ours, seen));
}
