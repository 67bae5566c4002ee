import {
  type OrderDetail,
  type OrderSummary,
  recordLabels,
  type ShownStatus,
  type TimelineStep,
} from '@pointgate/contract/orders.ts';
import type { ParseKeys } from 'i18next';
import type { Format } from '../i18n/format.ts';

type TextKey = Extract<ParseKeys, `order.text.${string}`>;
type StepKey = Extract<ParseKeys, `order.step.${string}`>;

/** What the order brings, gift included. */
export function goodsOf(format: Format, order: OrderSummary): string {
  return quantityOf(format, order, order.quantity + order.giftQuantity);
}

/** So many of what the order is about: points have a name of their own in every language. */
export function quantityOf(format: Format, order: OrderSummary, quantity: bigint): string {
  return order.kind === 'points'
    ? format.points(quantity)
    : `${format.number(quantity)} ${order.unit}`;
}

/** Who gets it: a role on a server; points belong to the account and need no name. */
export function recipientOf({ roleName, serverName }: OrderSummary): string {
  return [roleName, serverName].filter((name) => name !== null).join(' · ');
}

/** The money that came does not fit. People look at it; the player must not send more. */
export function isHeldForReview({ shown, isInReview }: OrderDetail): boolean {
  return shown === 'Processing' && isInReview;
}

/** An order has one status wherever it is shown. The words are those of its record, but for Unpaid. */
export const statusLabels = {
  Unpaid: 'order.status.Unpaid',
  Processing: recordLabels[1],
  Paid: recordLabels[2],
  PaymentFailed: recordLabels[3],
  Fulfilled: recordLabels[4],
  Refunded: recordLabels[5],
} as const satisfies Record<ShownStatus, ParseKeys>;

const itemTexts: Record<ShownStatus, TextKey> = {
  Unpaid: 'order.text.Unpaid',
  Processing: 'order.text.Processing',
  Paid: 'order.text.Paid',
  Fulfilled: 'order.text.Fulfilled',
  PaymentFailed: 'order.text.PaymentFailed',
  Refunded: 'order.text.Refunded',
};

const pointsTexts: Record<ShownStatus, TextKey> = {
  ...itemTexts,
  Paid: 'order.text.pointsPaid',
  Fulfilled: 'order.text.pointsFulfilled',
  Refunded: 'order.text.pointsRefunded',
};

/** Where the order stands, in a sentence or two. */
export function statusText(order: OrderDetail): TextKey {
  const { shown, status, kind, method } = order;
  if (isHeldForReview(order)) return 'order.text.review';
  if (shown === 'Paid' && order.isDeliveryDelayed) return 'order.text.delayed';
  if (shown === 'Processing' && status === 'FullyPaid') return 'order.text.refunding';
  if (shown === 'Refunded' && isChargedBack(order)) {
    return kind === 'points' ? 'order.text.pointsChargedBack' : 'order.text.chargedBack';
  }
  if (method === 'epoint' && shown === 'Refunded') return 'order.text.refundedToBalance';
  if (method === 'epoint' && shown === 'PaymentFailed') return 'order.text.expiredUnspent';
  return (kind === 'points' ? pointsTexts : itemTexts)[shown];
}

/** What happened, in a few words. */
export function stepText({ kind }: OrderDetail, step: TimelineStep['step']): StepKey {
  if (kind === 'points' && step === 'arrived') return 'order.step.pointsArrived';
  return `order.step.${step}`;
}

function isChargedBack({ refunds }: OrderDetail): boolean {
  return refunds.some(({ reason, state }) => reason === 'chargeback' && state === 'done');
}
