import { locales } from '@pointgate/contract/locales.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Buyer, givenBuyer } from '../../../test/buying.ts';
import {
  couponOf,
  couponsOf,
  givenCoupon,
  givenOrderWith,
  givenTemplate,
} from '../../../test/coupons.ts';
import { givenAccount } from '../../../test/orders.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import { decideCoupon, holdCoupon, issueCoupon } from './coupons.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const issue = (accountId: string, templateId: string, source: string) =>
  shop.db.transaction((tx) => issueCoupon(tx, { accountId, templateId, source }));

const change = (statement: ReturnType<typeof sql>) =>
  shop.db.transaction((tx) => tx.run(statement));

const hour = 60 * 60_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

describe('coupon issues', () => {
  test('a coupon is issued to a player once per source (such as a redeem code), and a repeated issue returns the same coupon', async () => {
    const templateId = await givenTemplate(shop, { perAccountMax: 5 });
    const accountId = await givenAccount(shop.db);
    const first = await issue(accountId, templateId, 'redeem:one');
    expect(first).toEqual({ result: 'issued', couponId: expect.any(String) });
    expect(await issue(accountId, templateId, 'redeem:one')).toEqual({
      ...first,
      result: 'issued_before',
    });
    expect(await issue(accountId, templateId, 'redeem:two')).toMatchObject({ result: 'issued' });
    const other = await givenAccount(shop.db);
    expect(await issue(other, templateId, 'redeem:one')).toMatchObject({ result: 'issued' });
  });

  test('a player gets at most as many coupons of one template as the template allows, also from concurrent redeem codes', async () => {
    const templateId = await givenTemplate(shop, { perAccountMax: 3 });
    const accountId = await givenAccount(shop.db);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issue(accountId, templateId, `redeem:${index}`)),
    );
    expect(results.filter(({ result }) => result === 'issued')).toHaveLength(3);
    expect(results.filter(({ result }) => result === 'limit_reached')).toHaveLength(17);
  });

  test('a coupon that a player gets ten times concurrently from the same source (such as a redeem code) is issued once', async () => {
    const templateId = await givenTemplate(shop, { perAccountMax: 5 });
    const accountId = await givenAccount(shop.db);
    const results = await Promise.all(
      Array.from({ length: 10 }, () => issue(accountId, templateId, 'redeem:same')),
    );
    expect(results.filter(({ result }) => result === 'issued')).toHaveLength(1);
    const ids = results.map((issued) => 'couponId' in issued && issued.couponId);
    expect(new Set(ids).size).toBe(1);
  });

  test('a coupon of an ended or unknown template is not issued', async () => {
    const accountId = await givenAccount(shop.db);
    const over = await givenTemplate(shop, { endsAt: inHours(-1) });
    expect(await issue(accountId, over, 'test')).toEqual({ result: 'over' });
    expect(await issue(accountId, 'nothing-like-it', 'test')).toEqual({
      result: 'unknown_template',
    });
  });
});

describe('append-only coupon tables', () => {
  test.each([
    ['update a coupon template', sql`update coupon_templates set amount_minor = 1`],
    ['delete a coupon template', sql`delete from coupon_templates`],
    ['update a coupon', sql`update coupons set expires_at = now()`],
    ['delete a coupon', sql`delete from coupons`],
    ['delete a coupon issue', sql`delete from coupon_issues`],
  ])(
    'the database refuses to %s, because coupons must stay as they were issued',
    async (_what, statement) => {
      await givenCoupon(shop, buyer);
      await shop.db.transaction((tx) =>
        tx.run(sql`
        insert into coupon_issues (key, template_id, issued_by)
        select 'k-' || gen_random_uuid(), id, 'ines' from coupon_templates limit 1`),
      );
      await expect(change(statement)).rejects.toThrow('append-only');
    },
  );

  test('the coupon_uses table refuses a second order for a coupon that an order holds', async () => {
    const couponId = await givenCoupon(shop, buyer);
    await givenOrderWith(shop, buyer, couponId);
    await expect(
      change(sql`
        insert into coupon_uses (account_id, payment_id, coupon_id)
        values (${buyer.accountId}, ${crypto.randomUUID()}, ${couponId})`),
    ).rejects.toThrow('one_order_per_coupon');
  });
});

test('a coupon in use by an order still has a discount in a new price request, because the request may repeat that order', async () => {
  const couponId = await givenCoupon(shop, buyer);
  await givenOrderWith(shop, buyer, couponId);
  const { accountId } = buyer;
  const where = { accountId, siteId: 'solmere', kind: 'item', gameId: 'solmere' } as const; // as: keeps the literal types
  const price = { amountMinor: 499n, currency: 'USD' } as const; // as: see above
  const decided = await decideCoupon(shop.db, couponId, { ...where, itemId: 'shards_300', price });
  expect(decided).toMatchObject({ couponId, discountMinor: '74' });
});

test('a coupon that expires between the price request and the order is refused with CouponExpired', async () => {
  const couponId = await givenCoupon(shop, buyer, { days: 1 });
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`update coupons set expires_at = now() where coupon_id = ${couponId}`);
  });
  const use = { accountId: buyer.accountId, paymentId: crypto.randomUUID(), couponId };
  await expect(shop.db.transaction((tx) => holdCoupon(tx, use))).rejects.toMatchObject({
    code: 'CouponExpired',
  });
});

