import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { anyCommand, type Command, type Step } from '../../../test/points/commands.ts';
import { newModel, perform, resolve } from '../../../test/points/model.ts';
import { givenWallet, openPointsDb, type TestWallet } from '../../../test/points/wallets.ts';
import { type Db, sql } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { smaller } from './lots.ts';
import { deferTopUp, expireLots } from './points.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openPointsDb());
});
afterAll(() => close());

const Row = z.object({
  origin_id: z.uuid(),
  step: z.int(),
  sold_minor: z.bigint(),
  kept_points: z.bigint(),
  remaining: z.bigint(),
  deferred_minor: z.bigint(),
  change_minor: z.bigint(),
});
const rowsOf = ({ accountId }: TestWallet) =>
  db.many(
    Row,
    sql`select * from deferrals where account_id = ${accountId} order by origin_id, step`,
  );

const priced = (
  wallet: TestWallet,
  originId: string,
  minor: bigint,
  points: bigint,
  isNew = false,
) =>
  db.transaction((tx) =>
    deferTopUp(tx, {
      accountId: wallet.accountId,
      originId,
      isNew,
      currency: 'USD',
      soldMinor: minor,
      keptMinor: minor,
      keptPoints: points,
    }),
  );

async function givenTopUp(wallet: TestWallet, points = 500n, minor = 499n): Promise<string> {
  const originId = await wallet.topUp({ basic: points, present: 25n });
  await priced(wallet, originId, minor, points, true);
  return originId;
}

const deferred = async (wallet: TestWallet) =>
  (await rowsOf(wallet)).map(({ deferred_minor, change_minor }) => [deferred_minor, change_minor]);

test('the price of bought points is booked as deferred revenue and recognised as revenue as the points are spent', async () => {
  const wallet = await givenWallet(db);
  await givenTopUp(wallet);
  // Gift points are spent first and have no price.
  await wallet.spend(25n);
  expect(await deferred(wallet)).toEqual([[499n, 499n]]);
  await wallet.spend(200n);
  await wallet.spend(300n);
  expect(await deferred(wallet)).toEqual([
    [499n, 499n],
    [300n, -199n],
    [0n, -300n],
  ]);
});

test("the price of spent points that return to the player's wallet is booked as deferred revenue again", async () => {
  const wallet = await givenWallet(db);
  await givenTopUp(wallet);
  const spent = await wallet.spend(325n);
  await wallet.giveBack(spent, 325n);
  expect((await deferred(wallet)).at(-1)).toEqual([499n, 299n]);
});

test('a point top-up that was credited without deferred revenue gets no deferred revenue later', async () => {
  const wallet = await givenWallet(db);
  const originId = await wallet.topUp({ basic: 500n });
  await wallet.spend(100n);
  await priced(wallet, originId, 300n, 300n);
  expect(await rowsOf(wallet)).toEqual([]);
});

test('the revenue deferral of a top-up that is recorded twice is stored once', async () => {
  const wallet = await givenWallet(db);
  const originId = await givenTopUp(wallet);
  await priced(wallet, originId, 499n, 500n);
  expect(await rowsOf(wallet)).toHaveLength(1);
});

test("the part of a top-up's price that pays off owed points counts as revenue as soon as the points are credited", async () => {
  const wallet = await givenWallet(db);
  const first = await givenTopUp(wallet);
  await wallet.spend(525n);
  await wallet.keep(first, 0n, 0n);
  await priced(wallet, first, 0n, 0n);
  const second = await givenTopUp(wallet, 1000n, 999n);
  const rows = (await rowsOf(wallet)).filter(({ origin_id }) => origin_id === second);
  // A debt of 525 points takes that many of the thousand.
  expect(rows).toMatchObject([{ remaining: 475n, deferred_minor: 999n - (999n * 525n) / 1000n }]);
});

