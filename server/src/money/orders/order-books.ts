import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { Tx } from '../../platform/db.ts';
import { postTransfer } from '../ledger/ledger.ts';
import {
  deferTopUp,
  giveBackPoints,
  grantTopUp,
  keepOfTopUp,
  setTopUpFrozen,
} from '../points/points.ts';
import type { Capture, Dispute, Refund } from './order-money.ts';
import type { Projection } from './order-state.ts';
import { type OrderRow, selectPsp } from './orders.queries.ts';

/** The projections of an order before and after new facts; `version` is that of the later one. */
export interface Step {
  order: OrderRow;
  before: Projection;
  after: Projection;
  version: number;
}

/**
 * Posts a step to the ledger. Every posting is the difference between two projections, so the
 * balances depend only on the set of facts, as the state does, and not on the order in which facts
 * arrive.
 */
export async function postStep(tx: Tx, step: Step): Promise<void> {
  const { after } = step;
  for (const capture of after.money.captures) await postCapture(tx, step, capture);
  for (const refund of after.money.refunds) await postRefund(tx, step, refund);
  for (const dispute of after.money.disputes) await postDispute(tx, step, dispute);
  await postSale(tx, step);
  if (step.order.kind === 'points') await postTopUp(tx, step);
}

type Books = Pick<Parameters<typeof postTransfer>[1], 'debit' | 'credit'>;

async function post(
  tx: Tx,
  step: Step,
  { captureId, ...transfer }: Books & { posting: string; money: Price; captureId?: string },
): Promise<void> {
  if (transfer.money.amountMinor === 0n) return;
  await postTransfer(tx, {
    accountId: step.order.account_id,
    originId: step.order.payment_id,
    psp: captureId === undefined ? null : await pspOf(tx, step, captureId),
    ...transfer,
  });
}

/** The provider contract that holds a capture; null if the payment attempt is unknown. */
async function pspOf(tx: Tx, { order, after }: Step, captureId: string): Promise<string | null> {
  const capture = after.money.captures.find((known) => known.captureId === captureId);
  return capture === undefined ? null : ((await selectPsp(tx, order, capture.attemptId)) ?? null);
}

/**
 * Posts every capture, even one that does not match the order. If a provider reports several
 * amounts for a capture, the largest counts, as it does for the order's state.
 */
async function postCapture(tx: Tx, step: Step, capture: Capture): Promise<void> {
  // A spend of points has already posted its own transfer.
  if (capture.currency === pointsUnit) return;
  const { captureId, attemptId, currency, amountMinor } = capture;
  const known = step.before.money.captures.filter((other) => other.captureId === captureId);
  const same = known.find((other) => other.attemptId === attemptId && other.currency === currency);
  const twins = step.after.money.captures.filter((other) => other.captureId === captureId);
  const isFirst = known.length === 0 && twins[0] === capture;
  await post(tx, step, {
    posting: isFirst
      ? `captured:${captureId}`
      : `captured:${captureId}:${attemptId}:${currency}:${amountMinor}`,
    debit: 'house:psp',
    credit: 'player:deposit',
    money: { amountMinor: amountMinor - (same?.amountMinor ?? 0n), currency },
    captureId,
  });
}

/** Reverses the capture: money at its provider, points in the wallet. */
async function postRefund(tx: Tx, step: Step, refund: Refund): Promise<void> {
  const known = step.before.money.refunds.find(({ refundId }) => refundId === refund.refundId);
  const [before, after] = [ifDone(known), ifDone(refund)];
  const posting = `refund:${refund.refundId}`;
  if (after?.currency !== pointsUnit) {
    await postChange(tx, step, {
      posting: before === undefined ? posting : `${posting}:${step.version}`,
      debit: 'player:deposit',
      credit: 'house:psp',
      captureId: refund.captureId,
      before,
      after,
    });
  } else if (before === undefined) {
    await giveBackPoints(tx, {
      accountId: step.order.account_id,
      originId: step.order.payment_id,
      posting,
      points: after.amountMinor,
    });
  }
}

function ifDone(refund: Refund | undefined): Price | undefined {
  return refund?.state === 'done' ? refund : undefined;
}

/** Holds the money while a dispute is open; a lost dispute returns it to the player. */
async function postDispute(tx: Tx, step: Step, dispute: Dispute): Promise<void> {
  const known = step.before.money.disputes.find(({ disputeId }) => disputeId === dispute.disputeId);
  const at = (stage: Dispute['stage']) => ({
    before: known?.stage === stage ? known : undefined,
    after: dispute.stage === stage ? dispute : undefined,
  });
  const posting = `dispute:${dispute.disputeId}:${step.version}`;
  const { captureId } = dispute;
  await postChange(tx, step, {
    posting: `${posting}:held`,
    debit: 'house:disputed',
    credit: 'house:psp',
    captureId,
    ...at('open'),
  });
  await postChange(tx, step, {
    posting: `${posting}:lost`,
    debit: 'player:deposit',
    credit: 'house:psp',
    captureId,
    ...at('lost'),
  });
}

