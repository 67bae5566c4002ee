import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Currency } from './money.ts';
import { ForeignId, Slug, System } from './names.ts';

export const PaymentStatus = z.enum(['Created', 'Pending', 'FullyPaid', 'Refunded']);
export type PaymentStatus = z.output<typeof PaymentStatus>;

/** 1 pending, 2 success, 3 fail, 4 success-arrived, 5 refund. */
export const RecordStatus = z.union([
  z.literal(1),
  z.literal(2),
  z.literal(3),
  z.literal(4),
  z.literal(5),
]);
export type RecordStatus = z.output<typeof RecordStatus>;

/**
 * The label of each record status. The numbers and the label keys of the specification disagree
 * (2 is success, `type2` is fail), so this map is the only way from one to the other: whoever pastes
 * 'type' and the number together tells a player who paid that the payment failed.
 */
export const recordLabels = {
  1: 'RechargeDetail.type1',
  2: 'RechargeDetail.type3',
  3: 'RechargeDetail.type2',
  4: 'RechargeDetail.type4',
  5: 'RechargeDetail.type5',
} as const satisfies Record<RecordStatus, string>;

/** What the player is told. */
export const ShownStatus = z.enum([
  'Unpaid',
  'Processing',
  'Paid',
  'Fulfilled',
  'PaymentFailed',
  'Refunded',
]);
export type ShownStatus = z.output<typeof ShownStatus>;

export const PaymentMethod = z.enum(['card']);
export type PaymentMethod = z.output<typeof PaymentMethod>;

export const OrderType = z.enum(['foreign', 'internal']);

/** A step the player can see: what happened, and when. */
export const TimelineStep = z.strictObject({
  step: z.enum([
    'created',
    'payment_opened',
    'payment_declined',
    'paid',
    'delivery_retry',
    'delivery_delayed',
    'arrived',
    'expired',
    'refunding',
    'refunded',
  ]),
  at: z.iso.datetime(),
});
export type TimelineStep = z.output<typeof TimelineStep>;

export const OrderDetail = z.strictObject({
  paymentId: z.uuid(),
  status: PaymentStatus,
  record: RecordStatus,
  shown: ShownStatus,
  /** Why a failed order is closed. */
  closedReason: z.nullable(z.enum(['expired', 'cancelled'])),
  /** The game keeps refusing and an operator was told. */
  isDeliveryDelayed: z.boolean(),
  /** Money came that does not fit the order; it can neither be paid nor close by itself. */
  isInReview: z.boolean(),
  orderType: OrderType,
  method: PaymentMethod,
  accountId: z.uuid(),
  gameAccountId: ForeignId,
  gameId: Slug,
  gameName: z.string(),
  serverId: Slug,
  serverName: z.string(),
  roleId: ForeignId,
  roleName: z.string(),
  itemId: Slug,
  itemName: z.string(),
  itemArt: Slug,
  unit: z.string(),
  quantity: Amount,
  giftQuantity: Amount,
  amountMinor: Amount,
  currency: Currency,
  createdAt: z.iso.datetime(),
  expireAt: z.nullable(z.iso.datetime()),
  paidAt: z.nullable(z.iso.datetime()),
  arrivedAt: z.nullable(z.iso.datetime()),
  /** When the game is called again, while a delivery is being retried. */
  nextDeliveryAt: z.nullable(z.iso.datetime()),
  timeline: z.array(TimelineStep),
});
export type OrderDetail = z.output<typeof OrderDetail>;

export const createOrder = endpoint({
  method: 'POST',
  path: '/api/payment/order/create',
  summary: 'Places an order for a game item. The shop prices it; the client never sends an amount',
  access: 'player',
  body: z.strictObject({
    // The browser makes the id and keeps it across retries, so a double click is one order.
    clientOrderId: z.uuid(),
    gameId: Slug,
    itemId: Slug,
    quantity: z.int().check(z.gte(1), z.lte(99)),
    serverId: Slug,
    roleId: ForeignId,
    method: PaymentMethod,
    system: System,
  }),
  reply: OrderDetail,
  refusals: [
    'ServerNotFound',
    'RoleNotFound',
    'ServerMaintenance',
    'ItemNotForSale',
    'NotAvailableInIos',
    'GameAccountNotFound',
    'GameUnavailable',
  ],
});

export const payOrder = endpoint({
  method: 'POST',
  path: '/api/payment/order/pay',
  summary:
    "Opens a payment for an unpaid order, or finds the open one: twice is the provider's once",
  access: 'player',
  body: z.strictObject({ paymentId: z.uuid() }),
  reply: z.strictObject({
    action: z.strictObject({ kind: z.literal('redirect'), url: z.url() }),
  }),
  refusals: ['PaymentIdWrong', 'OrderNotPayable', 'PaymentInitiationFailed', 'PaymentUnconfirmed'],
});

export const orderDetail = endpoint({
  method: 'POST',
  path: '/api/payment/order/detail',
  summary: "One of the player's own orders; an unknown id and another player's id answer alike",
  access: 'player',
  body: z.strictObject({ paymentId: z.uuid() }),
  reply: OrderDetail,
  refusals: ['PaymentIdWrong'],
});

/**
 * A server-sent event stream beside the calls: `GET` with the session cookie, one `changed` event
 * each time the order moves. It says only that; the page then reads the order.
 */
export const orderChangesPath = (paymentId: string) => `/api/payment/order/changes/${paymentId}`;
