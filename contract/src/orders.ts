import * as z from 'zod/mini';
import { CouponRefusal } from './coupons.ts';
import { endpoint } from './endpoint.ts';
import { Amount, Currency, PriceUnit } from './money.ts';
import { ForeignId, QuoteId, Slug, System } from './names.ts';
import { PaymentAction } from './payment-actions.ts';
import { paymentMethodNames } from './payment-method-list.ts';
import { GiftReason } from './promotions.ts';

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
 * The label of each record status. The numbers and the label keys of the specification differ (2 is
 * success, `type2` is fail), so labels must only be taken from this map: a label built from 'type'
 * and the number would show a paid order as failed.
 */
export const recordLabels = {
  1: 'RechargeDetail.type1',
  2: 'RechargeDetail.type3',
  3: 'RechargeDetail.type2',
  4: 'RechargeDetail.type4',
  5: 'RechargeDetail.type5',
} as const satisfies Record<RecordStatus, string>;

/** The status that the player sees. */
export const ShownStatus = z.enum([
  'Unpaid',
  'Processing',
  'Paid',
  'Fulfilled',
  'PaymentFailed',
  'Refunded',
]);
export type ShownStatus = z.output<typeof ShownStatus>;

/** `epoint` pays from the player's own balance; the others at a provider. */
export const PaymentMethod = z.enum(paymentMethodNames);
export type PaymentMethod = z.output<typeof PaymentMethod>;

export const OrderType = z.enum(['foreign', 'internal']);

/** A step in the timeline that the player sees. */
export const TimelineStep = z.strictObject({
  step: z.enum([
    'created',
    'payment_opened',
    'payment_declined',
    'paid',
    /** The delivery was started. */
    'accepted',
    'delivery_retry',
    'delivery_delayed',
    'arrived',
    'expired',
    'disputed',
    'refunding',
    /** A part of the money was refunded; the order goes on. */
    'partly_refunded',
    'refund_failed',
    'refunded',
  ]),
  at: z.iso.datetime(),
});
export type TimelineStep = z.output<typeof TimelineStep>;

/** `item` goes to a role in a game, `points` to the player's own E Point balance. */
export const OrderKind = z.enum(['item', 'points']);

/** Why money is refunded. */
export const RefundReason = z.enum([
  'duplicate',
  'misfit',
  'declined_by_game',
  'not_delivered_in_time',
  'late_and_gone',
  /**
   * A late payment over a limit of the law or of the player, or whose coupon another order used.
   */
  'over_limit',
  'player_request',
  'goodwill',
  'fraud',
  'operator',
  /** Made at the provider, not by the shop. */
  'elsewhere',
  'chargeback',
]);
export type RefundReason = z.output<typeof RefundReason>;

/** A completed or pending refund. */
export const OrderRefund = z.strictObject({
  refundId: z.string(),
  amountMinor: Amount,
  currency: PriceUnit,
  reason: RefundReason,
  state: z.enum(['pending', 'done', 'failed']),
  at: z.iso.datetime(),
});
export type OrderRefund = z.output<typeof OrderRefund>;

export const OrderDetail = z.strictObject({
  paymentId: z.uuid(),
  kind: OrderKind,
  status: PaymentStatus,
  record: RecordStatus,
  shown: ShownStatus,
  /** Why a failed order is closed. */
  closedReason: z.nullable(z.literal('expired')),
  /** Whether the game keeps refusing the delivery and an operator was notified. */
  isDeliveryDelayed: z.boolean(),
  /** Whether a payment does not match the order; it can neither be paid nor close by itself. */
  isInReview: z.boolean(),
  /** Whether the payer's bank has withdrawn the money until a dispute is decided. */
  isDisputed: z.boolean(),
  orderType: OrderType,
  method: PaymentMethod,
  accountId: z.uuid(),
  /** Game, server and role are those of an item; points belong to the account itself. */
  gameAccountId: z.nullable(ForeignId),
  gameId: z.nullable(Slug),
  gameName: z.nullable(z.string()),
  serverId: z.nullable(Slug),
  serverName: z.nullable(z.string()),
  roleId: z.nullable(ForeignId),
  roleName: z.nullable(z.string()),
  itemId: Slug,
  itemName: z.string(),
  itemArt: Slug,
  unit: z.string(),
  quantity: Amount,
  giftQuantity: Amount,
  /** Why there is a gift, in one word; none where there is no gift. */
  giftReason: z.nullable(GiftReason),
  /** The coupon that was used, what it took off, and what the order would have cost without it. */
  couponName: z.nullable(z.string()),
  discountMinor: z.nullable(Amount),
  priceBeforeMinor: z.nullable(Amount),
  amountMinor: Amount,
  currency: PriceUnit,
  /** What went back of it so far. */
  refundedMinor: Amount,
  refunds: z.array(OrderRefund),
  createdAt: z.iso.datetime(),
  expireAt: z.nullable(z.iso.datetime()),
  paidAt: z.nullable(z.iso.datetime()),
  arrivedAt: z.nullable(z.iso.datetime()),
  /** When the game is called again, while a delivery is being retried. */
  nextDeliveryAt: z.nullable(z.iso.datetime()),
  /** Not delivered by then, it is refunded by itself. */
  promisedAt: z.nullable(z.iso.datetime()),
  timeline: z.array(TimelineStep),
});
export type OrderDetail = z.output<typeof OrderDetail>;

/** What the law or the player's own budget does not allow. */
const spendingRefusals = ['RealNameNeeded', 'SpendingLimitReached', 'BudgetReached'] as const; // as: else the codes are any text

