import { randomUUID } from 'node:crypto';
import { itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import { type Coupon, couponList } from '@pointgate/contract/coupons.ts';
import { CouponList } from '@pointgate/contract/documents/coupons.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { OrderDetail } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { loadCoupons } from '../src/offers/coupons/coupon-templates.ts';
import { issueCoupon } from '../src/offers/coupons/coupons.ts';
import { sitesIn } from '../src/publisher/sites/sites.ts';
import { type Buyer, createOrder } from './buying.ts';
import type { OrderKey } from './orders.ts';
import { createPointsOrder } from './point-buying.ts';
import { type Reply, send, type TestShop } from './shop.ts';

export const newTemplateId = () => `coupon-${randomUUID().slice(0, 8)}`;

/** A template as operators load it: 15 percent off any purchase, valid since yesterday. */
export function couponLine(changes: object = {}): object {
  return {
    templateId: newTemplateId(),
    name: Object.fromEntries(locales.map((locale) => [locale, `Welcome (${locale})`])),
    percent: '15',
    startsAt: new Date(Date.now() - 24 * 60 * 60_000).toISOString(),
    perAccountMax: 1,
    ...changes,
  };
}

/** Loads a template as an operator. */
export async function givenTemplate(shop: TestShop, changes: object = {}): Promise<string> {
  const list = CouponList.parse([couponLine(changes)]);
  const { complaints } = await shop.db.transaction(async (tx) =>
    loadCoupons(tx, { list, sites: await sitesIn(tx), by: 'ines' }),
  );
  if (complaints.length > 0) throw new Error(complaints.join());
  return list[0]?.templateId ?? '';
}

/** Issues a coupon of a new template. */
export async function givenCoupon(
  shop: TestShop,
  { accountId }: { accountId: string },
  changes: object = {},
): Promise<string> {
  const templateId = await givenTemplate(shop, changes);
  const issued = await shop.db.transaction((tx) =>
    issueCoupon(tx, { accountId, templateId, source: 'test' }),
  );
  if (!('couponId' in issued)) throw new Error(issued.result);
  return issued.couponId;
}

/** The coupons in a player's list. */
export async function couponsOf(
  shop: TestShop,
  { cookie }: { cookie: string },
  body: object = { kind: 'item', gameId: 'solmere' },
): Promise<Coupon[]> {
  const { data } = await send(shop, couponList.path, { cookie, body });
  return z.decode(couponList.reply, data as never).coupons; // as: decode checks it
}

export async function couponOf(
  shop: TestShop,
  buyer: { cookie: string },
  couponId: string,
): Promise<Coupon> {
  const found = (await couponsOf(shop, buyer)).find((coupon) => coupon.couponId === couponId);
  if (found === undefined) throw new Error(`${couponId} is not on the list`);
  return found;
}

/** The quote for an item in the list. */
export async function quoteOf(shop: TestShop, { cookie }: { cookie: string }, itemId: string) {
  const body = { gameId: 'solmere', system: 'android' };
  const { data } = await send(shop, itemGroups.path, { cookie, body });
  const { groups } = z.decode(itemGroups.reply, data as never); // as: decode checks it
  const item = groups.flatMap(({ items }) => items).find((each) => each.itemId === itemId);
  if (item === undefined) throw new Error(`${itemId} is not on the list`);
  return item.quoteId;
}

async function packQuoteOf(shop: TestShop, { cookie }: { cookie: string }, itemId: string) {
  const { data } = await send(shop, pointPacks.path, { cookie, body: { system: 'android' } });
  const { packs } = z.decode(pointPacks.reply, data as never); // as: decode checks it
  const pack = packs.find((each) => each.itemId === itemId);
  if (pack === undefined) throw new Error(`${itemId} is not on the list`);
  return pack.quoteId;
}

/** Orders 300 shards for 4.99 USD with a coupon. */
export async function orderWith(
  shop: TestShop,
  buyer: Buyer,
  couponId: string,
  changes: object = {},
): Promise<Reply> {
  const quoteId = await quoteOf(shop, buyer, 'shards_300');
  return await createOrder(shop, buyer, { quoteId, couponId, ...changes });
}

export async function givenOrderWith(
  shop: TestShop,
  buyer: Buyer,
  couponId: string,
  changes: object = {},
): Promise<OrderKey & { detail: OrderDetail }> {
  const { data } = await orderWith(shop, buyer, couponId, changes);
  const detail = z.decode(OrderDetail, data as never); // as: decode checks it
  return { accountId: buyer.accountId, paymentId: detail.paymentId, detail };
}

/** Orders 500 points for 4.99 USD with a coupon. */
export async function pointsOrderWith(
  shop: TestShop,
  buyer: Buyer,
  couponId: string,
  changes: object = {},
): Promise<Reply> {
  const quoteId = await packQuoteOf(shop, buyer, 'epoint_500');
  return await createPointsOrder(shop, buyer, { quoteId, couponId, ...changes });
}