/** A sale is the part of the price that was delivered, not revoked and not refunded. */
async function postSale(tx: Tx, step: Step): Promise<void> {
  const { order, before, after } = step;
  const soldBy = (projection: Projection) => ({
    amountMinor: soldMinor(order, projection),
    currency: order.currency,
  });
  await postChange(tx, step, {
    posting: `sale:${step.version}`,
    debit: 'player:deposit',
    credit: 'house:sales',
    before: soldBy(before),
    after: soldBy(after),
  });
}

/** Posts the difference between two amounts of a pair of books, reversed if the amount shrank. */
async function postChange(
  tx: Tx,
  step: Step,
  change: Books & {
    posting: string;
    before: Price | undefined;
    after: Price | undefined;
    captureId?: string;
  },
): Promise<void> {
  const { posting, debit, credit, before, after, captureId } = change;
  const isInOther =
    before !== undefined && after !== undefined && before.currency !== after.currency;
  if (isInOther) {
    await postChange(tx, step, {
      ...change,
      posting: `${posting}:${before.currency}`,
      after: undefined,
    });
    await postChange(tx, step, { ...change, before: undefined });
    return;
  }
  const currency = (after ?? before)?.currency;
  if (currency === undefined) return;
  const deltaMinor = (after?.amountMinor ?? 0n) - (before?.amountMinor ?? 0n);
  const isBack = deltaMinor < 0n;
  await post(tx, step, {
    posting,
    debit: isBack ? credit : debit,
    credit: isBack ? debit : credit,
    money: { amountMinor: isBack ? -deltaMinor : deltaMinor, currency },
    ...(captureId === undefined ? {} : { captureId }),
  });
}

function soldMinor(order: OrderRow, { isDelivered, isTakenBack, money }: Projection): bigint {
  if (!isDelivered || isTakenBack || !money.isPaid) return 0n;
  return atLeastZero(order.amount_minor - money.lossMinor);
}

/**
 * Keeps the points of a top-up in line with its money. Points are taken back when a refund is
 * requested and not when it is done, so that they cannot be spent meanwhile; a failed refund
 * returns them.
 */
async function postTopUp(tx: Tx, step: Step): Promise<void> {
  const { order, before, after, version } = step;
  const origin = { accountId: order.account_id, originId: order.payment_id };
  if (after.isDelivered && !before.isDelivered) {
    const giftDays = order.snapshot.giftDays;
    await grantTopUp(tx, {
      ...origin,
      ...pointsOf(order),
      presentExpiresAt: giftDays === null ? null : daysFromNow(giftDays),
    });
  }
  if (!after.isDelivered) return;
  const kept = keptPoints(order, after);
  const keptBefore = before.isDelivered ? keptPoints(order, before) : pointsOf(order);
  if (kept.basic !== keptBefore.basic || kept.present !== keptBefore.present) {
    await keepOfTopUp(tx, { ...origin, posting: `keep:${version}`, ...kept });
  }
  await postDeferral(tx, step);
  const wasFrozen = before.isDelivered && before.money.isDisputed;
  if (after.money.isDisputed !== wasFrozen) {
    await setTopUpFrozen(tx, { ...origin, isFrozen: after.money.isDisputed });
  }
}

/** Updates the deferred revenue, which depends on the sale and on the points that are left. */
async function postDeferral(tx: Tx, { order, before, after }: Step): Promise<void> {
  if (order.currency === pointsUnit) return;
  const now = priceOf(order, after);
  const earlier = before.isDelivered ? priceOf(order, before) : undefined;
  // Spent gift points are claimed from bought points, so a change of gift points changes both.
  const isSame =
    earlier?.soldMinor === now.soldMinor &&
    earlier.keptMinor === now.keptMinor &&
    earlier.keptPoints === now.keptPoints &&
    keptPoints(order, before).present === keptPoints(order, after).present;
  if (!isSame) await defer(tx, order, { isNew: earlier === undefined, ...now });
}

/** Recomputes the deferred revenue of a top-up and posts the difference, if there is any. */
export async function correctDeferral(tx: Tx, order: OrderRow, now: Projection): Promise<void> {
  await defer(tx, order, { isNew: false, ...priceOf(order, now) });
}

async function defer(
  tx: Tx,
  order: OrderRow,
  price: ReturnType<typeof priceOf> & { isNew: boolean },
): Promise<void> {
  const { account_id: accountId, payment_id: originId, currency } = order;
  await deferTopUp(tx, { accountId, originId, currency, ...price });
}

function priceOf(order: OrderRow, projection: Projection) {
  const sold = soldMinor(order, projection);
  const stays = atLeastZero(sold - projection.money.pendingLossMinor);
  return { soldMinor: sold, keptMinor: stays, keptPoints: keptPoints(order, projection).basic };
}

function pointsOf({ snapshot, pack_count }: OrderRow) {
  const packs = BigInt(pack_count);
  return {
    basic: BigInt(snapshot.quantity) * packs,
    present: BigInt(snapshot.giftQuantity) * packs,
  };
}

/** The points in proportion to the money that is kept, rounded down to whole points. */
function keptPoints(order: OrderRow, { money }: Projection) {
  const goingMinor = money.lossMinor + money.pendingLossMinor;
  const keptMinor = atLeastZero(order.amount_minor - goingMinor);
  const { basic, present } = pointsOf(order);
  const share = (points: bigint) => (points * keptMinor) / order.amount_minor;
  return { basic: share(basic), present: share(present) };
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 24 * 60 * 60_000);
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
