import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { captured, delivered, expired, first, opened } from '../../../test/facts.ts';
import { givenAccount, givenPlacedOrder, type OrderKey } from '../../../test/orders.ts';
import {
  forgetPromotions,
  givenGiftRule,
  hoursFromNow,
  learn,
  openPromotionsDb,
} from '../../../test/promotions.ts';
import { toOrderDetail } from '../../money/orders/order-view.ts';
import { keyOf, type OrderIntent, placeOrder } from '../../money/orders/orders.ts';
import { type Db, sql } from '../../platform/db.ts';
import { openConditions } from '../conditions/conditions.ts';
import { giftCondition, previewGifts } from './promotions.ts';

let db: Db;
let close: () => Promise<void>;
/** The order intent of a checkout; each test places it for its own player. */
let intent: OrderIntent;
beforeAll(async () => {
  ({ db, close } = await openPromotionsDb({ connectionsMax: 20 }));
  const { order } = await givenPlacedOrder(db);
  intent = {
    clientOrderId: randomUUID(),
    accountId: order.account_id,
    kind: 'item',
    siteId: 'solmere',
    gameId: 'solmere',
    serverId: 's12',
    roleId: 'r_1',
    gameAccountId: 'ga_1',
    itemId: 'shards_300',
    packCount: 1,
    orderType: 'foreign',
    method: 'card',
    system: 'android',
    currency: 'USD',
    amountMinor: 499n,
    expireMinutes: 30,
    promiseHours: 24,
    snapshot: order.snapshot,
  };
});
afterEach(() => forgetPromotions(db));
afterAll(() => close());

const { decide, hold } = openConditions([giftCondition]);
const place = async (changes: Partial<OrderIntent>, country: string | null = null) =>
  await db.transaction(async (tx) => {
    const draft = {
      intent: { ...intent, clientOrderId: randomUUID(), ...changes },
      bonusQuantity: 30n,
      country,
      language: 'en-US',
    };
    const { order, isNew } = await placeOrder(tx, await decide(tx, draft), 'the same');
    if (isNew) await hold(tx, order, draft);
    return order;
  });
const giftOf = ({ snapshot }: Awaited<ReturnType<typeof place>>) =>
  `${snapshot.giftQuantity} ${snapshot.gift?.reason}`;
const pay = (key: OrderKey) => learn(db, key, [opened(first), captured(first)]);

const firstOfAll = { firstPurchase: 'of_any' as const }; // as: keeps the literal types
const firstOfItem = { firstPurchase: 'of_item' as const }; // as: keeps the literal types

