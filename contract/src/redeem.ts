import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount } from './money.ts';
import { ForeignId, Slug } from './names.ts';

/** The reward of a code, by kind. */
export const RedeemedReward = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('points'),
    points: Amount,
    /** How many days the points live; null if they never expire. */
    days: z.nullable(z.int()),
  }),
  z.strictObject({
    kind: z.literal('item'),
    itemId: Slug,
    itemName: z.string(),
    itemArt: Slug,
    unit: z.string(),
    quantity: Amount,
    giftQuantity: Amount,
  }),
  z.strictObject({ kind: z.literal('coupon'), couponId: z.uuid(), couponName: z.string() }),
]);
export type RedeemedReward = z.output<typeof RedeemedReward>;

export const redeemCode = endpoint({
  method: 'POST',
  path: '/api/redeem/use',
  summary:
    'Redeems a code. Sent again by whoever has redeemed it, it gives nothing and answers alike',
  access: 'player',
  body: z.strictObject({
    /** As typed: case, spaces, dashes and similar-looking characters do not matter. */
    code: z.string().check(z.minLength(1), z.maxLength(200)),
    /** The receiver of an item; not needed for a code that gives points. */
    serverId: z.optional(Slug),
    roleId: z.optional(ForeignId),
  }),
  reply: z.strictObject({
    redemptionId: z.uuid(),
    redeemedAt: z.iso.datetime(),
    reward: RedeemedReward,
    /** The order that delivers an item, like any other order. */
    paymentId: z.nullable(z.uuid()),
  }),
  refusals: [
    'RedeemCodeNotFound',
    'RedeemCodeUsed',
    'RedeemCodeExpired',
    'RedeemCodeNotStarted',
    'RedeemLimitReached',
    'RedeemWrongRegion',
    'RedeemThrottled',
    'ServerNotFound',
    'RoleNotFound',
    'ServerMaintenance',
    'GameAccountNotFound',
    'GameUnavailable',
    'ItemNotForSale',
    'EPointDebt',
    'SignInThrottled',
  ],
});
