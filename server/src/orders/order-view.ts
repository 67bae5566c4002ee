import type { Locale } from '@pointgate/contract/locales.ts';
import type {
  OrderDetail,
  PaymentStatus,
  RecordStatus,
  ShownStatus,
  TimelineStep,
} from '@pointgate/contract/orders.ts';
import { type LocalText, textIn } from '../platform/local-text.ts';
import type { OrderState } from './order-state.ts';
import type { Order, OrderEvent } from './orders.ts';

interface Shown {
  status: PaymentStatus;
  record: RecordStatus;
  shown: ShownStatus;
}

/** One internal state, three projections. */
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

export function toOrderDetail(
  order: Order,
  events: readonly OrderEvent[],
  locale: Locale,
): OrderDetail {
  const { snapshot } = order;
  const text = (texts: LocalText) => textIn(texts, locale);
  const packs = BigInt(order.pack_count);
  const isOpen = order.state === 'created' || order.state === 'paying';
  return {
    paymentId: order.payment_id,
    ...shownOf(order.state, {
      wasPaying: events.some(({ fact }) => fact.type === 'attempt_opened'),
      wasArrived: order.arrived_at !== null,
    }),
    closedReason: order.closed_reason,
    isDeliveryDelayed: order.state === 'stuck',
    isInReview: order.review_reason !== null,
    orderType: order.order_type,
    method: order.method,
    accountId: order.account_id,
    gameAccountId: order.game_account_id,
    gameId: order.game_id,
    gameName: text(snapshot.gameName),
    serverId: order.server_id,
    serverName: text(snapshot.serverName),
    roleId: order.role_id,
    roleName: snapshot.roleName,
    itemId: order.item_id,
    itemName: text(snapshot.itemName),
    itemArt: snapshot.art,
    unit: text(snapshot.unit),
    quantity: BigInt(snapshot.quantity) * packs,
    giftQuantity: BigInt(snapshot.giftQuantity) * packs,
    amountMinor: order.amount_minor,
    currency: order.currency,
    createdAt: order.created_at.toISOString(),
    expireAt: isOpen ? order.expire_at.toISOString() : null,
    paidAt: order.paid_at?.toISOString() ?? null,
    arrivedAt: order.arrived_at?.toISOString() ?? null,
    nextDeliveryAt: order.state === 'paid' ? nextDeliveryAt(events) : null,
    timeline: timelineOf(order, events),
  };
}

function nextDeliveryAt(events: readonly OrderEvent[]): string | null {
  const failure = events.findLast(({ fact }) => fact.type === 'delivery_failed');
  return failure?.fact.type === 'delivery_failed' ? failure.fact.nextTryAt : null;
}

/** Each step once, as the player lived it; facts that say nothing to a player are left out. */
function timelineOf(order: Order, events: readonly OrderEvent[]): TimelineStep[] {
  const steps: TimelineStep[] = [{ step: 'created', at: order.created_at.toISOString() }];
  for (const event of events) {
    const step = stepOf(event);
    if (step !== undefined) steps.push({ step, at: event.at.toISOString() });
  }
  return steps;
}

function stepOf({ fact, state_before, state_after }: OrderEvent): TimelineStep['step'] | undefined {
  switch (fact.type) {
    case 'attempt_opened':
      return 'payment_opened';
    case 'attempt_declined':
      return 'payment_declined';
    case 'captured':
      return state_before !== state_after && state_after === 'paid' ? 'paid' : undefined;
    case 'delivery_failed':
      return 'delivery_retry';
    case 'delivery_stuck':
      return 'delivery_delayed';
    case 'delivered':
      return 'arrived';
    case 'expired':
      return 'expired';
    case 'attempt_closed':
      return undefined;
  }
}
