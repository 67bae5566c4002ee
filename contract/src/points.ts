import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount } from './money.ts';
import { ForeignId, Slug } from './names.ts';
import { OrderKind, PaymentStatus, RecordStatus, ShownStatus } from './orders.ts';

export const pointBalance = endpoint({
  method: 'POST',
  path: '/api/epoint/overage',
  summary: "The E Point balance; userId is one of the player's own game accounts",
  access: 'player',
  body: z.strictObject({ userId: ForeignId }),
  // Numbers instead of Amount, because clients of the specification add the first two up.
  reply: z.strictObject({
    /** Bought points. A negative number is a debt that the next top-up settles first. */
    basicNum: z.int(),
    /** Given points. */
    presentNum: z.int(),
    /** The part of both that cannot be spent while a payment is disputed. */
    frozenNum: z.int(),
    /**
     * The last hash of the player's statement, in hexadecimal: with a copy of it a player can prove
     * a change.
     */
    ledgerHead: z.string(),
  }),
  refusals: ['GameAccountNotFound'],
});

export const PointRecord = z.strictObject({
  seq: z.int(),
  at: z.iso.datetime(),
  kind: z.enum(['top_up', 'gift', 'spend', 'refund', 'claw_back', 'restore', 'expiry']),
  basicChange: Amount,
  presentChange: Amount,
  basicAfter: Amount,
  presentAfter: Amount,
  /**
   * The order behind the entry; for an expiry, the origin of the points. A gift has an id of its
   * own.
   */
  paymentId: z.uuid(),
});
export type PointRecord = z.output<typeof PointRecord>;

export const pointRecord = endpoint({
  method: 'POST',
  path: '/api/epoint/record',
  summary: 'The E Point ledger, newest first, a page at a time',
  access: 'player',
  body: z.strictObject({
    page: z.int().check(z.gte(1), z.lte(10_000)),
    type: z.enum(['all', 'income', 'expense']),
  }),
  reply: z.strictObject({
    records: z.array(PointRecord),
    page: z.int(),
    pageSize: z.int(),
    hasMore: z.boolean(),
  }),
  refusals: [],
});

/** Points that expire together, or never. Expired points are not included. */
export const PointLot = z.strictObject({
  bucket: z.enum(['basic', 'present']),
  remaining: Amount,
  expiresAt: z.nullable(z.iso.datetime()),
  /** Frozen points cannot be spent while a payment is disputed; their lifetime continues. */
  isFrozen: z.boolean(),
});
export type PointLot = z.output<typeof PointLot>;

export const pointLots = endpoint({
  method: 'POST',
  path: '/api/epoint/lots',
  summary: 'What is left of the E Points and when it ends, the soonest first, what never ends last',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({
    lots: z.array(PointLot),
    /** Whether there are more lots than in this reply; none of them expires sooner. */
    hasMore: z.boolean(),
  }),
  refusals: [],
});

/** Why points were given. */
const PointGift = z.strictObject({
  giftId: z.uuid(),
  reason: z.enum(['rebate', 'code']),
  /** Of a rebate: the campaign, and the order that reached the tier. */
  campaignName: z.nullable(z.string()),
  paymentId: z.nullable(z.uuid()),
});
export type PointGift = z.output<typeof PointGift>;

/** The orders and gifts behind entries of the statement. */
export const paymentsOfRecords = endpoint({
  method: 'POST',
  path: '/api/epoint/paymentIds/detail',
  summary:
    "Up to 50 of the player's own orders and gifts by id; ids that are not theirs are left out",
  access: 'player',
  body: z.strictObject({ paymentIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(50)) }),
  reply: z.strictObject({
    payments: z.array(
      z.strictObject({
        paymentId: z.uuid(),
        kind: OrderKind,
        status: PaymentStatus,
        record: RecordStatus,
        shown: ShownStatus,
        itemName: z.string(),
        itemArt: Slug,
        gameName: z.nullable(z.string()),
        serverName: z.nullable(z.string()),
        roleName: z.nullable(z.string()),
      }),
    ),
    gifts: z.array(PointGift),
  }),
  refusals: [],
});

/** `GET` with the session cookie: the whole statement as a text file, see verify-ledger.mjs. */
export const ledgerFilePath = '/api/epoint/ledger.txt';
