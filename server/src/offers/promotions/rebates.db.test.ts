import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  asked,
  captured,
  delivered,
  disputed,
  first,
  opened,
  settled,
} from '../../../test/facts.ts';
import { givenAccount, givenPlacedOrder, givenPointsOrder } from '../../../test/orders.ts';
import {
  forgetPromotions,
  givenArrived,
  givenCampaign,
  hoursFromNow,
  learn,
  openPromotionsDb,
  paid,
  progressOf,
  stepsOf,
} from '../../../test/promotions.ts';
import { spendPoints, walletOf } from '../../money/points/points.ts';
import { type Db, sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { rebateCampaigns } from './promotions.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openPromotionsDb({ connectionsMax: 20 }));
});
afterEach(() => forgetPromotions(db));
afterAll(() => close());

/** The credit steps of an account, as `tier kind before to after`. */
const toldOf = async (accountId: string) =>
  (await stepsOf(db, accountId)).map(
    ({ tier, kind, progress_before_minor, progress_after_minor }) =>
      `${tier} ${kind} ${progress_before_minor} to ${progress_after_minor}`,
  );
let campaigns = 0;
const aCampaign = (changes: Parameters<typeof givenCampaign>[2] = {}) => {
  campaigns += 1;
  return givenCampaign(db, `campaign-${campaigns}`, changes);
};

describe('earned rebate tiers', () => {
  test("the rebate progress of a player is the sum of the player's paid and delivered orders", async () => {
    await aCampaign();
    const accountId = await givenAccount(db);
    const key = await givenArrived(db, { accountId, amountMinor: 300n });
    expect(await toldOf(accountId)).toEqual([]);
    const second = await givenArrived(db, { accountId, amountMinor: 200n });
    expect(await toldOf(accountId)).toEqual(['1 earned 300 to 500']);
    expect((await stepsOf(db, accountId))[0]?.payment_id).toBe(second.paymentId);
    await learn(db, key, [delivered]);
    expect(await progressOf(db, accountId)).toBe(500n);
  });

  test('a paid order counts towards rebates only once it is delivered', async () => {
    await aCampaign();
    const { key } = await givenPlacedOrder(db);
    await learn(db, key, paid(499n));
    expect(await progressOf(db, key.accountId)).toBe(0n);
    await learn(db, key, [delivered]);
    expect(await progressOf(db, key.accountId)).toBe(499n);
  });

  test('an order that lifts the progress past two rebate tiers earns both tiers', async () => {
    await aCampaign();
    const { accountId } = await givenArrived(db, { amountMinor: 1000n });
    expect(await toldOf(accountId)).toEqual(['1 earned 0 to 1000', '2 earned 0 to 1000']);
  });

  // Covers the wallet lock: without it each order sees only its own progress.
  test('ten orders that are delivered concurrently earn each rebate tier once', async () => {
    await aCampaign();
    const accountId = await givenAccount(db);
    const orders = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { key } = await givenPlacedOrder(db, { accountId, amountMinor: 150n });
        await learn(db, key, paid(150n));
        return key;
      }),
    );
    await Promise.all(orders.map((key) => learn(db, key, [delivered])));
    expect(await progressOf(db, accountId)).toBe(1500n);
    expect(await toldOf(accountId)).toEqual(['1 earned 450 to 600', '2 earned 900 to 1050']);
  });

  test('the rebate tables refuse to credit a tier twice and to delete the history of credits', async () => {
    const campaignId = await aCampaign();
    const { accountId } = await givenArrived(db, { amountMinor: 500n });
    await expect(
      db.transaction((tx) =>
        tx.run(sql`
          insert into rebate_credits
            (account_id, campaign_id, tier, credit_id, from_minor, present_points)
          values (${accountId}, ${campaignId}, 1, gen_random_uuid(), 500, 50)`),
      ),
    ).rejects.toThrow('rebate_credits_pkey');
    await expect(
      db.transaction((tx) => tx.run(sql`delete from rebate_credit_steps`)),
    ).rejects.toThrow('append-only');
  });

  test('a rebate tier credits gift points that expire after the number of days set by the campaign', async () => {
    await aCampaign();
    const { accountId } = await givenArrived(db, { amountMinor: 1000n });
    expect(await walletOf(db, accountId)).toMatchObject({ basic: 0n, present: 170n });
    const gifts = await db.many(
      z.object({ points: z.bigint(), reason: z.string(), days: z.int(), ends: z.date() }),
      sql`
        select points, reason, days, expires_at - make_interval(days => days) as ends
        from point_gifts join point_lots using (account_id, origin_id)
          join rebate_credits on credit_id = origin_id and rebate_credits.account_id = point_lots.account_id
        where point_lots.account_id = ${accountId} and at = expires_at - make_interval(days => days)
        order by points`,
    );
    expect(gifts).toMatchObject([
      { points: 50n, reason: 'rebate', days: 30 },
      { points: 120n, reason: 'rebate', days: 30 },
    ]);
  });

  test('an order that reaches no rebate tier credits no points', async () => {
    await aCampaign();
    const { accountId } = await givenArrived(db, { amountMinor: 499n });
    expect(await walletOf(db, accountId)).toMatchObject({ basic: 0n, present: 0n, seq: 0 });
  });
});

