import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { givenWallet, openPointsDb } from '../../../test/points/wallets.ts';
import { type Db, sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { expireLots, pointRecords } from './points.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openPointsDb({ connectionsMax: 20 }));
});
afterAll(() => close());

const Gift = z.object({
  origin_id: z.uuid(),
  reason: z.string(),
  points: z.bigint(),
  days: z.int().nullable(),
  at: z.date(),
});
const giftsOf = (accountId: string) =>
  db.many(Gift, sql`select * from point_gifts where account_id = ${accountId}`);

const dayMs = 24 * 60 * 60_000;

describe('gifts of points', () => {
  test('gift points are credited with an expiry time, and a database row records the reason of the gift', async () => {
    const wallet = await givenWallet(db);
    const originId = await wallet.give({ points: 50n, days: 30, reason: 'code' });
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 50n });
    const [gift] = await giftsOf(wallet.accountId);
    expect(gift).toMatchObject({ origin_id: originId, reason: 'code', points: 50n, days: 30 });
    const { lots, entries } = await wallet.records();
    expect(entries).toMatchObject([{ kind: 'gift', posting: 'gift', origin_id: originId }]);
    expect(lots).toMatchObject([{ bucket: 'present', granted: 50n, origin_id: originId }]);
    expect(lots[0]?.expires_at?.getTime()).toBe((gift?.at.getTime() ?? 0) + 30 * dayMs);
    expect(await wallet.faults()).toEqual([]);
  });

  test('gift points that are credited without a number of days never expire', async () => {
    const wallet = await givenWallet(db);
    await wallet.give({ days: null });
    expect((await wallet.records()).lots.map(({ expires_at }) => expires_at)).toEqual([null]);
  });

  test('a gift of points that is credited twenty times concurrently under one id is credited once', async () => {
    const wallet = await givenWallet(db);
    const originId = newId();
    await Promise.all(Array.from({ length: 20 }, () => wallet.give({ originId, points: 7n })));
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 7n });
    expect(await giftsOf(wallet.accountId)).toHaveLength(1);
    expect(await wallet.faults()).toEqual([]);
  });

  test.each([
    ['number of points', { points: 11n }],
    ['number of days', { days: 5 }],
    ['reason', { reason: 'code' as const }],
  ])(
    'a gift of points repeated under its id with a different %s is rejected',
    async (_what, changed) => {
      const wallet = await givenWallet(db);
      const originId = await wallet.give({ points: 10n });
      const again = wallet.give({ originId, points: 10n, ...changed });
      await expect(again).rejects.toThrow('given differently');
      expect(await wallet.balance()).toEqual({ basic: 0n, present: 10n });
    },
  );

  test.each([
    ['zero points', 0n],
    ['a negative number of points', -1n],
  ])('a point gift of %s is rejected', async (_what, points) => {
    const wallet = await givenWallet(db);
    await wallet.give({ points: 10n });
    await expect(wallet.give({ points })).rejects.toThrow(/entry_(changes|goes)/);
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 10n });
  });

  test('a gift of points under an id that a top-up has used is rejected', async () => {
    const wallet = await givenWallet(db);
    const originId = await wallet.topUp({ basic: 10n });
    await expect(wallet.give({ originId })).rejects.toThrow('top_up_steps_pkey');
    expect(await wallet.balance()).toEqual({ basic: 10n, present: 0n });
  });

  test("a gift of points is listed as income in the player's point statement", async () => {
    const { accountId, give } = await givenWallet(db);
    await give({ points: 5n });
    const page = { accountId, page: 1, pageSize: 20 };
    const kinds = async (type: 'all' | 'income' | 'expense') =>
      (await pointRecords(db, { ...page, type })).records.map(({ kind }) => kind);
    expect(await kinds('all')).toEqual(['gift']);
    expect(await kinds('income')).toEqual(['gift']);
    expect(await kinds('expense')).toEqual([]);
  });

  test('gift points do not reduce the points that a player owes after a refunded top-up', async () => {
    const wallet = await givenWallet(db);
    const bought = await wallet.topUp({ basic: 10n });
    await wallet.spend(10n);
    await wallet.keep(bought, 0n, 0n);
    await wallet.give({ points: 50n });
    expect(await wallet.balance()).toEqual({ basic: -10n, present: 50n });
    expect(await wallet.faults()).toEqual([]);
  });
});

describe('revoked gifts', () => {
  test('revoking a gift of points takes its unspent points from the wallet, and restoring the gift returns them', async () => {
    const wallet = await givenWallet(db);
    const originId = await wallet.give({ points: 50n, days: 30 });
    await wallet.keepGiven(originId, 0n, 'taken');
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
    await wallet.keepGiven(originId, 50n, 'restored');
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 50n });
    expect(await wallet.faults()).toEqual([]);
  });

  test('revoking a gift of points that is partly spent makes the balance negative, and restoring the gift makes up for it', async () => {
    const wallet = await givenWallet(db);
    const originId = await wallet.give({ points: 50n });
    await wallet.topUp({ basic: 10n });
    await wallet.spend(40n);
    await wallet.keepGiven(originId, 0n, 'taken');
    expect(await wallet.balance()).toEqual({ basic: -30n, present: 0n });
    await wallet.keepGiven(originId, 50n, 'restored');
    expect(await wallet.balance()).toEqual({ basic: 10n, present: 10n });
    expect(await wallet.faults()).toEqual([]);
  });

  test('a gift of points that is revoked twenty times concurrently is revoked once', async () => {
    const wallet = await givenWallet(db);
    const originId = await wallet.give({ points: 50n });
    await wallet.spend(50n);
    await Promise.all(Array.from({ length: 20 }, () => wallet.keepGiven(originId, 0n, 'taken')));
    expect(await wallet.balance()).toEqual({ basic: -50n, present: 0n });
    expect(await wallet.faults()).toEqual([]);
  });

  test('a point gift that was never given cannot be revoked', async () => {
    const wallet = await givenWallet(db);
    await expect(wallet.keepGiven(randomUUID(), 0n)).rejects.toThrow('was not granted');
  });
});

describe('gift expiry', () => {
  test('unspent gift points expire after their number of days, and a later revocation of the gift takes only the spent points', async () => {
    const wallet = await givenWallet(db);
    const originId = await wallet.give({ points: 50n, days: 30 });
    await wallet.spend(20n);
    await wallet.letDaysPass(31);
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
    await expireLots(db, { rowsMax: 100 });
    await wallet.keepGiven(originId, 0n);
    expect(await wallet.balance()).toEqual({ basic: -20n, present: 0n });
    const { entries } = await wallet.records();
    expect(entries.map(({ kind }) => kind)).toEqual(['gift', 'spend', 'expiry', 'claw_back']);
    expect(await wallet.faults()).toEqual([]);
  });
});