describe('the coupon list', () => {
  test('the coupon list shows the terms and the expiry time of a coupon', async () => {
    const player = await givenBuyer(shop);
    const couponId = await givenCoupon(shop, player, {
      percent: '12.5',
      currency: 'USD',
      cap: '3.00',
      minimum: '4.99',
      kind: 'item',
      games: ['solmere'],
      items: ['shards_300'],
      days: 7,
    });
    const coupon = await couponOf(shop, player, couponId);
    expect(coupon).toMatchObject({
      name: 'Welcome (en-US)',
      terms: {
        basisPoints: 1250,
        amountMinor: null,
        currency: 'USD',
        capMinor: 300n,
        minimumMinor: 499n,
        kind: 'item',
        gameIds: ['solmere'],
        itemIds: ['shards_300'],
      },
      state: 'usable',
      paymentId: null,
      refusal: null,
    });
    const livesMs = Date.parse(coupon.expiresAt ?? '') - Date.parse(coupon.issuedAt);
    expect(livesMs).toBe(7 * 24 * hour);
  });

  test("a coupon expires a number of days after its issue or the start of its template, but not after the template's end", async () => {
    const player = await givenBuyer(shop);
    const [startsAt, endsAt] = [inHours(48), inHours(96)];
    const long = await givenCoupon(shop, player, { endsAt, days: 30 });
    const later = await givenCoupon(shop, player, { startsAt, days: 1 });
    const forEver = await givenCoupon(shop, player);
    expect((await couponOf(shop, player, long)).expiresAt).toBe(endsAt);
    expect(await couponOf(shop, player, later)).toMatchObject({
      state: 'not_started',
      refusal: 'CouponNotStarted',
      startsAt,
      expiresAt: new Date(Date.parse(startsAt) + 24 * hour).toISOString(),
    });
    expect((await couponOf(shop, player, forEver)).expiresAt).toBeNull();
  });

  test('the coupon list names coupons in the language of the player', async () => {
    const player = await givenBuyer(shop);
    await givenCoupon(shop, player);
    for (const locale of locales) {
      const headers = { 'accept-language': locale };
      const { data } = await send(shop, '/api/coupon/list', {
        cookie: player.cookie,
        body: { kind: 'item' },
        headers,
      });
      expect(data).toMatchObject({ coupons: [{ name: `Welcome (${locale})` }] });
    }
  });

  test('the coupon list shows which order holds a coupon and why a coupon cannot be used', async () => {
    const player = await givenBuyer(shop);
    const held = await givenCoupon(shop, player);
    const { paymentId } = await givenOrderWith(shop, player, held);
    const forPoints = await givenCoupon(shop, player, { kind: 'points' });
    const forItems = await givenCoupon(shop, player, { kind: 'item', games: ['solmere'] });
    const states = async (body: object) =>
      new Map(
        (await couponsOf(shop, player, body)).map(({ couponId, state, refusal }) => [
          couponId,
          [state, refusal],
        ]),
      );
    const here = await states({ kind: 'item', gameId: 'solmere' });
    expect(here.get(held)).toEqual(['held', 'CouponUsed']);
    expect(here.get(forPoints)).toEqual(['usable', 'CouponNotForThis']);
    expect(here.get(forItems)).toEqual(['usable', null]);
    const points = await states({ kind: 'points' });
    expect(points.get(forPoints)).toEqual(['usable', null]);
    expect(points.get(forItems)).toEqual(['usable', 'CouponNotForThis']);
    const elsewhere = await states({ kind: 'item', gameId: 'gloamhold' });
    expect(elsewhere.get(forItems)).toEqual(['usable', 'CouponNotForThis']);
    expect((await states({ kind: 'item' })).get(forItems)).toEqual(['usable', null]);
    expect((await couponOf(shop, player, held)).paymentId).toBe(paymentId);
    // Usable coupons come first.
    expect([...here.keys()].at(-1)).toBe(held);
  });

  test('the coupon list holds no coupons of other players or for other sites', async () => {
    const player = await givenBuyer(shop);
    const everywhere = await givenCoupon(shop, player);
    await givenOtherSite(shop, { portalUrl: 'http://127.0.0.1' });
    const here = await givenCoupon(shop, player, { sites: ['solmere'] });
    const there = await givenCoupon(shop, player, { sites: ['other'] });
    const listed = (await couponsOf(shop, player)).map(({ couponId }) => couponId);
    expect(listed.toSorted()).toEqual([everywhere, here].toSorted());
    expect(listed).not.toContain(there);
    expect(await couponsOf(shop, await givenBuyer(shop))).toEqual([]);
  });

  test.each([{}, { kind: 'gift' }, { kind: 'item', gameId: 'NO' }, { kind: 'item', more: 1 }, '{'])(
    'the coupon list refuses the malformed request %j',
    async (body) => {
      const { cookie } = buyer;
      expect(await send(shop, '/api/coupon/list', { cookie, body })).toMatchObject({
        httpStatus: 400,
        code: 'InvalidParams',
      });
    },
  );
});
