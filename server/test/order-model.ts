import type { Price } from '@pointgate/contract/money.ts';
import type { Fact, FactOf } from '../src/money/orders/order-fact.ts';
import type { ReviewReason } from '../src/money/orders/order-money.ts';
import type { OrderState } from '../src/money/orders/order-state.ts';

/** The state of an order according to this independent model. */
export interface ModelOrder {
  state: OrderState;
  lossMinor: bigint;
  pendingLossMinor: bigint;
  surplusMinor: bigint;
  reviewReason: ReviewReason | null;
  isDisputed: boolean;
  /** The captures with their refundable amounts. */
  refundable: string;
}

/**
 * A second implementation of order states, written from the specification and not from the code:
 * facts are recorded one after the other, and the money is computed by moving it between two
 * accounts, one for the price and one for the surplus.
 */
export function modelOf(due: Price, told: readonly Fact[]): ModelOrder {
  const notebook: Notebook = {
    due,
    pages: new Map(),
    lines: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    openRounds: new Map(),
    isExpired: false,
    isDelivered: false,
    isRevoked: false,
  };
  for (const fact of told) writeDown(notebook, fact);
  const count = countMoney(notebook);
  return {
    state: count.isPaid ? stateOfPaid(notebook, count) : stateOfUnpaid(notebook),
    lossMinor: count.isPaid ? due.amountMinor - count.priceBox : 0n,
    pendingLossMinor: count.onItsWayBack,
    surplusMinor: count.paidAgain > 0n ? count.paidAgain : 0n,
    reviewReason: reviewOf(notebook),
    isDisputed: count.isDisputed,
    refundable: refundableOf(notebook),
  };
}

interface Notebook {
  due: Price;
  pages: Map<string, { isOurs: boolean; isOver: boolean }>;
  /** One for each reported capture. */
  lines: Map<string, Line>;
  refunds: Map<string, RefundSlips>;
  disputes: Map<string, DisputeSlips>;
  /** Stuck delivery rounds, and whether they were resumed. */
  openRounds: Map<number, { isStuck: boolean; isResumed: boolean }>;
  isExpired: boolean;
  isDelivered: boolean;
  isRevoked: boolean;
}

interface Line {
  captureId: string;
  attemptId: string;
  currency: string;
  received: bigint;
  isExact: boolean;
  gone: bigint;
  bound: bigint;
}

interface Slip {
  captureId: string;
  currency: string;
  amountMinor: bigint;
}

interface RefundSlips {
  asked?: FactOf<'refund_requested'>;
  done?: Slip;
  failed?: Slip;
  returned?: Slip;
}

type DisputeSlips = Partial<Record<FactOf<'disputed'>['stage'], Slip>>;

function writeDown(notebook: Notebook, fact: Fact): void {
  switch (fact.type) {
    case 'attempt_opened':
      entry(notebook.pages, fact.attemptId, newPage).isOurs = true;
      break;
    case 'attempt_declined':
    case 'attempt_closed':
      entry(notebook.pages, fact.attemptId, newPage).isOver = true;
      break;
    case 'captured': {
      const line = entry(notebook.lines, nameOf(fact), () => newLine(fact));
      if (fact.amountMinor > line.received) line.received = fact.amountMinor;
      if (fact.amountMinor === notebook.due.amountMinor) line.isExact = true;
      break;
    }
    case 'refund_requested':
      entry<RefundSlips>(notebook.refunds, fact.refundId, () => ({})).asked = fact;
      break;
    case 'refund_settled': {
      const slips = entry<RefundSlips>(notebook.refunds, fact.refundId, () => ({}));
      slips[fact.outcome] = larger(slips[fact.outcome], fact);
      break;
    }
    case 'disputed': {
      const slips = entry<DisputeSlips>(notebook.disputes, fact.disputeId, () => ({}));
      slips[fact.stage] = larger(slips[fact.stage], fact);
      break;
    }
    case 'delivery_stuck':
      entry(notebook.openRounds, fact.round, newRound).isStuck = true;
      break;
    case 'delivery_resumed':
      entry(notebook.openRounds, fact.round, newRound).isResumed = true;
      break;
    case 'expired':
      notebook.isExpired = true;
      break;
    case 'delivered':
      notebook.isDelivered = true;
      break;
    case 'revoked':
      notebook.isRevoked = true;
      break;
    default:
  }
}