test('the database table of deferred revenue rejects inconsistent rows and any update or deletion of rows', async () => {
  const wallet = await givenWallet(db);
  await wallet.topUp({ basic: 500n });
  const insert = (deferred: bigint, change: bigint, kept = 499n) =>
    db.transaction((tx) =>
      tx.run(sql`
        insert into deferrals (account_id, origin_id, step, currency, sold_minor, kept_minor, kept_points,
          remaining, deferred_minor, change_minor)
        values (${wallet.accountId}, ${newId()}, 1, 'USD', 499, ${kept}, 500, 300, ${deferred}, ${change})`),
    );
  await insert(300n, 300n);
  await expect(insert(299n, 299n)).rejects.toThrow('deferred_is_what_is_not_used');
  await expect(insert(300n, 299n)).rejects.toThrow('first_deferral_starts_from_nothing');
  await expect(insert(299n, 299n, 500n)).rejects.toThrow('kept_is_a_part_of_what_was_sold');
  const write = (statement: ReturnType<typeof sql>) => db.transaction((tx) => tx.run(statement));
  await expect(write(sql`update deferrals set step = 2`)).rejects.toThrow('append-only');
  await expect(write(sql`delete from deferrals`)).rejects.toThrow('append-only');
  await expect(write(sql`truncate deferrals`)).rejects.toThrow('append-only');
});

/** The price of points at seven cents for three. */
const priceOf = (points: number) => BigInt(Math.floor((points * 7) / 3));

async function performWithMoney(wallet: TestWallet, step: Step): Promise<void> {
  switch (step.type) {
    case 'top_up': {
      const { originId, basic, present, days } = step;
      await wallet.topUp({ originId, basic: BigInt(basic), present: BigInt(present), days });
      return await priced(wallet, originId, priceOf(basic), BigInt(basic), true);
    }
    case 'spend': {
      const { originId, points, isBasicFirst } = step;
      const spendOrder = isBasicFirst ? 'basic_first' : 'present_first';
      return void (await wallet.spend(BigInt(points), { originId, spendOrder }));
    }
    case 'give_back':
      return await wallet.giveBack(step.originId, BigInt(step.points), step.posting);
    case 'keep': {
      const { originId, basic, present, posting } = step;
      await wallet.keep(originId, BigInt(basic), BigInt(present), posting);
      return await priced(wallet, originId, priceOf(basic), BigInt(basic));
    }
    case 'freeze':
      return await wallet.freeze(step.originId, step.isFrozen);
    case 'wait':
      return await wallet.letDaysPass(step.days);
    case 'sweep':
      await expireLots(db, { rowsMax: 100 });
  }
}

// Every history starts with a top-up, so that the wallet exists.
const firstOfAll: Command = { type: 'top_up', basic: 9, present: 1, days: 10 };

test('after random wallet commands, the deferred revenue of each top-up matches its unspent points', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { maxLength: 25, size: 'max' }), async (commands) => {
      const model = newModel();
      const wallet = await givenWallet(db);
      for (const command of [firstOfAll, ...commands]) {
        const step = resolve(model, command);
        if (step === undefined) continue;
        await performWithMoney(wallet, step).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
        });
        perform(model, step);
      }
      const { lots } = await wallet.records();
      const byOrigin = Map.groupBy(await rowsOf(wallet), (row) => row.origin_id);
      for (const [originId, rows] of byOrigin) {
        const last = rows.at(-1);
        if (last === undefined) throw new Error('a group has no members');
        const lot = lots.find((one) => one.origin_id === originId && one.bucket === 'basic');
        const remaining = lot?.remaining ?? 0n;
        expect(last.remaining).toBe(remaining);
        const unused = smaller(remaining, last.kept_points);
        const used = last.kept_points - unused;
        const recognised =
          last.kept_points === 0n ? last.sold_minor : (last.sold_minor * used) / last.kept_points;
        expect(last.deferred_minor).toBe(last.sold_minor - recognised);
        expect(rows.reduce((sum, row) => sum + row.change_minor, 0n)).toBe(last.deferred_minor);
        expect(rows.map(({ step }) => step)).toEqual(rows.map((_, index) => index + 1));
      }
    }),
    { numRuns: 30 },
  );
});