describe('rebate progress', () => {
  test.each<[string, number, number, bigint]>([
    ['at the start of a campaign counts towards its progress', 0, 1000, 499n],
    ['just before the start of a campaign does not count towards its progress', 1, 1000, 0n],
    ['just before the end of a campaign counts towards its progress', -1000, 1, 499n],
    ['at the end of a campaign does not count towards its progress', -1000, 0, 0n],
  ])(
    'a payment counts towards a rebate campaign only if it was made in the campaign period: a payment captured %s',
    async (_when, startsMs, endsMs, progress) => {
      const { key } = await givenPlacedOrder(db);
      await learn(db, key, paid(499n));
      const paidAt = Date.UTC(2026, 2, 1, 12);
      await db.transaction((tx) =>
        tx.run(sql`
        update orders set paid_at = ${new Date(paidAt)}
        where account_id = ${key.accountId} and payment_id = ${key.paymentId}`),
      );
      await aCampaign({
        startsAt: new Date(paidAt + startsMs),
        endsAt: new Date(paidAt + endsMs),
      });
      // The delivery comes after the campaign has ended.
      await learn(db, key, [delivered]);
      expect(await progressOf(db, key.accountId)).toBe(progress);
    },
  );

  test('a payment in another currency than that of a rebate campaign does not count towards the campaign', async () => {
    await aCampaign({ currency: 'EUR' });
    const { accountId } = await givenArrived(db, { amountMinor: 1000n });
    expect(await progressOf(db, accountId)).toBe(0n);
  });

  test('an item order counts towards the rebate campaign of its game, not of another game or of points', async () => {
    await aCampaign({ kind: 'points' });
    await aCampaign({ gameId: 'solmere' });
    const { accountId } = await givenArrived(db, { amountMinor: 100n });
    const elsewhere = await givenArrived(db, { amountMinor: 100n, gameId: 'another' });
    expect([await progressOf(db, accountId), await progressOf(db, elsewhere.accountId)]).toEqual([
      100n,
      0n,
    ]);
  });

  test('an order that buys E Points counts towards a rebate campaign for points and not towards one for items', async () => {
    await aCampaign();
    await aCampaign({ kind: 'points' });
    const { key } = await givenPointsOrder(db);
    await learn(db, key, paid(499n));
    expect(await progressOf(db, key.accountId)).toBe(499n);
  });

  test('an order paid in E Points does not count towards a rebate campaign', async () => {
    await aCampaign({ tiers: [[1n, 1n]] });
    const { key } = await givenPlacedOrder(db, { currency: 'EPOINT', method: 'epoint' });
    const money = { currency: 'EPOINT' as const }; // as: keeps the literal types
    await learn(db, key, [opened(first), captured(first, money), delivered]);
    expect(await progressOf(db, key.accountId)).toBe(0n);
  });
});

