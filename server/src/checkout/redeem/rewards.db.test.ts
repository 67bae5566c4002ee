import { OrderDetail } from '@pointgate/contract/orders.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  countOrders,
  createOrder,
  detailOf,
  givenBuyer,
  givenItem,
  givenOncePerAccount,
  grantsOf,
  untilShown,
} from '../../../test/buying.ts';
import { couponsOf, givenTemplate } from '../../../test/coupons.ts';
import { runJob } from '../../../test/money-back.ts';
import { booksOf, brokenLinks, recordsOf } from '../../../test/orders.ts';
import { balanceOf, givenPoints } from '../../../test/point-buying.ts';
import { forgetPromotions, givenGiftRule } from '../../../test/promotions.ts';
import {
  codesOf,
  givenCode,
  givenCodes,
  ownLimits,
  redeem,
  redeemed,
  shards,
  termsOf,
} from '../../../test/redeem.ts';
import { eventually, openTestShop, resetWorld, type TestShop } from '../../../test/shop.ts';
import { grantTopUp, keepOfTopUp, spendPoints } from '../../money/points/points.ts';
import { sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { importCodes } from './redeem.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...ownLimits });
  await givenItem(shop, 'money_only');
});
beforeEach(async () => {
  await resetWorld(shop);
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

/** Redeems a code for 300 shards and returns the order that delivers them. */
async function redeemedItem(who = buyer, changes: object = {}) {
  const code = await givenCode(shop, { reward: shards, ...changes });
  const reply = await redeemed(shop, who, code);
  if (reply.paymentId === null) throw new Error('the redemption has no order');
  return { code, reply, order: { accountId: who.accountId, paymentId: reply.paymentId } };
}

async function spendsFirst(spendOrder: 'present_first' | 'basic_first'): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`update sites set spend_order = ${spendOrder} where id = 'solmere'`),
  );
  await eventually(async () => (await shop.sites.byId('solmere'))?.spendOrder === spendOrder);
}

/** A refunded top-up that was spent already; it blocks spending until it is repaid. */
async function givenDebt({ accountId }: Buyer): Promise<void> {
  const topUp = { accountId, originId: newId() };
  const spent = { accountId, originId: newId(), points: 500n };
  await shop.db.transaction(async (tx) => {
    await grantTopUp(tx, { ...topUp, basic: 500n, present: 0n, presentExpiresAt: null });
    await spendPoints(tx, { ...spent, spendOrder: 'present_first' });
    await keepOfTopUp(tx, { ...topUp, posting: 'refund', basic: 0n, present: 0n });
  });
}