interface Count {
  isPaid: boolean;
  /** The price once it is paid, less its refunds. */
  priceBox: bigint;
  spareBox: bigint;
  onItsWayBack: bigint;
  /** Surplus captures that were neither refunded nor taken. */
  paidAgain: bigint;
  isDisputed: boolean;
}

function countMoney(notebook: Notebook): Count {
  const { due } = notebook;
  const payments = new Map<string, bigint>();
  for (const line of notebook.lines.values()) {
    if (!isPayment(notebook, line)) continue;
    const known = payments.get(line.captureId);
    if (known === undefined || line.received > known) payments.set(line.captureId, line.received);
  }
  const isPaid = payments.size > 0;
  const count: Count = {
    isPaid,
    priceBox: isPaid ? due.amountMinor : 0n,
    spareBox: isPaid ? -due.amountMinor : 0n,
    onItsWayBack: 0n,
    paidAgain: isPaid ? -due.amountMinor : 0n,
    isDisputed: false,
  };
  for (const amount of payments.values()) {
    count.spareBox += amount;
    count.paidAgain += due.amountMinor;
  }
  for (const slips of notebook.refunds.values()) countRefund(notebook, count, slips);
  for (const slips of notebook.disputes.values()) countDispute(notebook, count, slips);
  return count;
}

function countRefund(notebook: Notebook, count: Count, slips: RefundSlips): void {
  const { asked, failed, returned } = slips;
  // A returned refund does not count as done, whatever was reported before.
  const done = returned === undefined ? slips.done : undefined;
  const slip = asked ?? done ?? failed ?? returned;
  if (slip === undefined) return;
  const { amountMinor } = slip;
  const isPending = done === undefined && failed === undefined && returned === undefined;
  const isOfPayment = strikeOut(notebook, slip, {
    gone: done === undefined ? 0n : amountMinor,
    bound: isPending ? amountMinor : 0n,
  });
  if (!isOfPayment) return;
  switch (asked?.reason) {
    case undefined:
      if (done !== undefined) takeWithoutAsking(count, amountMinor);
      break;
    case 'duplicate':
      // A surplus is refunded once, whatever the result.
      count.paidAgain -= amountMinor;
      if (done !== undefined) takeFromSpareFirst(count, amountMinor);
      break;
    case 'misfit':
      if (done !== undefined) takeFromSpareFirst(count, amountMinor);
      break;
    default:
      if (done !== undefined) count.priceBox -= amountMinor;
      if (isPending) count.onItsWayBack += amountMinor;
  }
}

function countDispute(
  notebook: Notebook,
  count: Count,
  { open, won, lost, reinstated }: DisputeSlips,
): void {
  if (reinstated !== undefined) return;
  if (lost !== undefined) {
    const isOfPayment = strikeOut(notebook, lost, { gone: lost.amountMinor, bound: 0n });
    if (isOfPayment) takeWithoutAsking(count, lost.amountMinor);
  } else if (open !== undefined && won === undefined) {
    count.isDisputed = true;
    strikeOut(notebook, open, { gone: 0n, bound: open.amountMinor });
  }
}

/**
 * Subtracts refunded and held amounts from the line of their capture; returns whether a line pays.
 */
function strikeOut(
  notebook: Notebook,
  slip: Slip,
  { gone, bound }: { gone: bigint; bound: bigint },
): boolean {
  let isOfPayment = false;
  for (const line of notebook.lines.values()) {
    if (line.captureId !== slip.captureId || line.currency !== slip.currency) continue;
    line.gone += gone;
    line.bound += bound;
    if (isPayment(notebook, line)) isOfPayment = true;
  }
  return isOfPayment;
}