describe('rebates of refunded orders', () => {
  const all = asked(1, { amountMinor: 600n });

  test('a refund takes back rebate progress and tier once, as soon as the refund is requested', async () => {
    await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    await learn(db, key, [all]);
    await learn(db, key, [settled(all, 'done')]);
    expect(await toldOf(key.accountId)).toEqual(['1 earned 0 to 600', '1 taken_back 600 to 0']);
    expect(await progressOf(db, key.accountId)).toBe(0n);
  });

  test('a failed refund gives the player back the rebate tier that the refund had taken', async () => {
    await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    await learn(db, key, [all]);
    await learn(db, key, [settled(all, 'failed')]);
    expect(await toldOf(key.accountId)).toEqual([
      '1 earned 0 to 600',
      '1 taken_back 600 to 0',
      '1 restored 0 to 600',
    ]);
  });

  test('a partial refund takes a rebate tier back only if the remaining progress no longer reaches the tier', async () => {
    await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    await learn(db, key, [asked(1, { amountMinor: 100n })]);
    expect(await toldOf(key.accountId)).toEqual(['1 earned 0 to 600']);
    await learn(db, key, [asked(2, { amountMinor: 1n })]);
    expect(await toldOf(key.accountId)).toEqual(['1 earned 0 to 600', '1 taken_back 500 to 499']);
  });

  test('a lost dispute takes a rebate tier back, an open one does not, and a reinstated one gives the tier back', async () => {
    await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    await learn(db, key, [disputed('open', { amountMinor: 600n })]);
    expect(await toldOf(key.accountId)).toEqual(['1 earned 0 to 600']);
    await learn(db, key, [disputed('lost', { amountMinor: 600n })]);
    expect(await toldOf(key.accountId)).toEqual(['1 earned 0 to 600', '1 taken_back 600 to 0']);
    await learn(db, key, [disputed('reinstated', { amountMinor: 600n })]);
    expect((await toldOf(key.accountId)).at(-1)).toBe('1 restored 0 to 600');
  });

  test('a rebate tier that is reached again after a refund is restored instead of being credited a second time', async () => {
    await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    const { accountId } = key;
    await learn(db, key, [all]);
    await givenArrived(db, { accountId, amountMinor: 500n });
    expect((await toldOf(accountId)).at(-1)).toBe('1 restored 0 to 500');
  });

  test('a refund takes rebate points back, and points already spent make the balance negative', async () => {
    await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    const { accountId } = key;
    await db.transaction((tx) =>
      spendPoints(tx, { accountId, originId: newId(), points: 20n, spendOrder: 'present_first' }),
    );
    await learn(db, key, [all]);
    expect(await walletOf(db, accountId)).toMatchObject({ basic: -20n, present: 0n });
    await learn(db, key, [settled(all, 'failed')]);
    expect(await walletOf(db, accountId)).toMatchObject({ basic: 0n, present: 30n });
  });

  test('a refund reduces the progress of a rebate campaign that counted the order, even if the campaign was shortened meanwhile', async () => {
    const campaignId = await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    await db.transaction((tx) =>
      tx.run(sql`
        update rebate_campaigns set ends_at = starts_at + interval '1 minute'
        where id = ${campaignId}`),
    );
    await learn(db, key, [all]);
    expect((await toldOf(key.accountId)).at(-1)).toBe('1 taken_back 600 to 0');
    expect(await walletOf(db, key.accountId)).toMatchObject({ basic: 0n, present: 0n });
  });

  test('a refund after the end of a rebate campaign still takes the rebate tier back', async () => {
    const campaignId = await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    await db.transaction((tx) =>
      tx.run(sql`update rebate_campaigns set ends_at = clock_timestamp() where id = ${campaignId}`),
    );
    await learn(db, key, [all]);
    expect((await toldOf(key.accountId)).at(-1)).toBe('1 taken_back 600 to 0');
  });

  test('a refund and a delivery at the same moment leave the player the rebate tiers that the resulting progress reaches', async () => {
    await aCampaign({
      tiers: [
        [500n, 50n],
        [2000n, 120n],
      ],
    });
    const key = await givenArrived(db, { amountMinor: 600n });
    const { accountId } = key;
    const other = await givenPlacedOrder(db, { accountId, amountMinor: 500n });
    await learn(db, other.key, paid(500n));
    await Promise.all([learn(db, key, [all]), learn(db, other.key, [delivered])]);
    expect(await progressOf(db, accountId)).toBe(500n);
    const [campaign] = await rebateCampaigns(
      db,
      { accountId, siteId: 'solmere', kind: 'item', gameId: 'solmere' },
      'en-US',
    );
    expect(campaign?.tiers.map(({ state }) => state)).toEqual(['earned', 'open']);
  });
});

describe('changed rebate terms', () => {
  test('a rebate threshold that is raised takes nothing from a player who has already reached the tier', async () => {
    const campaignId = await aCampaign();
    const key = await givenArrived(db, { amountMinor: 600n });
    const { accountId } = key;
    await db.transaction((tx) =>
      tx.run(sql`
        update rebate_tiers set from_minor = 900 where campaign_id = ${campaignId} and tier = 1`),
    );
    await givenArrived(db, { accountId, amountMinor: 100n });
    expect(await toldOf(accountId)).toEqual(['1 earned 0 to 600']);
  });
});

describe('shown rebate campaigns', () => {
  const shown = async (accountId: string) =>
    (
      await rebateCampaigns(
        db,
        { accountId, siteId: 'solmere', kind: 'item', gameId: 'solmere' },
        'de-DE',
      )
    ).map(({ campaignId }) => campaignId);

  test('rebate campaigns are shown from their start until thirty days after their end', async () => {
    const accountId = await givenAccount(db);
    const day = 24;
    await aCampaign({ startsAt: hoursFromNow(1), endsAt: hoursFromNow(2) });
    const running = await aCampaign();
    const over = await aCampaign({
      startsAt: hoursFromNow(-40 * day),
      endsAt: hoursFromNow(-29 * day),
    });
    await aCampaign({ startsAt: hoursFromNow(-40 * day), endsAt: hoursFromNow(-31 * day) });
    expect(await shown(accountId)).toEqual([over, running]);
  });

  test('rebate campaigns are shown for the requested kind and game only', async () => {
    const accountId = await givenAccount(db);
    await aCampaign({ kind: 'points' });
    const here = await aCampaign({ gameId: 'solmere' });
    expect(await shown(accountId)).toEqual([here]);
  });
});
