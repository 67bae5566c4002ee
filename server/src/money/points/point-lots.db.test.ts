import { pointLots } from '@pointgate/contract/points.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Buyer, givenBuyer } from '../../../test/buying.ts';
import { balanceOf } from '../../../test/point-buying.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { newId } from '../../platform/ids.ts';
import { grantTopUp, keepOfTopUp, setTopUpFrozen, spendPoints } from './points.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
beforeEach(async () => {
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000);

async function givenPoints(
  { accountId }: Buyer,
  points: { basic?: bigint; present?: bigint; presentExpiresAt?: Date },
): Promise<string> {
  const { basic = 0n, present = 0n, presentExpiresAt = null } = points;
  const originId = newId();
  await shop.db.transaction((tx) =>
    grantTopUp(tx, { accountId, originId, basic, present, presentExpiresAt }),
  );
  return originId;
}

async function read() {
  const reply = await send(shop, pointLots.path, { cookie: buyer.cookie, body: {} });
  expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
  return pointLots.reply.parse(reply.data);
}

const spend = (points: bigint) =>
  shop.db.transaction((tx) =>
    spendPoints(tx, {
      accountId: buyer.accountId,
      originId: newId(),
      points,
      spendOrder: 'present_first',
    }),
  );

test("the list of a player's points by expiry is empty for an account that never had points", async () => {
  expect(await read()).toEqual({ lots: [], hasMore: false });
});

test("the list of a player's points by expiry begins with the points that expire soonest and ends with those that never expire", async () => {
  const [soon, later] = [daysAhead(3), daysAhead(90)];
  await givenPoints(buyer, { basic: 500n, present: 25n, presentExpiresAt: later });
  await givenPoints(buyer, { basic: 100n, present: 10n, presentExpiresAt: soon });
  await givenPoints(buyer, { present: 7n });
  expect(await read()).toEqual({
    lots: [
      { bucket: 'present', remaining: 10n, expiresAt: soon.toISOString(), isFrozen: false },
      { bucket: 'present', remaining: 25n, expiresAt: later.toISOString(), isFrozen: false },
      { bucket: 'present', remaining: 7n, expiresAt: null, isFrozen: false },
      // Two purchases without expiry are merged into one row.
      { bucket: 'basic', remaining: 600n, expiresAt: null, isFrozen: false },
    ],
    hasMore: false,
  });
});

test("the list of a player's points by expiry excludes spent points and adds up to the balance", async () => {
  await givenPoints(buyer, { basic: 500n, present: 25n, presentExpiresAt: daysAhead(90) });
  await givenPoints(buyer, { present: 10n, presentExpiresAt: daysAhead(3) });
  await spend(15n);
  const { lots } = await read();
  expect(lots.map(({ bucket, remaining }) => [bucket, remaining])).toEqual([
    ['present', 20n],
    ['basic', 500n],
  ]);
  expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 500, presentNum: 20 });
});

test("the list of a player's points by expiry excludes expired points before the sweep has recorded their expiry", async () => {
  await givenPoints(buyer, { basic: 1n });
  const aSecondAgo = new Date(Date.now() - 1_000);
  await givenPoints(buyer, { present: 5n, presentExpiresAt: aSecondAgo });
  expect((await read()).lots).toMatchObject([{ bucket: 'basic', remaining: 1n }]);
});

test("the list of a player's points by expiry has a separate row for points frozen by a dispute", async () => {
  const { accountId } = buyer;
  const expiresAt = daysAhead(30);
  const disputed = await givenPoints(buyer, {
    basic: 100n,
    present: 5n,
    presentExpiresAt: expiresAt,
  });
  await givenPoints(buyer, { basic: 40n, present: 2n, presentExpiresAt: expiresAt });
  await shop.db.transaction((tx) =>
    setTopUpFrozen(tx, { accountId, originId: disputed, isFrozen: true }),
  );
  const { lots } = await read();
  expect(lots.map(({ bucket, remaining, isFrozen }) => [bucket, remaining, isFrozen])).toEqual([
    ['present', 2n, false],
    ['present', 5n, true],
    ['basic', 40n, false],
    ['basic', 100n, true],
  ]);
  expect(await balanceOf(shop, buyer)).toMatchObject({ frozenNum: 105 });
});

test("the list of a player's points by expiry is empty while the balance is negative because a spent top-up was refunded", async () => {
  const { accountId } = buyer;
  const topUp = await givenPoints(buyer, { basic: 100n });
  await spend(80n);
  await shop.db.transaction((tx) =>
    keepOfTopUp(tx, { accountId, originId: topUp, posting: 'refund', basic: 0n, present: 0n }),
  );
  expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: -80 });
  expect((await read()).lots).toEqual([]);
});

test("the list of a player's points by expiry has at most one hundred rows and says whether there are more", async () => {
  for (let day = 1; day <= 100; day += 1) {
    await givenPoints(buyer, { present: 1n, presentExpiresAt: daysAhead(day) });
  }
  const full = await read();
  expect(full).toMatchObject({ hasMore: false, lots: { length: 100 } });
  await givenPoints(buyer, { present: 1n, presentExpiresAt: daysAhead(101) });
  expect(await read()).toEqual({ lots: full.lots, hasMore: true });
});

test("the list of a player's points by expiry has no points of other players", async () => {
  const other = await givenBuyer(shop);
  await givenPoints(other, { basic: 777n, present: 77n });
  expect((await read()).lots).toEqual([]);
});

test('a request for the list of points by expiry is refused if malformed, without a session or cross-site', async () => {
  const { cookie } = buyer;
  const ask = (options: object) => send(shop, pointLots.path, { body: {}, ...options });
  for (const body of [{ accountId: buyer.accountId }, { page: 1 }, []]) {
    expect(await ask({ cookie, body })).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  }
  expect(await ask({})).toMatchObject({ httpStatus: 203, code: 'InvalidToken', data: null });
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect(await ask({ cookie, headers })).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
});
