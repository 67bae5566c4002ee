import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import type { createOrder, createPointsOrder } from '@pointgate/contract/orders.ts';
import { forget, keep, readText } from '../session/kept.ts';

/** What the player wants to buy; the id that makes it one order is added here. */
export type Wish = { accountId: string /** What was shown. */; quoteId: string } & (
  | ({ kind: 'item' } & Omit<BodyOf<typeof createOrder>, 'clientOrderId' | 'quoteId'>)
  | ({ kind: 'points' } & Omit<BodyOf<typeof createPointsOrder>, 'clientOrderId' | 'quoteId'>)
);

interface Intent {
  clientOrderId: string;
  wish: string;
  /** What the order was placed for, or may have been. The list may show another by now. */
  quoteId: string;
  /** Known once the order was placed. */
  paymentId: string | null;
}

const storageKey = 'pointgate.order-intent';

/**
 * The order for this wish: the same for as long as the wish is the same and its order is not over. It
 * outlives a reload, so that paying again after a cut line continues the same order. It also outlives
 * another quote: an order that took the gift of a first purchase is itself why the list offers none
 * any more, and must not be made twice for that.
 */
export function intentFor(wish: Wish): Pick<Intent, 'clientOrderId' | 'quoteId'> {
  const kept = read();
  const wanted = nameOf(wish);
  if (kept?.wish === wanted) return kept;

  const intent = { clientOrderId: crypto.randomUUID(), quoteId: wish.quoteId };
  write({ ...intent, wish: wanted, paymentId: null });
  return intent;
}

/** The shop has refused to place it: there is no such order, and the wish is free for another quote. */
export function forgetUnplaced(clientOrderId: string): void {
  if (read()?.clientOrderId === clientOrderId) forget('sessionStorage', storageKey);
}

/** Ties the kept id to the order that the shop made of it. */
export function notePlaced(order: { clientOrderId: string; paymentId: string }): void {
  const kept = read();
  if (kept?.clientOrderId === order.clientOrderId) {
    write({ ...kept, paymentId: order.paymentId });
  }
}

/** This order is over: the same wish is a new purchase from now on. */
export function forgetOrder(paymentId: string): void {
  if (read()?.paymentId === paymentId) forget('sessionStorage', storageKey);
}

/** The unpaid order that this wish would go on with, if there is one. */
export function keptPaymentId(wish: Wish): string | null {
  const kept = read();
  return kept?.wish === nameOf(wish) ? kept.paymentId : null;
}

/** The coupon of the order that was being bought last, if it is not over. */
export function keptCouponId(): string | null {
  const kept = read();
  if (kept === null) return null;
  const wish = JSON.parse(kept.wish) as Partial<Wish>; // as: only `nameOf` writes it
  return wish.couponId ?? null;
}

/** Two wishes for the same thing, whatever it costs now, have the same name. */
export function nameOf({ quoteId, ...wish }: Wish): string {
  return JSON.stringify(wish, Object.keys(wish).sort());
}

function read(): Intent | null {
  const text = readText('sessionStorage', storageKey);
  return text === null ? null : (JSON.parse(text) as Intent); // as: only `write` writes it
}

function write(intent: Intent): void {
  keep('sessionStorage', storageKey, intent);
}