describe('item codes', () => {
  test('a redeem code for an item creates an order paid in E Points that is delivered like any other', async () => {
    const { reply, order } = await redeemedItem();

    expect(reply.reward).toEqual({
      kind: 'item',
      itemId: 'shards_300',
      itemName: '300 Lumen Shards',
      itemArt: 'shard2',
      unit: 'Shards',
      quantity: 300n,
      giftQuantity: 30n,
    });
    const detail = await detailOf(shop, buyer, order);
    expect(detail).toMatchObject({
      method: 'epoint',
      amountMinor: 500n,
      currency: 'EPOINT',
      shown: 'Paid',
    });
    expect(detail.timeline.map(({ step }) => step)).toEqual(['created', 'paid', 'accepted']);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });

    await runJob(shop, 'deliver_order', order);
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect(await grantsOf(shop, order)).toEqual([{ sku: 'lumen_shard', quantity: 330 }]);
    const records = await recordsOf(shop.db, order);
    expect(brokenLinks(records)).toEqual([]);
    expect(await booksOf(shop.db, order)).toMatchObject({
      'player:deposit EPOINT': 0n,
      'house:sales EPOINT': 500n,
    });
  });

  test('a redeem code for an item sent again returns the same order', async () => {
    const { code, reply } = await redeemedItem();
    expect(await redeemed(shop, buyer, code)).toEqual(reply);
    expect(await countOrders(shop, buyer)).toBe(1);
  });

  test.each(['present_first', 'basic_first'] as const)(
    "an order made by a redeem code is paid with the points of the code, not the player's, also where the site spends %s",
    async (spendOrder) => {
      await spendsFirst(spendOrder);
      const presentExpiresAt = new Date(Date.now() + 60 * 60_000);
      await givenPoints(shop, buyer, { basic: 600n, present: 80n, presentExpiresAt });
      const { order } = await redeemedItem();
      expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 600, presentNum: 80 });
      expect(await booksOf(shop.db, order)).toEqual({
        'player:present EPOINT': -500n,
        'player:deposit EPOINT': 500n,
      });
      await spendsFirst('present_first');
    },
  );

  test('an order made by a redeem code for an item is refunded as gift points if the game declines the delivery', async () => {
    await givenPoints(shop, buyer, { basic: 40n });
    const { order } = await redeemedItem();
    await shop.game.tell('/__sandbox/faults', {
      call: 'recharge.deliver',
      kind: 'decline',
      reason: 'limit_reached',
      times: 1,
    });
    await runJob(shop, 'deliver_order', order);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 40, presentNum: 500 });
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Refunded',
      refunds: [{ reason: 'declined_by_game', state: 'done', currency: 'EPOINT' }],
    });
  });

  test('a redeem code for an item is refused while the player owes E Points and works once they are paid back', async () => {
    await givenDebt(buyer);
    const code = await givenCode(shop, { reward: shards });
    expect((await redeem(shop, buyer, code)).code).toBe('EPointDebt');
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: -500, presentNum: 0 });
    await givenPoints(shop, buyer, { basic: 500n });
    expect((await redeemed(shop, buyer, code)).reward.kind).toBe('item');
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
  });

  test('a redeem code for an item is refused and not used up unless the player names an own game character and its server', async () => {
    const code = await givenCode(shop, { reward: shards });
    const { cookie, body } = buyer;
    const { serverId, roleId } = body;
    const tryWith = async (changes: object) => (await redeem(shop, buyer, code, changes)).code;
    expect((await redeem(shop, { cookie }, code)).code).toBe('ServerNotFound');
    expect(await tryWith({ roleId: undefined })).toBe('ServerNotFound');
    expect(await tryWith({ serverId: 's99' })).toBe('ServerNotFound');
    expect(await tryWith({ roleId: 'r_nobody' })).toBe('RoleNotFound');
    // These refusals do not count as guesses, because the code is valid.
    for (let tries = 0; tries < 10; tries += 1) await tryWith({ roleId: 'r_nobody' });
    expect(await tryWith({ serverId, roleId })).toBeNull();
  });

  test.each([
    [
      'does not answer',
      { call: 'recharge.validate', kind: 'http500_before', times: 1 },
      'GameUnavailable',
    ],
    [
      'refuses the item',
      { call: 'recharge.validate', kind: 'refuse', reason: 'item_unavailable', times: 1 },
      'ItemNotForSale',
    ],
  ])('a redeem code for an item is not used up when the game %s', async (_what, fault, refusal) => {
    const code = await givenCode(shop, { reward: shards });
    await shop.game.tell('/__sandbox/faults', fault);
    expect((await redeem(shop, buyer, code)).code).toBe(refusal);
    expect(await countOrders(shop, buyer)).toBe(0);
    await redeemed(shop, buyer, code);
  });

  test('an order made by a redeem code for an item counts neither towards a purchase limit nor as first purchase', async () => {
    await givenOncePerAccount(shop, 'shards_300');
    await givenGiftRule(shop.db, 'double', { firstPurchase: 'of_any' });
    for (const nth of [1, 2]) {
      const { reply, order } = await redeemedItem();
      expect([nth, reply.reward]).toMatchObject([nth, { giftQuantity: 30n }]);
      expect((await detailOf(shop, buyer, order)).giftQuantity).toBe(30n);
    }
    const bought = await eventually(async () => {
      const { data } = await createOrder(shop, buyer, { method: 'epoint' });
      return data !== null && OrderDetail.parse(data);
    });
    expect(bought).toMatchObject({ giftQuantity: 300n, giftReason: 'first_purchase' });
    expect((await createOrder(shop, buyer, { method: 'epoint' })).code).toBe(
      'PurchaseLimitReached',
    );
    await forgetPromotions(shop.db);
    await shop.db.transaction((tx) =>
      tx.run(sql`
        update items set limit_packs = null, limit_per = null, limit_period = null
        where id = 'shards_300'`),
    );
  });

  test('a redeem code batch for an unpriced or unknown item, an unknown site or an unknown coupon is refused', async () => {
    const [code = ''] = await givenCodes(shop);
    const make = (reward: object, changes: object = {}) =>
      importCodes(
        codesOf(shop),
        { terms: termsOf({ reward, ...changes }), by: 'ines' },
        `${code}X`,
      );
    expect(await make({ kind: 'item', itemId: 'money_only' })).toEqual({
      complaints: ['money_only has no price in points'],
    });
    expect(await make({ kind: 'item', itemId: 'nothing' })).toEqual({
      complaints: ['there is no item nothing'],
    });
    expect(await make(shards, { siteId: 'nowhere' })).toEqual({
      complaints: ['there is no site nowhere'],
    });
    expect(await make({ kind: 'coupon', templateId: 'nothing' })).toEqual({
      complaints: ['there is no coupon nothing'],
    });
  });
});

describe('coupon codes', () => {
  test('a redeem code for a coupon issues one coupon and returns the same one when sent again', async () => {
    const templateId = await givenTemplate(shop);
    const code = await givenCode(shop, { reward: { kind: 'coupon', templateId } });
    const reply = await redeemed(shop, buyer, code);
    expect(reply).toMatchObject({
      reward: { kind: 'coupon', couponName: 'Welcome (en-US)' },
      paymentId: null,
    });
    expect(await redeemed(shop, buyer, code)).toEqual(reply);
    const coupons = await couponsOf(shop, buyer);
    expect(coupons.map(({ couponId }) => couponId)).toEqual([
      reply.reward.kind === 'coupon' ? reply.reward.couponId : '',
    ]);
  });

  test('a redeem code for a coupon is not used up by a player who has reached the limit of that coupon', async () => {
    const templateId = await givenTemplate(shop);
    const reward = { kind: 'coupon', templateId };
    const [one = '', two = ''] = await givenCodes(shop, { reward, codes: 2, codesPerAccount: 2 });
    await redeemed(shop, buyer, one);
    expect((await redeem(shop, buyer, two)).code).toBe('RedeemLimitReached');
    await redeemed(shop, await givenBuyer(shop), two);
  });
});
