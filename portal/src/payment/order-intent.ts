import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import type { createOrder, createPointsOrder } from '@pointgate/contract/orders.ts';

/** What the player wants to buy; the id that makes it one order is added here. */
export type Wish = { accountId: string } & (
  | ({ kind: 'item' } & Omit<BodyOf<typeof createOrder>, 'clientOrderId'>)
  | ({ kind: 'points' } & Omit<BodyOf<typeof createPointsOrder>, 'clientOrderId'>)
);

interface Intent {
  clientOrderId: string;
  wish: string;
  /** Known once the order was placed. */
  paymentId: string | null;
}

const storageKey = 'pointgate.order-intent';

/**
 * The order id for this wish: the same for as long as the wish is the same and its order is not
 * over. It outlives a reload, so that paying again after a cut line continues the same order.
 */
export function orderIdFor(wish: Wish): string {
  const kept = read();
  const wanted = JSON.stringify(wish, Object.keys(wish).sort());
  if (kept?.wish === wanted) return kept.clientOrderId;

  const clientOrderId = crypto.randomUUID();
  write({ clientOrderId, wish: wanted, paymentId: null });
  return clientOrderId;
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
  if (read()?.paymentId === paymentId) sessionStorage.removeItem(storageKey);
}

function read(): Intent | null {
  const text = sessionStorage.getItem(storageKey);
  return text === null ? null : (JSON.parse(text) as Intent); // as: only `write` writes it
}

function write(intent: Intent): void {
  sessionStorage.setItem(storageKey, JSON.stringify(intent));
}