function takeWithoutAsking(count: Count, amountMinor: bigint): void {
  count.paidAgain -= amountMinor;
  takeFromSpareFirst(count, amountMinor);
}

function takeFromSpareFirst(count: Count, amountMinor: bigint): void {
  if (amountMinor <= count.spareBox) {
    count.spareBox -= amountMinor;
    return;
  }
  count.priceBox -= amountMinor - count.spareBox;
  count.spareBox = 0n;
}

function isPayment({ pages, due }: Notebook, line: Line): boolean {
  return (
    pages.get(line.attemptId)?.isOurs === true && line.currency === due.currency && line.isExact
  );
}

function stateOfPaid(notebook: Notebook, { priceBox, onItsWayBack }: Count): OrderState {
  if (priceBox <= 0n) return 'refunded';
  if (onItsWayBack > 0n && priceBox <= onItsWayBack) return 'refunding';
  if (notebook.isRevoked) return 'refunding'; // a revoked order is not delivered again, so its money is refunded
  if (notebook.isDelivered) return 'arrived';
  for (const { isStuck, isResumed } of notebook.openRounds.values()) {
    if (isStuck && !isResumed) return 'stuck';
  }
  for (const { asked } of notebook.refunds.values()) {
    if (asked?.reason === 'over_limit') return 'stuck';
  }
  return 'paid';
}

function stateOfUnpaid({ pages, lines, isExpired }: Notebook): OrderState {
  const moneyCameFor = new Set([...lines.values()].map(({ attemptId }) => attemptId));
  for (const [attemptId, { isOurs, isOver }] of pages) {
    if (isOurs && !isOver && !moneyCameFor.has(attemptId)) return 'paying';
  }
  if (isExpired) return 'closed';
  for (const { gone, received } of lines.values()) if (gone < received) return 'paying';
  return 'created';
}

function reviewOf({ due, pages, lines }: Notebook): ReviewReason | null {
  const reasons = new Set<ReviewReason>();
  for (const line of lines.values()) {
    if (line.gone >= line.received) continue;
    if (pages.get(line.attemptId)?.isOurs !== true) reasons.add('unknown_attempt');
    else if (line.currency !== due.currency) reasons.add('wrong_currency');
    else if (line.received > due.amountMinor) reasons.add('overpaid');
    else if (line.received < due.amountMinor) reasons.add('underpaid');
  }
  const worstFirst = ['unknown_attempt', 'wrong_currency', 'underpaid', 'overpaid'] as const;
  return worstFirst.find((reason) => reasons.has(reason)) ?? null;
}

function refundableOf({ lines }: Notebook): string {
  const texts: string[] = [];
  for (const [name, { received, gone, bound }] of lines) {
    const left = received - gone - bound;
    texts.push(`${name} ${left > 0n ? left : 0n}`);
  }
  return texts.sort().join();
}

function entry<Value>(all: Map<string, Value>, key: string, make: () => Value): Value;
function entry<Value>(all: Map<number, Value>, key: number, make: () => Value): Value;
function entry<Key, Value>(all: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = all.get(key);
  if (known !== undefined) return known;
  const made = make();
  all.set(key, made);
  return made;
}

const newPage = () => ({ isOurs: false, isOver: false });
const newRound = () => ({ isStuck: false, isResumed: false });

function newLine({ captureId, attemptId, currency }: FactOf<'captured'>): Line {
  const nothing = { received: 0n, gone: 0n, bound: 0n, isExact: false };
  return { captureId, attemptId, currency, ...nothing };
}

function nameOf(line: { captureId: string; attemptId: string; currency: string }): string {
  return `${line.captureId}:${line.attemptId}:${line.currency}`;
}

/**
 * Of two different reports of the same refund or dispute the larger; if equal, the first by name.
 */
function larger(known: Slip | undefined, heard: Slip): Slip {
  if (known === undefined || heard.amountMinor > known.amountMinor) return heard;
  if (heard.amountMinor < known.amountMinor) return known;
  const name = ({ captureId, currency }: Slip) => `${captureId}:${currency}`;
  return name(heard) < name(known) ? heard : known;
}