/** A game account that the owner got from another account, which had it for some days. */
async function givenMovedGameAccount(
  gameAccountId: string,
  { former, owner }: { former: string; owner: string },
  days = 0,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into former_game_accounts (id, account_id, game_id, game_account_id, bound_at, bound_by,
                                        released_by, reason)
      values (uuidv7(), ${former}, 'solmere', ${gameAccountId},
              now() - make_interval(days => ${days}), 'game', 'ines', 'ticket 4711')`);
    await tx.run(sql`
      insert into game_accounts (account_id, game_id, game_account_id)
      values (${owner}, 'solmere', ${gameAccountId})`);
  });
}

describe('order gifts', () => {
  test('an order without a matching gift rule gets the regular bonus of its pack', async () => {
    const order = await place({ accountId: await givenAccount(db) });
    expect(giftOf(order)).toBe('30 bonus');
  });

  test('an order stores its gift, the gift rule that won and the reason why each other gift rule lost', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'double', { countries: ['DE'], endsAt: hoursFromNow(1) });
    await givenGiftRule(db, 'little', { percent: null, quantity: 31n });
    const order = await place({ accountId }, 'DE');
    expect(order.snapshot).toMatchObject({
      giftQuantity: '300',
      gift: {
        reason: 'for_you',
        rule: { ruleId: 'double', giftPercent: 100, countries: ['DE'] },
        verdicts: [
          { ruleId: 'double', verdict: 'won' },
          { ruleId: 'little', verdict: 'outdone' },
        ],
        inputs: {
          quantity: '300',
          bonusQuantity: '30',
          packCount: 1,
          country: 'DE',
          language: 'en-US',
          bought: [],
          listedIn: [],
        },
      },
    });
    expect(toOrderDetail(order, [], 'en-US')).toMatchObject({
      giftQuantity: 300n,
      giftReason: 'for_you',
    });
  });

  test('an order gets no gift from a gift rule for the other kind of order, for other accounts or whose time is over', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'points', { kind: 'points' });
    await givenGiftRule(db, 'over', { startsAt: hoursFromNow(-2), endsAt: hoursFromNow(-1) });
    await givenGiftRule(db, 'others', { accounts: [await givenAccount(db)] });
    const order = await place({ accountId });
    expect(giftOf(order)).toBe('30 bonus');
    expect(order.snapshot.gift?.verdicts).toEqual([{ ruleId: 'others', verdict: 'not_listed' }]);
  });

  test('an order of an account listed in a gift rule gets the gift of that rule', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'named', { accounts: [accountId] });
    expect(giftOf(await place({ accountId }))).toBe('300 for_you');
  });

  test('a preview of gifts shows the gift that the next order will get and does not use it up', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'first', firstOfAll);
    const asker = { accountId, siteId: 'solmere', country: null, language: 'en-US' };
    const item = { itemId: 'shards_300', quantity: 300n, bonusQuantity: 30n, packCount: 1 };
    const look = async () =>
      (await previewGifts(db, { ...asker, kind: 'item' }, [item])).get('shards_300')?.quantity;
    expect([await look(), await look()]).toEqual([300n, 300n]);
    await place({ accountId });
    expect(await look()).toBe(30n);
  });
});

describe('first-purchase gifts', () => {
  test('a first-purchase gift is given once, to the first order', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'first', firstOfAll);
    const order = await place({ accountId });
    expect([giftOf(order), giftOf(await place({ accountId }))]).toEqual([
      '300 first_purchase',
      '30 bonus',
    ]);
    await pay(keyOf(order));
    expect(giftOf(await place({ accountId }))).toBe('30 bonus');
  });

  // Covers the lock: without it each order reads that nothing was bought.
  test('ten concurrent first purchases of one player give one first-purchase gift', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'first', firstOfAll);
    await givenGiftRule(db, 'first-of-this', { ...firstOfAll, itemId: 'shards_300', percent: 50 });
    const orders = await Promise.all(Array.from({ length: 10 }, () => place({ accountId })));
    const gifts = orders.map(giftOf).toSorted();
    expect(gifts).toEqual(
      [
        '30 bonus',
        '30 bonus',
        '30 bonus',
        '30 bonus',
        '30 bonus',
        '30 bonus',
        '30 bonus',
        '30 bonus',
        '30 bonus',
        '300 first_purchase',
      ].toSorted(),
    );
  });

  test('a first-purchase gift of the kind of_item is given once for each item that a player buys', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'first', firstOfItem);
    const gifts = [];
    for (const itemId of ['shards_300', 'shards_60', 'shards_300']) {
      gifts.push(giftOf(await place({ accountId, itemId })));
    }
    expect(gifts).toEqual(['300 first_purchase_of_item', '300 first_purchase_of_item', '30 bonus']);
  });

  test('a first-purchase gift is available again after its order was closed unpaid', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'first', firstOfAll);
    const order = await place({ accountId });
    await learn(db, keyOf(order), [expired]);
    expect(giftOf(await place({ accountId }))).toBe('300 first_purchase');
    expect(giftOf(await place({ accountId }))).toBe('30 bonus');
  });

  test('a purchase that a player made before the gift rule existed uses up the first-purchase gift', async () => {
    const accountId = await givenAccount(db);
    const { key } = await givenPlacedOrder(db, { accountId, itemId: 'shards_60' });
    await learn(db, key, [opened(first), captured(first), delivered]);
    await givenGiftRule(db, 'first', firstOfAll);
    expect(giftOf(await place({ accountId }))).toBe('30 bonus');
  });

  test('a first-purchase gift is given to each player separately', async () => {
    await givenGiftRule(db, 'first', firstOfAll);
    const gifts = [];
    for (const accountId of [await givenAccount(db), await givenAccount(db)]) {
      gifts.push(giftOf(await place({ accountId })));
    }
    expect(gifts).toEqual(['300 first_purchase', '300 first_purchase']);
  });

  test('a first-purchase gift is given once for a game account that moves from one player account to another', async () => {
    const [former, owner] = [await givenAccount(db), await givenAccount(db)];
    await givenGiftRule(db, 'first', firstOfAll);
    const order = await place({ accountId: former, gameAccountId: 'ga_moved' });
    await learn(db, keyOf(order), [opened(first), captured(first), delivered]);
    await givenMovedGameAccount('ga_moved', { former, owner });
    expect(giftOf(await place({ accountId: owner, gameAccountId: 'ga_moved' }))).toBe('30 bonus');
  });

  test('purchases of a former owner for another game account do not use up the first-purchase gift of the new owner', async () => {
    const [former, owner] = [await givenAccount(db), await givenAccount(db)];
    await givenGiftRule(db, 'first', firstOfAll);
    const order = await place({ accountId: former, gameAccountId: 'ga_kept' });
    await learn(db, keyOf(order), [opened(first), captured(first), delivered]);
    await givenMovedGameAccount('ga_unused', { former, owner });
    expect(giftOf(await place({ accountId: owner, gameAccountId: 'ga_unused' }))).toBe(
      '300 first_purchase',
    );
  });

  test('an account with a game account that another account had long before is not new for gifts to new accounts', async () => {
    const [former, owner] = [await givenAccount(db), await givenAccount(db)];
    const stranger = await givenAccount(db);
    await givenGiftRule(db, 'new', { newAccountDays: 7 });
    await givenMovedGameAccount('ga_old', { former, owner }, 30);
    expect(giftOf(await place({ accountId: owner }))).toBe('30 bonus');
    expect(giftOf(await place({ accountId: stranger }))).not.toBe('30 bonus');
  });

  test('an order request sent five times concurrently with one clientOrderId uses up one first-purchase gift', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'first', firstOfAll);
    const clientOrderId = randomUUID();
    const orders = await Promise.all(
      Array.from({ length: 5 }, () => place({ accountId, clientOrderId })),
    );
    expect(new Set(orders.map(({ payment_id }) => payment_id)).size).toBe(1);
    expect(new Set(orders.map(giftOf))).toEqual(new Set(['300 first_purchase']));
    const Claim = z.object({ payment_id: z.uuid(), scope: z.string() });
    expect(
      await db.many(Claim, sql`select * from gift_claims where account_id = ${accountId}`),
    ).toEqual([{ payment_id: orders[0]?.payment_id, scope: '*' }]);
  });

  test('the gift_claims table refuses to store a first-purchase gift of a player twice', async () => {
    const accountId = await givenAccount(db);
    await givenGiftRule(db, 'first', firstOfAll);
    await place({ accountId });
    await expect(
      db.transaction((tx) =>
        tx.run(sql`
          insert into gift_claims (account_id, payment_id, site_id, item_id, scope, rule_id)
          values (${accountId}, ${randomUUID()}, 'solmere', 'shards_300', '*', 'first')`),
      ),
    ).rejects.toThrow('one_first_purchase');
  });
});
