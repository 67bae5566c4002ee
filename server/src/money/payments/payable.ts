import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import { AppError } from '../../platform/errors.ts';
import type { Order } from '../orders/orders.ts';
import type { PaymentProvider } from '../psp/psp.ts';
import type { AttemptRow } from './payments.queries.ts';

// Whether an order can still be paid, until when, and by which action.

export function isPayable(order: Order): boolean {
  const isOpen = order.state === 'created' || order.state === 'paying';
  // An order in review already has money, about which an operator decides.
  return isOpen && order.expire_at > new Date() && order.review_reason === null;
}

export function requirePayable(order: Order): void {
  if (!isPayable(order)) throw new AppError('OrderNotPayable');
}

/** The next action of the browser; null if the provider has to be called for a new one. */
export function openAction({ action, action_ends_at: endsAt }: AttemptRow): PaymentAction | null {
  const isOver = endsAt !== null && endsAt <= new Date();
  return isOver ? null : action;
}

/** The provider's page closes with the order, as far as the provider allows. */
export function pageExpiry(order: Order, { capabilities }: PaymentProvider): Date {
  const { openSeconds } = capabilities;
  const now = Date.now();
  const earliest = now + openSeconds.min * 1000;
  const latest = now + openSeconds.max * 1000;
  return new Date(Math.min(latest, Math.max(earliest, order.expire_at.getTime())));
}
