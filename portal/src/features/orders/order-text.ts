import {
  type OrderDetail,
  type OrderSummary,
  recordLabels,
  type ShownStatus,
  type TimelineStep,
} from '@pointgate/contract/orders.ts';
import type { ParseKeys } from 'i18next';
import type { Format } from '../../shared/i18n/format.ts';

type TextKey = Extract<ParseKeys, `order.text.${string}`>;
type StepKey = Extract<ParseKeys, `order.step.${string}`>;

/** The goods of the order, including the gift. */
export function goodsOf(format: Format, order: OrderSummary): string {
  return quantityOf(format, order, order.quantity + order.giftQuantity);
}

/** A quantity with its unit: E Points have a translated name. */
export function quantityOf(format: Format, order: OrderSummary, quantity: bigint): string {
  return order.kind === 'points'
    ? format.points(quantity)
    : `${format.number(quantity)} ${order.unit}`;
}

/** The recipient: a role on a server; empty for E Points, which belong to the account. */
export function recipientOf({ roleName, serverName }: OrderSummary): string {
  return [roleName, serverName].filter((name) => name !== null).join(' · ');
}

/** Whether a mismatched payment is in manual review, so that the player must not pay again. */
export function isHeldForReview({ shown, isInReview }: OrderDetail): boolean {
  return shown === 'Processing' && isInReview;
}

/** The status labels on all pages: those of the recharge record, except for Unpaid. */
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

/** The explanation of the status. */
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

/** The label of a timeline step. */
export function stepText({ kind }: OrderDetail, step: TimelineStep['step']): StepKey {
  if (kind === 'points' && step === 'arrived') return 'order.step.pointsArrived';
  return `order.step.${step}`;
}

function isChargedBack({ refunds }: OrderDetail): boolean {
  return refunds.some(({ reason, state }) => reason === 'chargeback' && state === 'done');
}
