import { itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import { paymentsOfRecords, pointRecord } from '@pointgate/contract/points.ts';
import { pointsRebateInfo, rebateInfo } from '@pointgate/contract/promotions.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Buyer, givenBuyer } from '../../../test/buying.ts';
import { askRefund, givenArrivedOrder, givenPaidOrder } from '../../../test/money-back.ts';
import { createPointsOrder } from '../../../test/point-buying.ts';
import { givenCampaign, givenGiftRule } from '../../../test/promotions.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';

let shop: TestShop;
let buyer: Buyer;
let other: Buyer;
beforeAll(async () => {
  shop = await openTestShop();
  buyer = await givenBuyer(shop);
  other = await givenBuyer(shop);
  await givenCampaign(shop.db, 'harvest', {
    tiers: [
      [499n, 50n],
      [1000n, 120n],
    ],
  });
  await givenCampaign(shop.db, 'points-harvest', { kind: 'points' });
});
afterAll(() => shop.closeAll());

const ask = async ({ cookie }: { cookie: string | undefined }, headers = {}) =>
  await send(shop, rebateInfo.path, { cookie, body: { gameId: 'solmere' }, headers });
const told = async (who: Buyer) => rebateInfo.reply.parse((await ask(who)).data).campaigns;

test("[S7.15] the rebate info shows a campaign with its tiers, the player's progress and the orders that earned a tier", async () => {
  const [before] = await told(buyer);
  expect(before).toMatchObject({
    campaignId: 'harvest',
    name: 'Harvest',
    currency: 'USD',
    presentDays: 30,
    progressMinor: 0n,
    nextTier: { tier: 1, fromMinor: 499n, presentPoints: 50n, missingMinor: 499n },
    history: [],
  });

  const order = await givenArrivedOrder(shop, buyer);
  const [after] = await told(buyer);
  expect(after).toMatchObject({
    progressMinor: 499n,
    tiers: [
      { tier: 1, fromMinor: 499n, presentPoints: 50n, state: 'earned' },
      { tier: 2, fromMinor: 1000n, presentPoints: 120n, state: 'open' },
    ],
    nextTier: { tier: 2, fromMinor: 1000n, presentPoints: 120n, missingMinor: 501n },
    history: [
      {
        tier: 1,
        kind: 'earned',
        presentPoints: 50n,
        paymentId: order.paymentId,
        progressBeforeMinor: 0n,
        progressAfterMinor: 499n,
      },
    ],
  });

  // Another player sees the campaign but not this player's progress.
  const reply = await ask(other);
  expect(JSON.stringify(reply)).not.toContain(order.paymentId);
  expect(await told(other)).toEqual([{ ...before }]);

  await askRefund(shop, order);
  const [back] = await told(buyer);
  expect(back).toMatchObject({ progressMinor: 0n, tiers: [{ state: 'taken_back' }, {}] });
  expect(back?.history.map(({ kind }) => kind)).toEqual(['taken_back', 'earned']);
});

test('[S2.09] [S7.14] each pack shows the rebate points that buying it now would earn the player', async () => {
  const player = await givenBuyer(shop);
  const rebates = async () => {
    const body = { gameId: 'solmere', system: 'android' };
    const { data } = await send(shop, itemGroups.path, { cookie: player.cookie, body });
    const { groups } = itemGroups.reply.parse(data);
    const items = groups.flatMap(({ items }) => items);
    return Object.fromEntries(
      items.map(({ price, rebatePoints }) => [price.amountMinor, rebatePoints]),
    );
  };
  // A price of 99 reaches no tier, 499 the first and 1499 both.
  expect(await rebates()).toMatchObject({ 99: null, 499: 50n, 1499: 170n });
  const order = await givenArrivedOrder(shop, player);
  expect(await rebates()).toMatchObject({ 99: null, 499: null, 1499: 120n });
  await askRefund(shop, order);
  expect(await rebates()).toMatchObject({ 499: 50n, 1499: 170n });

  const body = { system: 'android' };
  const { data } = await send(shop, pointPacks.path, { cookie: player.cookie, body });
  const { packs } = pointPacks.reply.parse(data);
  expect(packs.every(({ rebatePoints }) => rebatePoints === 50n)).toBe(false);
  expect(packs.some(({ rebatePoints }) => rebatePoints !== null)).toBe(true);
});

test('[S7.31] the payments behind E Point statement entries name the rebate campaign and the order of a rebate gift', async () => {
  const player = await givenBuyer(shop);
  const order = await givenArrivedOrder(shop, player);
  const page = { cookie: player.cookie, body: { page: 1, type: 'all' } };
  const { records } = pointRecord.reply.parse((await send(shop, pointRecord.path, page)).data);
  const giftId = records.find(({ kind }) => kind === 'gift')?.paymentId;
  const detailsFor = async ({ cookie }: Buyer, headers = {}) => {
    const body = { paymentIds: [giftId] };
    const { data } = await send(shop, paymentsOfRecords.path, { cookie, body, headers });
    return paymentsOfRecords.reply.parse(data);
  };
  const gift = { giftId, reason: 'rebate', campaignName: 'Harvest', paymentId: order.paymentId };
  expect(await detailsFor(player)).toEqual({ payments: [], gifts: [gift] });
  const german = await detailsFor(player, { 'accept-language': 'de-DE' });
  expect(german.gifts).toEqual([{ ...gift, campaignName: 'Ernte' }]);
  expect(await detailsFor(other)).toEqual({ payments: [], gifts: [] });

  // A refund takes the gift back, but its reason can still be looked up.
  await askRefund(shop, order);
  expect((await detailsFor(player)).gifts).toEqual([gift]);
});

test('the rebate info names campaigns in the language of the player', async () => {
  const reply = await ask(buyer, { 'accept-language': 'de-DE' });
  expect(JSON.stringify(reply.data)).toContain('Ernte');
});

test('[S7.33] the E Point rebate info shows campaigns for points only', async () => {
  const { cookie } = buyer;
  const { data } = await send(shop, pointsRebateInfo.path, { cookie, body: {} });
  const { campaigns } = pointsRebateInfo.reply.parse(data);
  expect(campaigns.map(({ campaignId }) => campaignId)).toEqual(['points-harvest']);
});

test.each([
  ['S7.15', rebateInfo.path, {}],
  ['S7.15', rebateInfo.path, { gameId: 'NO SLUG' }],
  ['S7.15', rebateInfo.path, { gameId: 'solmere', accountId: 'somebody' }],
  ['S7.33', pointsRebateInfo.path, { gameId: 'solmere' }],
])(
  '[%s] the rebate info call %s refuses the malformed request body %j',
  async (_statement, path, body) => {
    const { cookie } = buyer;
    expect(await send(shop, path, { cookie, body })).toMatchObject({
      httpStatus: 400,
      code: 'InvalidParams',
    });
  },
);

test.each([
  ['S7.15', rebateInfo.path, { gameId: 'solmere' }],
  ['S7.33', pointsRebateInfo.path, {}],
])(
  '[%s] the rebate info call %s refuses requests without a session or from another origin',
  async (_statement, path, body) => {
    expect(await send(shop, path, { body })).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
    const { cookie } = buyer;
    const headers = { 'sec-fetch-site': 'cross-site' };
    const foreign = await send(shop, path, { cookie, body, headers });
    expect(foreign).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
  },
);

test('[S7.15] the rebate info of a game that the site does not sell is refused', async () => {
  const { cookie } = buyer;
  const reply = await send(shop, rebateInfo.path, { cookie, body: { gameId: 'another' } });
  expect(reply).toMatchObject({ httpStatus: 200, isSuccess: false, code: 'ItemNotForSale' });
});

test("a player's first order shows the first-purchase gift and its reason, the second order only the regular bonus", async () => {
  await givenGiftRule(shop.db, 'first', { firstPurchase: 'of_any' });
  const player = await givenBuyer(shop);
  const giftOf = async (paymentId: string) => {
    const { cookie } = player;
    const reply = await send(shop, '/api/payment/order/detail', { cookie, body: { paymentId } });
    return reply.data;
  };
  const one = await givenPaidOrder(shop, player);
  const two = await givenPaidOrder(shop, player);
  expect(await giftOf(one.paymentId)).toMatchObject({
    giftQuantity: '300',
    giftReason: 'first_purchase',
  });
  expect(await giftOf(two.paymentId)).toMatchObject({ giftReason: 'bonus' });
});

test('an order that buys E Points gets the gift of a matching gift rule', async () => {
  await givenGiftRule(shop.db, 'points', { kind: 'points', endsAt: new Date(Date.now() + 60_000) });
  const { data } = await createPointsOrder(shop, await givenBuyer(shop));
  expect(data).toMatchObject({ giftQuantity: '500', giftReason: 'limited_time' });
});
