import {
  type Coupon,
  type CouponPurchase,
  type CouponRefusal,
  type CouponTerms,
  discountOf,
} from '@pointgate/contract/coupons.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import { keyOf } from '../../money/orders/orders.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { textIn } from '../../platform/local-text.ts';
import type { PurchaseCondition, PurchaseDraft } from '../conditions/conditions.ts';
import {
  type CouponKey,
  type CouponRow,
  holdAgain,
  type Issue,
  insertCoupon,
  insertUse,
  lockCoupon,
  lockIssuing,
  lockUse,
  releaseUse,
  selectCoupon,
  selectCoupons,
  selectIssued,
  selectOffer,
  type UseKey,
} from './coupons.queries.ts';

export type Issued =
  | { result: 'issued' | 'issued_before'; couponId: string }
  /** Nothing was issued: the account is at its limit, or the template has ended or is unknown. */
  | { result: 'limit_reached' | 'over' | 'unknown_template' };

/**
 * Issues a coupon to an account, idempotent per `source`: a repeat returns the coupon that was
 * issued, whatever its state. A source begins with the kind of issuer, such as `redeem:` or
 * `operator:`.
 */
export async function issueCoupon(tx: Tx, issue: Issue): Promise<Issued> {
  const { accountId, templateId } = issue;
  await lockIssuing(tx, accountId);
  const before = await selectIssued(tx, issue);
  if (before !== undefined) return { result: 'issued_before', couponId: before.coupon_id };
  const couponId = newId();
  if (await insertCoupon(tx, { ...issue, couponId })) return { result: 'issued', couponId };
  const offer = await selectOffer(tx, templateId);
  if (offer === undefined) return { result: 'unknown_template' };
  return { result: offer.is_over ? 'over' : 'limit_reached' };
}

/** The order for which a coupon is chosen. */
export interface CouponOrder extends CouponPurchase {
  accountId: string;
  siteId: string;
}

/** The discount of an order with the coupon terms that decided it, as JSON. */
export interface CouponDecision {
  couponId: string;
  templateId: string;
  name: Record<string, string>;
  terms: Record<string, unknown>;
  priceBeforeMinor: string;
  discountMinor: string;
  decidedAt: string;
}

/**
 * The discount of a coupon for this order. Throws the reason if there is none; another player's
 * coupon is refused as if it did not exist. Reserves nothing: `holdCoupon` does.
 */
export async function decideCoupon(
  db: Db,
  couponId: string,
  order: CouponOrder,
): Promise<CouponDecision> {
  const coupon = await selectCoupon(db, { accountId: order.accountId, couponId });
  if (coupon === undefined) throw new AppError('CouponNotFound');
  const now = new Date();
  const terms = termsOf(coupon);
  // A coupon held by an order is refused later, in `holdCoupon`: this request may repeat that
  // order.
  const state = stateOf({ ...coupon, held_by: null }, now);
  const isHere = coupon.site_ids?.includes(order.siteId) ?? true;
  const discount = isHere ? discountOf(terms, order) : 'CouponNotForThis';
  if (state !== 'usable') throw new AppError(stateRefusals[state]);
  if (typeof discount !== 'bigint') throw new AppError(discount);
  return {
    couponId,
    templateId: coupon.template_id,
    name: coupon.name,
    terms: {
      ...terms,
      amountMinor: terms.amountMinor?.toString() ?? null,
      capMinor: terms.capMinor?.toString() ?? null,
      minimumMinor: terms.minimumMinor?.toString() ?? null,
      siteIds: coupon.site_ids,
      startsAt: coupon.starts_at.toISOString(),
      expiresAt: coupon.expires_at?.toISOString() ?? null,
    },
    priceBeforeMinor: order.price.amountMinor.toString(),
    discountMinor: discount.toString(),
    decidedAt: now.toISOString(),
  };
}

/**
 * Reserves the coupon in the transaction that places the order: of concurrent orders exactly one
 * gets it. Idempotent per order. Throws `CouponUsed` and `CouponExpired`.
 */
