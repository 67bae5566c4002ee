import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { asked, captured, delivered, first, opened, settled } from '../../../test/facts.ts';
import {
  givenAccount,
  givenPlacedOrder,
  givenPointsOrder,
  nothingFollows,
  type OrderKey,
} from '../../../test/orders.ts';
import {
  givenCampaign,
  learn,
  openPromotionsDb,
  paid,
  progressOf,
} from '../../../test/promotions.ts';
import type { Fact } from '../../money/orders/order-fact.ts';
import { lockOrder, recordFacts } from '../../money/orders/orders.ts';
import { givePoints } from '../../money/points/given.ts';
import { grantTopUp, spendPoints, walletOf } from '../../money/points/points.ts';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { countForRebates } from './promotions.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openPromotionsDb({ connectionsMax: 20 }));
  await givenCampaign(db, 'packs');
  await givenCampaign(db, 'all-games', { tiers: [[700n, 7n]] });
  await givenCampaign(db, 'points', { kind: 'points', tiers: [[900n, 9n]] });
});
afterAll(() => close());

const effects = { ...nothingFollows, onKept: countForRebates };

/** The number of started transactions. More than requested means that a deadlock was retried. */
let begun = 0;
const inTransaction = (work: (tx: Tx) => Promise<unknown>) =>
  db.transaction(async (tx) => {
    begun += 1;
    await work(tx);
  });
const tell = (key: OrderKey, facts: readonly Fact[]) => () =>
  inTransaction((tx) => recordFacts(tx, effects, key, facts));

/** Pays from the balance, with the lock order of a real payment: order, wallet, effects. */
const payFromBalance = (key: OrderKey) => () =>
  inTransaction(async (tx) => {
    await lockOrder(tx, key);
    const { accountId, paymentId: originId } = key;
    await spendPoints(tx, { accountId, originId, points: 10n, spendOrder: 'present_first' });
    const money = { currency: 'EPOINT' as const, amountMinor: 10n }; // as: keeps the literal types
    await recordFacts(tx, effects, key, [opened(first), captured(first, money), delivered]);
  });

const refund = asked(1, { amountMinor: 300n });

async function ordersOf(accountId: string) {
  const packs: OrderKey[] = [];
  const topUps: OrderKey[] = [];
  const inPoints: OrderKey[] = [];
  const price = { accountId, amountMinor: 300n };
  for (let count = 0; count < 4; count += 1) {
    const pack = (await givenPlacedOrder(db, price)).key;
    await learn(db, pack, paid(300n));
    packs.push(pack);
    topUps.push((await givenPointsOrder(db, price)).key);
    const points = { accountId, amountMinor: 10n, currency: 'EPOINT', method: 'epoint' } as const;
    inPoints.push((await givenPlacedOrder(db, points)).key);
  }
  return { packs, topUps, inPoints };
}

const Kept = z.object({ points: z.bigint() });

/** The points of all credits that the player has earned and not lost. */
const standingOf = async (accountId: string) =>
  (
    await db.one(
      Kept,
      sql`
        select coalesce(sum(present_points), 0)::bigint as points
        from rebate_credits
        where account_id = ${accountId} and 1 = (
          select max(step) % 2 from rebate_credit_steps
          where rebate_credit_steps.account_id = rebate_credits.account_id
            and rebate_credit_steps.campaign_id = rebate_credits.campaign_id
            and rebate_credit_steps.tier = rebate_credits.tier)`,
    )
  ).points;

test('concurrent deliveries, top-ups, E Point payments, refunds and gifts of one account cause no deadlock in the database', async () => {
  for (let round = 0; round < 4; round += 1) {
    const accountId = await givenAccount(db);
    const origin = { accountId, originId: newId(), presentExpiresAt: null };
    await db.transaction((tx) => grantTopUp(tx, { ...origin, basic: 100n, present: 0n }));
    const { packs, topUps, inPoints } = await ordersOf(accountId);
    const gift = { accountId, originId: newId(), reason: 'code', points: 5n, days: 5 } as const;
    const work = [
      ...packs.map((key) => tell(key, [delivered])),
      ...packs.slice(0, 2).map((key) => tell(key, [refund])),
      ...topUps.map((key) => tell(key, paid(300n))),
      ...inPoints.map(payFromBalance),
      () => inTransaction((tx) => givePoints(tx, gift)),
      () => inTransaction((tx) => givePoints(tx, gift)),
    ];
    begun = 0;
    await Promise.all(work.map((run) => run()));
    expect(begun).toBe(work.length);

    begun = 0;
    const back = [
      ...packs.slice(0, 2).map((key) => tell(key, [settled(refund, 'failed')])),
      ...topUps.slice(0, 1).map((key) => tell(key, [refund])),
      ...packs.slice(2).map((key) => tell(key, [refund])),
    ];
    await Promise.all(back.map((run) => run()));
    expect(begun).toBe(back.length);

    // 600 remain in each item campaign and 900 in the points campaign.
    expect(await progressOf(db, accountId)).toBe(600n + 600n + 900n);
    const standing = await standingOf(accountId);
    expect(standing).toBe(50n + 9n);
    const { basic, present } = await walletOf(db, accountId);
    const bought = 100n + 3n * 330n - 4n * 10n;
    expect(basic + present).toBe(bought + standing + 5n);
  }
});
