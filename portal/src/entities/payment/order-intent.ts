import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import type { createOrder, createPointsOrder } from '@pointgate/contract/orders.ts';
import { forget, keep, readText } from '../../shared/browser/kept.ts';

/** What the player wants to buy; this module adds the id that makes the order idempotent. */
export type OrderRequest = {
  accountId: string /** The quote that was shown. */;
  quoteId: string;
} & (
  | ({ kind: 'item' } & Omit<BodyOf<typeof createOrder>, 'clientOrderId' | 'quoteId'>)
  | ({ kind: 'points' } & Omit<BodyOf<typeof createPointsOrder>, 'clientOrderId' | 'quoteId'>)
);

interface Intent {
  clientOrderId: string;
  wish: string;
  /** The quote that the order was or may have been placed with. The list may have a newer one. */
  quoteId: string;
  /** Known once the order is placed. */
  paymentId: string | null;
}

const storageKey = 'pointgate.order-intent';

/**
 * The idempotency key of a wish: constant while the wish stays the same and its order is open. It
 * survives a reload, so that a retry after a lost connection continues the same order. It also
 * survives a new quote: an order that used up the first-purchase gift changes the quote of the
 * list itself, and must not be placed twice because of that.
 */
export function intentFor(wish: OrderRequest): Pick<Intent, 'clientOrderId' | 'quoteId'> {
  const kept = read();
  const wanted = nameOf(wish);
  if (kept?.wish === wanted) return kept;

  const intent = { clientOrderId: crypto.randomUUID(), quoteId: wish.quoteId };
  write({ ...intent, wish: wanted, paymentId: null });
  return intent;
}

/** Called when the server refused the order: the next try may use another quote. */
export function forgetUnplaced(clientOrderId: string): void {
  if (read()?.clientOrderId === clientOrderId) forget('sessionStorage', storageKey);
}

/** Stores which order was created for the client order id. */
export function notePlaced(order: { clientOrderId: string; paymentId: string }): void {
  const kept = read();
  if (kept?.clientOrderId === order.clientOrderId) {
    write({ ...kept, paymentId: order.paymentId });
  }
}

/** Forgets a finished order: the same wish is a new purchase from now on. */
export function forgetOrder(paymentId: string): void {
  if (read()?.paymentId === paymentId) forget('sessionStorage', storageKey);
}

/** The unpaid order that this wish would continue, if any. */
export function keptPaymentId(wish: OrderRequest): string | null {
  const kept = read();
  return kept?.wish === nameOf(wish) ? kept.paymentId : null;
}

/** The coupon of the last order, if that order is still open. */
export function keptCouponId(): string | null {
  const kept = read();
  if (kept === null) return null;
  const wish = JSON.parse(kept.wish) as Partial<OrderRequest>; // as: only `nameOf` writes it
  return wish.couponId ?? null;
}

/** The key of a wish without its quote: a price change does not change the key. */
export function nameOf({ quoteId, ...wish }: OrderRequest): string {
  return JSON.stringify(wish, Object.keys(wish).sort());
}

function read(): Intent | null {
  const text = readText('sessionStorage', storageKey);
  return text === null ? null : (JSON.parse(text) as Intent); // as: only `write` writes it
}

function write(intent: Intent): void {
  keep('sessionStorage', storageKey, intent);
}