export async function holdCoupon(tx: Tx, use: UseKey & CouponKey): Promise<void> {
  if (await insertUse(tx, use)) return;
  const coupon = await selectCoupon(tx, use);
  if (coupon?.held_by === use.paymentId) return;
  throw new AppError(coupon?.held_by === null ? 'CouponExpired' : 'CouponUsed');
}

/** A coupon lowers the price of one order, which reserves it until the order is closed or refunded. */
export const couponCondition: PurchaseCondition<PurchaseDraft & { couponId: string | undefined }> =
  {
    name: 'coupon',
    preview: async (db, { intent, couponId }) => {
      if (couponId === undefined) return intent;
      const { amountMinor, currency } = intent;
      const order = { ...intent, price: { amountMinor, currency } };
      const coupon = await decideCoupon(db, couponId, order);
      return {
        ...intent,
        amountMinor: amountMinor - BigInt(coupon.discountMinor),
        snapshot: { ...intent.snapshot, coupon },
      };
    },
    hold: async (tx, order) => {
      const { coupon } = order.snapshot;
      if (coupon !== undefined)
        await holdCoupon(tx, { ...keyOf(order), couponId: coupon.couponId });
    },
    release: (tx, order) => releaseUse(tx, keyOf(order)),
    takeAgain: (tx, order) => takeCouponAgain(tx, keyOf(order)),
    onRefund: { after: ['not_provided'], giveBack: (tx, order) => releaseUse(tx, keyOf(order)) },
  };

/**
 * Reserves a released coupon again for an order that was paid late; false if another order holds
 * it. True if the order never released a coupon or never had one. The coupon may have expired
 * since, because the price was agreed before.
 */
async function takeCouponAgain(tx: Tx, key: UseKey): Promise<boolean> {
  const use = await lockUse(tx, key);
  if (use === undefined || !use.is_released) return true;
  await lockCoupon(tx, { accountId: key.accountId, couponId: use.coupon_id });
  return await holdAgain(tx, key);
}

/**
 * The player's coupons on a site, with the reason why a coupon cannot be used for this purchase.
 */
export async function listCoupons(
  db: Db,
  asked: { accountId: string; siteId: string; kind: 'item' | 'points'; gameId: string | null },
  locale: Locale,
): Promise<Coupon[]> {
  const now = new Date();
  const rows = await selectCoupons(db, asked);
  return rows.map((row) => {
    const state = stateOf(row, now);
    return {
      couponId: row.coupon_id,
      name: textIn(row.name, locale),
      terms: termsOf(row),
      issuedAt: row.issued_at.toISOString(),
      startsAt: row.starts_at.toISOString(),
      expiresAt: row.expires_at?.toISOString() ?? null,
      state,
      paymentId: row.held_by,
      refusal: state === 'usable' ? kindRefusal(row, asked) : stateRefusals[state],
    };
  });
}

const stateRefusals = {
  held: 'CouponUsed',
  used: 'CouponUsed',
  expired: 'CouponExpired',
  not_started: 'CouponNotStarted',
} as const satisfies Record<Exclude<Coupon['state'], 'usable'>, CouponRefusal>;

/**
 * Valid from the start inclusive to the end exclusive. A used coupon stays `used` after its expiry.
 */
function stateOf(row: CouponRow, now: Date): Coupon['state'] {
  if (row.held_by !== null) return row.is_unpaid === true ? 'held' : 'used';
  if (row.expires_at !== null && now >= row.expires_at) return 'expired';
  return now < row.starts_at ? 'not_started' : 'usable';
}

function kindRefusal(
  { kind, game_ids }: CouponRow,
  asked: { kind: 'item' | 'points'; gameId: string | null },
): CouponRefusal | null {
  const isForKind = kind === null || kind === asked.kind;
  const isForGame = game_ids === null || asked.gameId === null || game_ids.includes(asked.gameId);
  return isForKind && isForGame ? null : 'CouponNotForThis';
}

function termsOf(row: CouponRow): CouponTerms {
  return {
    basisPoints: row.basis_points,
    amountMinor: row.amount_minor,
    currency: row.currency,
    capMinor: row.cap_minor,
    minimumMinor: row.minimum_minor,
    kind: row.kind,
    gameIds: row.game_ids,
    itemIds: row.item_ids,
  };
}
