import type { RefundReason } from '@pointgate/contract/orders.ts';
import type { Order, OrderIntent } from '../../money/orders/orders.ts';
import type { Db, Tx } from '../../platform/db.ts';

/**
 * A condition of a purchase: a limit, or something that changes the price or the gift. Each kind is a folder of
 * `offers/`; checkout runs a list of conditions and knows none of them. `Draft` is the input that a kind needs.
 */
export interface PurchaseCondition<Draft extends PurchaseDraft = PurchaseDraft> {
  name: string;
  /** Changes the order before the game is asked, for example its price. May throw like `check`. */
  preview?(db: Db, draft: Draft): Promise<OrderIntent>;
  /**
   * Throws if the player cannot buy this now at the previewed price. Reserves nothing, because the player may
   * still leave.
   */
  check?(db: Db, draft: Draft): Promise<void>;
  /** Changes the order in the transaction that places it, before the order is inserted. */
  decide?(tx: Tx, draft: Draft): Promise<OrderIntent>;
  /** Reserves what the new order needs, or throws to roll the order back. */
  hold?(tx: Tx, order: Order, draft: Draft): Promise<void>;
  /** Throws if a payment must not begin now. Locks are held until the payment attempt is committed. */
  holdForPayment?(tx: Tx, order: Order): Promise<void>;
  /** Releases the reservations of an order that was closed unpaid. Idempotent. */
  release?(tx: Tx, order: Order): Promise<void>;
  /**
   * Reserves again for an order that was paid after it had released its reservations; false if that is
   * impossible by now.
   */
  takeAgain?(tx: Tx, order: Order): Promise<boolean>;
  /** What a full refund gives back; absent if a refund changes nothing. */
  onRefund?: {
    /** The kinds of refund after which it is given back. */
    after: readonly RefundKind[];
    /** Idempotent. */
    giveBack(tx: Tx, order: Order): Promise<void>;
  };
}

export interface PurchaseDraft {
  intent: OrderIntent;
}

/** `not_provided`: the shop did not deliver. `goodwill`: an operator refunds. `own_doing`: the player caused it. */
type RefundKind = 'not_provided' | 'goodwill' | 'own_doing';

/**
 * Classifies refund reasons for the conditions of a purchase: what the shop failed to deliver costs the player no
 * limited pack and no coupon. Rebates are no condition, because they follow the money that stays paid.
 */
const kindOfRefund: Readonly<Record<RefundReason, RefundKind>> = {
  declined_by_game: 'not_provided',
  not_delivered_in_time: 'not_provided',
  late_and_gone: 'not_provided',
  over_limit: 'not_provided',
  goodwill: 'goodwill',
  operator: 'goodwill',
  // Requested by the player, or taken back by their bank.
  player_request: 'own_doing',
  fraud: 'own_doing',
  elsewhere: 'own_doing',
  chargeback: 'own_doing',
  // Extra payments besides the one of the order.
  duplicate: 'own_doing',
  misfit: 'own_doing',
};

/**
 * Runs the conditions of a shop in the order of the list. It is also their lock order, so that placing an order
 * and taking again cannot deadlock.
 */
export interface PurchaseConditions<Draft extends PurchaseDraft> {
  preview(db: Db, draft: Draft): Promise<OrderIntent>;
  check(db: Db, draft: Draft): Promise<void>;
  decide(tx: Tx, draft: Draft): Promise<OrderIntent>;
  hold(tx: Tx, order: Order, draft: Draft): Promise<void>;
  holdForPayment(tx: Tx, order: Order): Promise<void>;
  release(tx: Tx, order: Order): Promise<void>;
  takeAgain(tx: Tx, order: Order): Promise<boolean>;
  giveBack(tx: Tx, order: Order, reasons: readonly RefundReason[]): Promise<void>;
}

export function openConditions<Draft extends PurchaseDraft>(
  list: readonly PurchaseCondition<Draft>[],
): PurchaseConditions<Draft> {
  return {
    preview: async (db, draft) => {
      let { intent } = draft;
      for (const one of list) intent = (await one.preview?.(db, { ...draft, intent })) ?? intent;
      return intent;
    },
    check: async (db, draft) => {
      for (const one of list) await one.check?.(db, draft);
    },
    decide: async (tx, draft) => {
      let { intent } = draft;
      for (const one of list) intent = (await one.decide?.(tx, { ...draft, intent })) ?? intent;
      return intent;
    },
    hold: async (tx, order, draft) => {
      for (const one of list) await one.hold?.(tx, order, draft);
    },
    holdForPayment: async (tx, order) => {
      for (const one of list) await one.holdForPayment?.(tx, order);
    },
    release: async (tx, order) => {
      for (const one of list) await one.release?.(tx, order);
    },
    takeAgain: async (tx, order) => {
      for (const one of list) {
        if ((await one.takeAgain?.(tx, order)) === false) return false;
      }
      return true;
    },
    giveBack: async (tx, order, reasons) => {
      const kinds = reasons.map((reason) => kindOfRefund[reason]);
      for (const { onRefund } of list) {
        if (onRefund?.after.some((kind) => kinds.includes(kind)))
          await onRefund.giveBack(tx, order);
      }
    },
  };
}
