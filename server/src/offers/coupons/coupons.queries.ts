import { Currency } from '@pointgate/contract/money.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { ShownText } from '../../platform/local-text.ts';
import { readRows } from '../../platform/readable-rows.ts';

export interface CouponKey {
  accountId: string;
  couponId: string;
}

export interface UseKey {
  accountId: string;
  paymentId: string;
}

/** Serializes issues to an account, so that the limit per account holds. */
export async function lockIssuing(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('coupons:' || ${accountId}::text, 0))`);
}

export interface Issue {
  accountId: string;
  templateId: string;
  source: string;
}

const IssuedRow = z.object({ coupon_id: z.uuid() });

/** The coupon that this source has issued before. */
export function selectIssued(tx: Tx, { accountId, templateId, source }: Issue) {
  return tx.maybeOne(
    IssuedRow,
    sql`
      select coupon_id from coupons
      where account_id = ${accountId} and template_id = ${templateId} and source = ${source}`,
  );
}

/** False if the template is unknown or has ended, or the account has reached its limit. */
export async function insertCoupon(
  tx: Tx,
  { accountId, templateId, source, couponId }: Issue & CouponKey,
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into coupons (account_id, coupon_id, template_id, nth, source, expires_at)
    select ${accountId}, ${couponId}, id, given.count + 1, ${source},
           least(ends_at, greatest(now(), starts_at) + make_interval(days => live_days))
    from coupon_templates, (
      select count(*)::int from coupons
      where account_id = ${accountId} and template_id = ${templateId}
    ) as given
    where id = ${templateId} and given.count < per_account_max
      and (ends_at is null or ends_at > now())`);
  return inserted === 1;
}

const OfferRow = z.object({ is_over: z.boolean() });

export function selectOffer(db: Db | Tx, templateId: string) {
  return db.maybeOne(
    OfferRow,
    sql`
      select coalesce(ends_at <= now(), false) as is_over
      from coupon_templates where id = ${templateId}`,
  );
}

/** The columns of a template that decide its discount and for which purchases it is valid. */
export const termColumns = {
  basis_points: z.int().nullable(),
  amount_minor: z.bigint().nullable(),
  currency: z.enum(Currency.def.entries).nullable(),
  cap_minor: z.bigint().nullable(),
  minimum_minor: z.bigint().nullable(),
  site_ids: z.array(z.string()).nullable(),
  kind: z.enum(['item', 'points']).nullable(),
  game_ids: z.array(Slug).nullable(),
  item_ids: z.array(Slug).nullable(),
};

const CouponRow = z.object({
  coupon_id: z.uuid(),
  template_id: z.string(),
  issued_at: z.date(),
  expires_at: z.date().nullable(),
  starts_at: z.date(),
  name: ShownText,
  ...termColumns,
  /** The order that holds the coupon, and whether that order may still be left unpaid. */
  held_by: z.uuid().nullable(),
  is_unpaid: z.boolean().nullable(),
});
export type CouponRow = z.output<typeof CouponRow>;

// Archived orders count as paid, because an order closed unpaid has released its coupon.
const couponsWithUse = sql`
  select coupons.coupon_id, template_id, issued_at, expires_at, starts_at, name, basis_points,
         template.amount_minor, template.currency, cap_minor, minimum_minor, site_ids,
         template.kind, game_ids, item_ids, use.payment_id as held_by,
         orders.payment_id is not null and orders.paid_at is null as is_unpaid
  from coupons
  join coupon_templates as template on template.id = coupons.template_id
  left join coupon_uses as use
    on use.account_id = coupons.account_id and use.coupon_id = coupons.coupon_id
    and use.released_at is null
  left join orders
    on orders.account_id = use.account_id and orders.payment_id = use.payment_id`;

/** Unreadable rows are reported by template, because all coupons of a template share its terms. */
const couponTable = { table: 'coupon_templates', key: ['template_id'], row: CouponRow };

export async function selectCoupon(
  db: Db | Tx,
  { accountId, couponId }: CouponKey,
): Promise<CouponRow | undefined> {
  const { rows } = await readRows(
    db,
    couponTable,
    sql`
      ${couponsWithUse}
      where coupons.account_id = ${accountId} and coupons.coupon_id = ${couponId}`,
  );
  return rows[0];
}

/** Usable coupons first, by expiry; then the others, newest first. */
export async function selectCoupons(
  db: Db,
  of: { accountId: string; siteId: string },
): Promise<CouponRow[]> {
  const { rows } = await readRows(
    db,
    couponTable,
    sql`
      ${couponsWithUse}
      where coupons.account_id = ${of.accountId}
        and (site_ids is null or ${of.siteId} = any(site_ids))
      order by use.payment_id is null and (expires_at is null or expires_at > now()) desc,
               case when expires_at > now() then expires_at end, issued_at desc, coupons.coupon_id
      limit 100`,
  );
  return rows;
}

/**
 * False if another order holds the coupon or it has expired. Of concurrent orders exactly one gets
 * it: the unique index admits one row, and the others wait for it. Repeating it for the same order
 * changes nothing.
 */
export async function insertUse(tx: Tx, { accountId, paymentId, couponId }: UseKey & CouponKey) {
  const inserted = await tx.run(sql`
    insert into coupon_uses (account_id, payment_id, coupon_id)
    select account_id, ${paymentId}, coupon_id from coupons
    where account_id = ${accountId} and coupon_id = ${couponId}
      and (expires_at is null or expires_at > now())
    on conflict do nothing`);
  return inserted === 1;
}

const UseRow = z.object({ coupon_id: z.uuid(), is_released: z.boolean() });

export function lockUse(tx: Tx, { accountId, paymentId }: UseKey) {
  return tx.maybeOne(
    UseRow,
    sql`
      select coupon_id, released_at is not null as is_released from coupon_uses
      where account_id = ${accountId} and payment_id = ${paymentId} for update`,
  );
}

export async function releaseUse(tx: Tx, { accountId, paymentId }: UseKey): Promise<void> {
  await tx.run(sql`
    update coupon_uses set released_at = now()
    where account_id = ${accountId} and payment_id = ${paymentId} and released_at is null`);
}

/** Locks the coupon until the transaction ends. */
export async function lockCoupon(tx: Tx, { accountId, couponId }: CouponKey): Promise<void> {
  await tx.run(sql`
    select from coupons where account_id = ${accountId} and coupon_id = ${couponId} for update`);
}

/** False if another order holds the coupon by now. */
export async function holdAgain(tx: Tx, { accountId, paymentId }: UseKey): Promise<boolean> {
  const held = await tx.run(sql`
    update coupon_uses as own set released_at = null
    where account_id = ${accountId} and payment_id = ${paymentId}
      and not exists (
        select from coupon_uses as other
        where other.account_id = own.account_id and other.coupon_id = own.coupon_id
          and other.released_at is null
      )`);
  return held === 1;
}