/** What was shown. An order without a quote gets the price in the currency that it names. */
const shownOffer = {
  quoteId: z.optional(QuoteId),
  /** One of the site's currencies; its first one where it says nothing. */
  currency: z.optional(Currency),
  /** One of the player's own. Needs a quote: the two together say what is charged. */
  couponId: z.optional(z.uuid()),
};

const offerRefusals = [
  'ItemNotForSale',
  'MethodUnavailable',
  'NotAvailableInIos',
  'PriceChanged',
  'PurchaseLimitReached',
  'CouponNotFound',
  // Too many orders of the account wait to be paid, or it has asked the game too often.
  'SignInThrottled',
  ...CouponRefusal.options,
] as const; // as: else the codes are any text

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
    ...shownOffer,
  }),
  reply: OrderDetail,
  refusals: [
    'ServerNotFound',
    'RoleNotFound',
    'ServerMaintenance',
    'GameAccountNotFound',
    'GameUnavailable',
    ...offerRefusals,
    ...spendingRefusals,
  ],
});

export const createPointsOrder = endpoint({
  method: 'POST',
  path: '/api/payment/order/create/epoint',
  summary: 'Places an order for a pack of E Points, to be paid with real money',
  access: 'player',
  body: z.strictObject({
    clientOrderId: z.uuid(),
    itemId: Slug,
    quantity: z.int().check(z.gte(1), z.lte(99)),
    method: PaymentMethod,
    system: System,
    ...shownOffer,
  }),
  reply: OrderDetail,
  refusals: [...offerRefusals, ...spendingRefusals],
});

export const payWithPoints = endpoint({
  method: 'POST',
  path: '/api/payment/order/epoint/pay',
  summary: 'Pays an open order that is priced in E Points from the balance; twice is once',
  access: 'player',
  body: z.strictObject({ paymentId: z.uuid() }),
  reply: OrderDetail,
  refusals: [
    'PaymentIdWrong',
    'OrderNotPayable',
    'OrderPricedInMoney',
    'MethodUnavailable',
    'EPointInsufficient',
    'EPointDebt',
  ],
});

export const payOrder = endpoint({
  method: 'POST',
  path: '/api/payment/order/pay',
  summary:
    "Opens a payment for an unpaid order, or finds the open one: twice is the provider's once",
  access: 'player',
  body: z.strictObject({ paymentId: z.uuid() }),
  reply: z.strictObject({ action: PaymentAction }),
  refusals: [
    'PaymentIdWrong',
    'OrderNotPayable',
    'OrderPricedInPoints',
    'MethodUnavailable',
    'PaymentInitiationFailed',
    'PaymentUnconfirmed',
    'SignInThrottled',
    ...spendingRefusals,
  ],
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

/** An order as a line of a list. */
export const OrderSummary = z.strictObject({
  paymentId: z.uuid(),
  kind: OrderKind,
  status: PaymentStatus,
  record: RecordStatus,
  shown: ShownStatus,
  orderType: OrderType,
  method: PaymentMethod,
  gameId: z.nullable(Slug),
  gameName: z.nullable(z.string()),
  serverName: z.nullable(z.string()),
  roleName: z.nullable(z.string()),
  gameAccountId: z.nullable(ForeignId),
  itemName: z.string(),
  itemArt: Slug,
  unit: z.string(),
  quantity: Amount,
  giftQuantity: Amount,
  amountMinor: Amount,
  currency: PriceUnit,
  refundedMinor: Amount,
  createdAt: z.iso.datetime(),
  /** Until when an open order can be paid. */
  expireAt: z.nullable(z.iso.datetime()),
  paidAt: z.nullable(z.iso.datetime()),
});
export type OrderSummary = z.output<typeof OrderSummary>;

/** The next page begins after the last order of this one, whatever came in between. */
export const orderList = endpoint({
  method: 'POST',
  path: '/api/payment/order/list',
  summary:
    "The player's own orders here and for the games of this site, newest first; every filter is optional by being null",
  access: 'player',
  body: z.strictObject({
    shown: z.nullable(ShownStatus),
    kind: z.nullable(OrderKind),
    gameId: z.nullable(Slug),
    from: z.nullable(z.iso.datetime()),
    until: z.nullable(z.iso.datetime()),
    /** `nextAfter` of the page before. */
    after: z.nullable(z.uuid()),
    limit: z.int().check(z.gte(1), z.lte(100)),
  }),
  reply: z.strictObject({ orders: z.array(OrderSummary), nextAfter: z.nullable(z.uuid()) }),
  refusals: [],
});

/** What a player shows an accountant: who sold what to whom, what was paid and what went back. */
export const orderReceipt = endpoint({
  method: 'POST',
  path: '/api/payment/order/receipt',
  summary: 'The receipt of an order that was paid',
  access: 'player',
  body: z.strictObject({ paymentId: z.uuid() }),
  reply: z.strictObject({
    seller: z.string(),
    buyer: z.string(),
    /** How the provider knows the payment; the order's own id where it was paid in points. */
    paymentReference: z.string(),
    order: OrderDetail,
  }),
  refusals: ['PaymentIdWrong', 'OrderNotPaid'],
});

/**
 * A server-sent event stream beside the calls: `GET` with the session cookie, one `changed` event
 * each time the order moves. It says only that; the page then reads the order. As long as a `heard`
 * comes every twenty seconds no change is missed, and the page need not ask often. It ends with the session.
 * After `replaced` the session has opened too many others: the page closes it and asks.
 */
export const orderChangesPath = (paymentId: string) => `/api/payment/order/changes/${paymentId}`;
