import {
  type Coupon,
  type CouponPurchase,
  type CouponRefusal,
  type CouponTerms,
  discountOf,
} from '@pointgate/contract/coupons.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { textIn } from '../../platform/local-text.ts';
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
  /** Nothing was written: the account has all it may have, or there is nothing to be had. */
  | { result: 'limit_reached' | 'over' | 'unknown_template' };

/**
 * Gives an account a coupon. The same `source` gives it once: again, it answers the coupon it gave,
 * whatever became of that. Names of sources begin with who they are, such as `redeem:` or `operator:`.
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

/** What somebody wants to use a coupon for, and where. */
export interface CouponOrder extends CouponPurchase {
  accountId: string;
  siteId: string;
}

/** What a coupon does for an order, with all that decided it, as JSON can keep it. */
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
 * What a coupon would take off this order. Throws why where it takes off nothing; one of somebody
 * else is one that is not there. Promises nothing yet: `holdCoupon` does, for this order alone.
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
  // Whether an order holds it is found out where this one is placed: it may be this one's twin.
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
 * The order holds the coupon from now on, in the transaction that places it: of orders placed at once
 * exactly one gets it. The same order again holds it once. Throws `CouponUsed` and `CouponExpired`.
 */
export async function holdCoupon(tx: Tx, use: UseKey & CouponKey): Promise<void> {
  if (await insertUse(tx, use)) return;
  const coupon = await selectCoupon(tx, use);
  if (coupon?.held_by === use.paymentId) return;
  throw new AppError(coupon?.held_by === null ? 'CouponExpired' : 'CouponUsed');
}

/** The order needs its coupon no more: another may have it. Twice is once. */
export async function giveBackCoupon(tx: Tx, key: UseKey): Promise<void> {
  await releaseUse(tx, key);
}

/**
 * Whether an order may have its price after all: money came when it had given its coupon back. One
 * that never did, or that never had one, may. That the coupon has expired since does not matter: the
 * price was promised while it had not.
 */
export async function takeCouponAgain(tx: Tx, key: UseKey): Promise<boolean> {
  const use = await lockUse(tx, key);
  if (use === undefined || !use.is_released) return true;
  await lockCoupon(tx, { accountId: key.accountId, couponId: use.coupon_id });
  return await holdAgain(tx, key);
}

/** The player's coupons on a site, and why each cannot be used for what is asked about. */
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

/** From the start on and before the end. One that was used is used, however old it is by now. */
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
