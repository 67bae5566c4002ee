import type { Locale } from '@pointgate/contract/locales.ts';
import type {
  OrderDetail,
  OrderRefund,
  OrderSummary,
  PaymentStatus,
  RecordStatus,
  ShownStatus,
} from '@pointgate/contract/orders.ts';
import { type LocalText, textIn } from '../../platform/local-text.ts';
import { factsOf } from './order-fact.ts';
import { moneyOf } from './order-money.ts';
import type { OrderState } from './order-state.ts';
import { timelineOf } from './order-timeline.ts';
import { dueOf, type Order, type OrderEvent } from './orders.ts';

interface Shown {
  status: PaymentStatus;
  record: RecordStatus;
  shown: ShownStatus;
}

/** Maps the internal state to the three public status fields. */
export function shownOf(
  state: OrderState,
  facts: { wasPaying: boolean; wasArrived: boolean },
): Shown {
  switch (state) {
    case 'created':
      return { status: 'Created', record: 1, shown: 'Unpaid' };
    case 'paying':
      return { status: 'Pending', record: 1, shown: 'Processing' };
    case 'paid':
    case 'stuck':
      return { status: 'FullyPaid', record: 2, shown: 'Paid' };
    case 'arrived':
      return { status: 'FullyPaid', record: 4, shown: 'Fulfilled' };
    case 'closed':
      return { status: facts.wasPaying ? 'Pending' : 'Created', record: 3, shown: 'PaymentFailed' };
    case 'refunding':
      return { status: 'FullyPaid', record: facts.wasArrived ? 4 : 2, shown: 'Processing' };
    case 'refunded':
      return { status: 'Refunded', record: 5, shown: 'Refunded' };
  }
}

/** The internal states of each shown status, to filter lists by it. */
export const statesShownAs = {
  Unpaid: ['created'],
  Processing: ['paying', 'refunding'],
  Paid: ['paid', 'stuck'],
  Fulfilled: ['arrived'],
  PaymentFailed: ['closed'],
  Refunded: ['refunded'],
} as const satisfies Record<ShownStatus, readonly OrderState[]>;

/** The fields that list entries and details share. */
export function toOrderSummary(order: Order, locale: Locale): OrderSummary {
  const { snapshot } = order;
  const packs = BigInt(order.pack_count);
  const isOpen = order.state === 'created' || order.state === 'paying';
  const maybe = (texts: LocalText | null) => (texts === null ? null : textIn(texts, locale));
  return {
    paymentId: order.payment_id,
    kind: order.kind,
    ...shownOf(order.state, {
      // An order that closes without a payment attempt has a single fact, its expiry.
      wasPaying: order.version > 1,
      wasArrived: order.arrived_at !== null,
    }),
    orderType: order.order_type,
    method: order.method,
    gameId: order.game_id,
    gameName: maybe(snapshot.gameName),
    serverName: maybe(snapshot.serverName),
    roleName: snapshot.roleName,
    gameAccountId: order.game_account_id,
    itemName: textIn(snapshot.itemName, locale),
    itemArt: snapshot.art,
    unit: textIn(snapshot.unit, locale),
    quantity: BigInt(snapshot.quantity) * packs,
    giftQuantity: BigInt(snapshot.giftQuantity) * packs,
    amountMinor: order.amount_minor,
    currency: order.currency,
    refundedMinor: order.refunded_minor,
    createdAt: order.created_at.toISOString(),
    expireAt: isOpen ? order.expire_at.toISOString() : null,
    paidAt: order.paid_at?.toISOString() ?? null,
  };
}

export function toOrderDetail(
  order: Order,
  events: readonly OrderEvent[],
  locale: Locale,
): OrderDetail {
  const isWaiting = order.state === 'paid' || order.state === 'stuck';
  return {
    ...toOrderSummary(order, locale),
    closedReason: order.closed_reason,
    isDeliveryDelayed: order.state === 'stuck',
    isInReview: order.review_reason !== null,
    isDisputed: order.is_disputed,
    accountId: order.account_id,
    serverId: order.server_id,
    roleId: order.role_id,
    itemId: order.item_id,
    giftReason: giftReasonOf(order),
    ...couponOf(order, locale),
    refunds: refundsOf(order, events),
    arrivedAt: order.arrived_at?.toISOString() ?? null,
    nextDeliveryAt: order.state === 'paid' ? nextDeliveryAt(events) : null,
    promisedAt: isWaiting ? (promisedAt(order)?.toISOString() ?? null) : null,
    timeline: timelineOf(order, events),
  };
}

function giftReasonOf({ snapshot: { gift, giftQuantity } }: Order): OrderDetail['giftReason'] {
  if (gift !== undefined) return gift.reason;
  return giftQuantity === '0' ? null : 'bonus';
}

function couponOf({ snapshot: { coupon } }: Order, locale: Locale) {
  if (coupon === undefined)
    return { couponName: null, discountMinor: null, priceBeforeMinor: null };
  return {
    couponName: textIn(coupon.name, locale),
    discountMinor: BigInt(coupon.discountMinor),
    priceBeforeMinor: BigInt(coupon.priceBeforeMinor),
  };
}

/** The time after which an undelivered order is refunded automatically. */
export function promisedAt(order: Order): Date | undefined {
  if (order.kind === 'points' || order.paid_at === null) return undefined;
  return new Date(order.paid_at.getTime() + order.promise_hours * 60 * 60_000);
}

/** Refunds and lost disputes, both of which return money to the player. */
function refundsOf(order: Order, events: readonly OrderEvent[]): OrderRefund[] {
  const facts = events.map(({ fact }) => fact);
  const { refunds, disputes } = moneyOf(dueOf(order), facts);
  const heardAt = (isIt: (event: OrderEvent) => boolean) =>
    (events.findLast(isIt)?.at ?? order.created_at).toISOString();
  const made = refunds.map(({ refundId, amountMinor, currency, reason, state }) => ({
    refundId,
    amountMinor,
    currency,
    reason,
    state,
    at: heardAt(({ fact }) => 'refundId' in fact && fact.refundId === refundId),
  }));
  const lost = disputes
    .filter(({ stage }) => stage === 'lost')
    .map(({ disputeId, amountMinor, currency }) => ({
      refundId: disputeId,
      amountMinor,
      currency,
      reason: 'chargeback' as const,
      state: 'done' as const,
      at: heardAt(({ fact }) => fact.type === 'disputed' && fact.disputeId === disputeId),
    }));
  return [...made, ...lost].toSorted((left, right) => (left.at < right.at ? -1 : 1));
}

function nextDeliveryAt(events: readonly OrderEvent[]): string | null {
  const failures = factsOf(
    events.map(({ fact }) => fact),
    'delivery_failed',
  );
  return failures.at(-1)?.nextTryAt ?? null;
}
