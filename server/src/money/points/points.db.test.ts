import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenAccount } from '../../../test/orders.ts';
import { givenWallet, openPointsDb, type TestWallet } from '../../../test/points/wallets.ts';
import { type Db, sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { expireLots, giveBackPoints, grantTopUp, pointRecords, walletOf } from './points.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openPointsDb({ connectionsMax: 20 }));
});
afterAll(() => close());

/** The remaining points of each lot, oldest first, and the kind of each entry. */
const remainingOf = async (wallet: TestWallet) =>
  (await wallet.records()).lots.map(({ remaining }) => remaining);
const kindsOf = async (wallet: TestWallet) =>
  (await wallet.records()).entries.map(({ kind }) => kind);

const refusals = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));

describe('top-ups', () => {
  test('the wallet of an account without points has a zero balance and a hash chain that begins with the hash of the account id', async () => {
    const accountId = await givenAccount(db);
    expect(await walletOf(db, accountId)).toEqual({
      basic: 0n,
      present: 0n,
      frozenBasic: 0n,
      frozenPresent: 0n,
      seq: 0,
      head: createHash('sha256').update(accountId).digest('hex'),
    });
  });

  test('bought points of a top-up are stored apart from its gift points, which alone expire', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n, present: 20n, days: 90 });
    expect(await wallet.balance()).toEqual({ basic: 100n, present: 20n });
    const { lots } = await wallet.records();
    expect(
      lots.map(({ bucket, granted, expires_at }) => [bucket, granted, expires_at === null]).sort(),
    ).toEqual([
      ['basic', 100n, true],
      ['present', 20n, false],
    ]);
    expect(await wallet.faults()).toEqual([]);
  });

  test('a top-up that is credited twenty times concurrently under one id is credited once', async () => {
    const wallet = await givenWallet(db);
    const originId = newId();
    const grants = Array.from({ length: 20 }, () => wallet.topUp({ originId, basic: 5n }));
    await Promise.all(grants);
    expect(await wallet.balance()).toEqual({ basic: 5n, present: 0n });
    expect(await wallet.faults()).toEqual([]);
  });

  test.each([
    ['basic', { basic: 101n, present: 20n }],
    ['present', { basic: 100n, present: 21n }],
  ])(
    'a top-up of points that is repeated under its id with a different number of %s points is rejected',
    async (_what, changed) => {
      const wallet = await givenWallet(db);
      const originId = await wallet.topUp({ basic: 100n, present: 20n });
      await expect(wallet.topUp({ originId, ...changed })).rejects.toThrow('granted differently');
      expect(await wallet.balance()).toEqual({ basic: 100n, present: 20n });
    },
  );

  test.each([
    ['zero points', {}, 'entry_changes_something'],
    ['a negative number of points', { basic: -1n }, 'entry_goes_the_way_of_its_kind'],
    [
      'a negative number of gift points',
      { basic: 5n, present: -1n },
      'entry_goes_the_way_of_its_kind',
    ],
  ])('the table of point entries rejects a top-up of %s', async (_what, grant, constraint) => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 5n, present: 5n });
    await expect(wallet.topUp(grant)).rejects.toThrow(constraint);
  });

  test('two accounts can each have a top-up of points under the same id', async () => {
    const [one, other] = [await givenWallet(db), await givenWallet(db)];
    const originId = await one.topUp({ basic: 5n });
    await other.topUp({ basic: 7n, originId });
    expect([await one.balance(), await other.balance()]).toEqual([
      { basic: 5n, present: 0n },
      { basic: 7n, present: 0n },
    ]);
  });
});

describe('spends', () => {
  test('fifty concurrent orders paid with points from a balance that covers one: one is paid and the others are refused', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 60n, present: 40n });
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => wallet.spend(100n)));
    expect(refusals(results)).toEqual(Array(49).fill('EPointInsufficient'));
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
    expect(await wallet.faults()).toEqual([]);
  });

  test('twenty concurrent payments of one order with points pay the order once', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    const originId = newId();
    await Promise.all(Array.from({ length: 20 }, () => wallet.spend(5n, { originId })));
    expect(await wallet.balance()).toEqual({ basic: 95n, present: 0n });
  });

  test('a payment with points that is repeated for its order with a different number of points is rejected', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    const originId = await wallet.spend(5n);
    await expect(wallet.spend(6n, { originId })).rejects.toThrow('posted differently');
    expect(await wallet.balance()).toEqual({ basic: 95n, present: 0n });
  });

  test('concurrent top-ups and payments with points neither lose nor create points, and their entries stay in time order', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    await Promise.all([
      ...Array.from({ length: 20 }, () => wallet.topUp({ basic: 3n, present: 2n })),
      ...Array.from({ length: 20 }, () => wallet.spend(4n)),
    ]);
    const { basic, present } = await wallet.balance();
    expect(basic + present).toBe(100n + 20n * 5n - 20n * 4n);
    expect(await wallet.faults()).toEqual([]);
  });

  test('a payment with points by an account without points is refused with EPointInsufficient', async () => {
    const wallet = await givenWallet(db);
    await expect(wallet.spend(1n)).rejects.toMatchObject({ code: 'EPointInsufficient' });
  });

  test('a payment with points spends bought points before gift points where the site is configured so', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 10n, present: 10n });
    await wallet.spend(4n, { spendOrder: 'basic_first' });
    expect(await wallet.balance()).toEqual({ basic: 6n, present: 10n });
  });

  test.each([0n, -5n])('a payment of %s points is rejected by the point wallet', async (points) => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 10n });
    await expect(wallet.spend(points)).rejects.toThrow('cannot be spent');
  });
});

describe('returned points', () => {
  test('points returned by a refund go back to the credits (bought or gift) from which they were spent, the last spent first', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ present: 10n, days: 5 });
    await wallet.topUp({ present: 10n, days: 9 });
    await wallet.topUp({ basic: 10n });
    const order = await wallet.spend(25n);
    expect(await remainingOf(wallet)).toEqual([0n, 0n, 5n]);
    await wallet.giveBack(order, 7n);
    expect(await remainingOf(wallet)).toEqual([0n, 2n, 10n]);
    await wallet.giveBack(order, 18n);
    expect(await remainingOf(wallet)).toEqual([10n, 10n, 10n]);
    expect(await wallet.faults()).toEqual([]);
  });

  test("twenty concurrent returns of an order's points for the same refund return them once", async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    const order = await wallet.spend(100n);
    await Promise.all(Array.from({ length: 20 }, () => wallet.giveBack(order, 5n, 'refund:1')));
    expect(await wallet.balance()).toEqual({ basic: 5n, present: 0n });
    await expect(wallet.giveBack(order, 6n, 'refund:1')).rejects.toThrow('posted differently');
  });

  test('two orders whose refunds have the same posting name each get their own points back', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    const [one, other] = [await wallet.spend(10n), await wallet.spend(20n)];
    await wallet.giveBack(one, 10n, 'refund');
    await wallet.giveBack(other, 20n, 'refund');
    expect(await wallet.balance()).toEqual({ basic: 100n, present: 0n });
  });

  test('concurrent refunds of an order paid with points never return more points than were spent', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 10n });
    const order = await wallet.spend(10n);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => wallet.giveBack(order, 3n)),
    );
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    expect(reasons).toHaveLength(7);
    expect(reasons.every((reason) => reason.includes('more than was spent'))).toBe(true);
    expect(await wallet.balance()).toEqual({ basic: 9n, present: 0n });
  });

  test("a return of an order's points is rejected if the order spent none, the amount is not positive or its posting name is in use", async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 10n });
    await expect(wallet.giveBack(topUp, 1n)).rejects.toThrow('spent no points');
    const order = await wallet.spend(10n);
    await expect(wallet.giveBack(order, 0n)).rejects.toThrow('cannot be given back');
    await expect(wallet.giveBack(order, -1n)).rejects.toThrow('cannot be given back');
    // The amount is the same, but the posting is a spend and not a return.
    await expect(wallet.giveBack(order, 10n, 'spend')).rejects.toThrow('posted differently');
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
  });

  test('gift points that a refund returns after their expiry are gift points again for thirty days', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ present: 10n, days: 5 });
    const order = await wallet.spend(10n);
    await wallet.letDaysPass(6);
    await wallet.giveBack(order, 4n);
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 4n });
    await wallet.letDaysPass(29);
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 4n });
    await wallet.letDaysPass(2);
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
    expect(await wallet.faults()).toEqual([]);
  });
});

describe('top-ups taken back', () => {
  test('a refund of a spent top-up makes the balance negative and blocks payments with points until new top-ups make up for it', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n, present: 20n });
    await wallet.spend(50n);
    await wallet.keep(topUp, 0n, 0n);
    expect(await wallet.balance()).toEqual({ basic: -50n, present: 0n });

    await wallet.topUp({ basic: 30n, present: 60n });
    expect(await wallet.balance()).toEqual({ basic: -20n, present: 60n });
    await expect(wallet.spend(1n)).rejects.toMatchObject({ code: 'EPointDebt' });
    await wallet.topUp({ basic: 30n });
    expect(await wallet.balance()).toEqual({ basic: 10n, present: 60n });
    await wallet.spend(70n);
    expect(await wallet.faults()).toEqual([]);
  });

  test('a refund of a top-up does not make the player owe gift points that have expired unspent', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 10n, present: 10n, days: 5 });
    await wallet.spend(4n);
    await wallet.letDaysPass(6);
    await wallet.keep(topUp, 10n, 0n);
    expect(await wallet.balance()).toEqual({ basic: 6n, present: 0n });
    await wallet.keep(topUp, 10n, 10n);
    expect(await wallet.balance()).toEqual({ basic: 10n, present: 0n });
    expect(await wallet.faults()).toEqual([]);
  });

  test('gift points that expire while their refunded top-up is taken back are usable for thirty days after the top-up is restored', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ present: 10n, days: 5 });
    await wallet.keep(topUp, 0n, 0n);
    await wallet.letDaysPass(6);
    await wallet.keep(topUp, 0n, 10n);
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 10n });
    await wallet.letDaysPass(31);
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
    expect(await wallet.faults()).toEqual([]);
  });

  test('taking back the points of a refunded top-up twenty times concurrently takes them once', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n });
    await wallet.spend(100n);
    const steps = Array.from({ length: 20 }, () => wallet.keep(topUp, 40n, 0n, 'refund:1'));
    await Promise.all(steps);
    expect(await wallet.balance()).toEqual({ basic: -60n, present: 0n });
    await expect(wallet.keep(topUp, 30n, 0n, 'refund:1')).rejects.toThrow('kept differently');
  });

  test('a repeated request to restore the points of a top-up changes nothing after a dispute about the top-up is lost', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n, present: 10n });
    await wallet.keep(topUp, 100n, 10n, 'refund failed:1');
    await wallet.keep(topUp, 0n, 0n, 'lost');
    await wallet.keep(topUp, 100n, 10n, 'refund failed:1');
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
    expect(await kindsOf(wallet)).toEqual(['top_up', 'claw_back']);
    await expect(wallet.keep(topUp, 100n, 0n, 'refund failed:1')).rejects.toThrow('differently');
  });

  test.each([
    ['more basic points than were granted', 101n, 10n],
    ['more present points than were granted', 100n, 11n],
    ['a negative number of basic points', -1n, 10n],
    ['a negative number of present points', 100n, -1n],
  ])(
    'a partial refund of a top-up is rejected by the point wallet if the player would keep %s',
    async (_what, basic, present) => {
      const wallet = await givenWallet(db);
      const topUp = await wallet.topUp({ basic: 100n, present: 10n });
      await expect(wallet.keep(topUp, basic, present)).rejects.toThrow('cannot be a step');
    },
  );

  test('a points ledger step is rejected if it takes back bought points of a top-up while it restores its gift points, or the reverse', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n, present: 10n });
    await wallet.keep(topUp, 50n, 5n);
    await expect(wallet.keep(topUp, 60n, 4n)).rejects.toThrow('cannot be a step');
    await expect(wallet.keep(topUp, 40n, 6n)).rejects.toThrow('cannot be a step');
    await expect(wallet.keep(randomUUID(), 0n, 0n)).rejects.toThrow('was not granted');
    expect(await wallet.balance()).toEqual({ basic: 50n, present: 5n });
  });

  test('a refund of a spent top-up takes the points of other top-ups, and those frozen by a dispute last', async () => {
    const wallet = await givenWallet(db);
    const lost = await wallet.topUp({ basic: 10n });
    await wallet.spend(10n);
    const disputed = await wallet.topUp({ basic: 10n });
    await wallet.topUp({ basic: 10n });
    await wallet.freeze(disputed);
    await wallet.keep(lost, 0n, 0n);
    expect(await remainingOf(wallet)).toEqual([0n, 10n, 0n]);
    await wallet.keep(lost, 10n, 0n);
    expect(await remainingOf(wallet)).toEqual([0n, 10n, 10n]);
  });

  test('points of a restored top-up return to the credit from which the refund took them, not to another refunded top-up', async () => {
    const wallet = await givenWallet(db);
    const spent = await wallet.topUp({ basic: 10n });
    await wallet.spend(10n);
    await wallet.topUp({ basic: 10n });
    const refunded = await wallet.topUp({ basic: 10n });
    await wallet.keep(refunded, 0n, 0n);
    await wallet.keep(spent, 0n, 0n);
    expect(await remainingOf(wallet)).toEqual([0n, 0n, 0n]);
    await wallet.keep(spent, 10n, 0n);
    expect(await remainingOf(wallet)).toEqual([0n, 10n, 0n]);
  });

  test('concurrent payments with points and a refund of their top-up leave a balance that equals the points kept minus the points spent', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n });
    const results = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => wallet.spend(5n)),
      wallet.keep(topUp, 0n, 0n),
    ]);
    const refused = refusals(results);
    const paid = 20 - refused.length;
    expect(await wallet.balance()).toEqual({ basic: BigInt(-5 * paid), present: 0n });
    const code = paid === 0 ? 'EPointInsufficient' : 'EPointDebt';
    expect(refused).toEqual(Array(20 - paid).fill(code));
    expect(await wallet.faults()).toEqual([]);
  });
});

describe('disputed top-ups', () => {
  test('points of a disputed top-up count in the balance but cannot be spent until the dispute ends', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 10n, present: 5n });
    await wallet.topUp({ basic: 3n });
    await wallet.freeze(topUp);
    expect(await wallet.balance()).toEqual({ basic: 13n, present: 5n });
    expect(await wallet.frozen()).toEqual({ frozenBasic: 10n, frozenPresent: 5n });
    await expect(wallet.spend(4n)).rejects.toMatchObject({ code: 'EPointInsufficient' });
    await wallet.spend(3n);
    await wallet.freeze(topUp, false);
    expect(await wallet.frozen()).toEqual({ frozenBasic: 0n, frozenPresent: 0n });
    await wallet.spend(15n);
  });

  test('points that a refund returns to a disputed top-up are frozen, even if they had expired meanwhile', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 10n, present: 5n, days: 5 });
    const order = await wallet.spend(15n);
    await wallet.freeze(topUp);
    await wallet.letDaysPass(6);
    await wallet.giveBack(order, 15n);
    expect(await wallet.frozen()).toEqual({ frozenBasic: 10n, frozenPresent: 5n });
  });

  test('points frozen by a dispute no longer count as frozen once they expire', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ present: 5n, days: 5 });
    await wallet.freeze(topUp);
    await wallet.letDaysPass(6);
    expect(await wallet.frozen()).toEqual({ frozenBasic: 0n, frozenPresent: 0n });
  });

  test("points of another account's top-up cannot be frozen", async () => {
    const [one, other] = [await givenWallet(db), await givenWallet(db)];
    const topUp = await one.topUp({ basic: 10n });
    await other.topUp({ basic: 10n });
    await expect(other.freeze(topUp)).rejects.toThrow('was not granted');
    expect(await one.frozen()).toEqual({ frozenBasic: 0n, frozenPresent: 0n });
  });

  test('points of a disputed top-up that are frozen while other payments run are either spent or frozen, never both', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n });
    const results = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => wallet.spend(5n)),
      wallet.freeze(topUp),
      ...Array.from({ length: 10 }, () => wallet.spend(5n)),
    ]);
    const refused = refusals(results);
    expect(refused).toEqual(Array(refused.length).fill('EPointInsufficient'));
    expect(await wallet.frozen()).toEqual({
      frozenBasic: 100n - 5n * BigInt(20 - refused.length),
      frozenPresent: 0n,
    });
    expect(await wallet.faults()).toEqual([]);
  });
});

describe('point expiry', () => {
  test('expired points are neither shown nor spent even before the sweep has run', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ present: 10n, days: 5 });
    await wallet.topUp({ basic: 10n, present: 10n, days: 9 });
    await wallet.letDaysPass(6);
    expect(await wallet.balance()).toEqual({ basic: 10n, present: 10n });
    await expect(wallet.spend(21n)).rejects.toMatchObject({ code: 'EPointInsufficient' });
    await wallet.spend(20n);
    expect(await kindsOf(wallet)).toEqual(['top_up', 'top_up', 'expiry', 'spend']);
    expect(await wallet.faults()).toEqual([]);
  });

  test('two concurrent sweeps record the expiry of each expired credit of points once and expire no other points', async () => {
    const wallets = await Promise.all(Array.from({ length: 5 }, () => givenWallet(db)));
    for (const wallet of wallets) {
      await wallet.topUp({ present: 10n, days: 5 });
      await wallet.topUp({ present: 10n, days: 4 });
      await wallet.topUp({ present: 10n, days: 9 });
      await wallet.letDaysPass(6);
    }
    await Promise.all(Array.from({ length: 2 }, () => expireLots(db, { rowsMax: 100 })));
    for (const wallet of wallets) {
      expect(await kindsOf(wallet)).toEqual([
        ...['top_up', 'top_up', 'top_up'],
        ...['expiry', 'expiry'],
      ]);
      // The earliest expiry comes first.
      const { entries, lots } = await wallet.records();
      expect(entries.slice(3).map(({ origin_id }) => origin_id)).toEqual([
        lots[1]?.origin_id,
        lots[0]?.origin_id,
      ]);
      expect(await wallet.balance()).toEqual({ basic: 0n, present: 10n });
      expect(await wallet.faults()).toEqual([]);
    }
  });

  test('a sweep of expired points handles at most the given number of credits, the earliest expiry first', async () => {
    await expireLots(db, { rowsMax: 1000 });
    const [later, earlier] = [await givenWallet(db), await givenWallet(db)];
    await later.topUp({ present: 1n, days: 5 });
    await earlier.topUp({ present: 1n, days: 4 });
    await later.letDaysPass(10);
    await earlier.letDaysPass(10);
    await expireLots(db, { rowsMax: 1 });
    expect([await kindsOf(earlier), await kindsOf(later)]).toEqual([
      ['top_up', 'expiry'],
      ['top_up'],
    ]);
    await expireLots(db, { rowsMax: 1 });
    expect(await kindsOf(later)).toEqual(['top_up', 'expiry']);
  });

  test('a sweep that fails to expire the points of one account throws an error but expires the points of the others', async () => {
    const [broken, well] = [await givenWallet(db), await givenWallet(db)];
    for (const wallet of [broken, well]) await wallet.topUp({ present: 10n, days: 5 });
    await broken.letDaysPass(7);
    await well.letDaysPass(6);
    const setPresent = (present: bigint) =>
      db.transaction((tx) =>
        tx.run(sql`update wallets set present = ${present} where account_id = ${broken.accountId}`),
      );
    await setPresent(9n);
    await expect(expireLots(db, { rowsMax: 100 })).rejects.toThrow('cannot expire points');
    expect(await kindsOf(well)).toEqual(['top_up', 'expiry']);
    expect(await kindsOf(broken)).toEqual(['top_up']);
    await setPresent(10n);
    await expireLots(db, { rowsMax: 100 });
    expect(await broken.faults()).toEqual([]);
  });
});

describe('point records', () => {
  async function givenHistory() {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n, present: 10n, days: 5 });
    const order = await wallet.spend(15n);
    await wallet.giveBack(order, 12n);
    await wallet.keep(topUp, 90n, 10n);
    await wallet.keep(topUp, 100n, 10n);
    await wallet.letDaysPass(6);
    await expireLots(db, { rowsMax: 100 });
    return { wallet, topUp, order };
  }

  const read = async (
    accountId: string,
    type: 'all' | 'income' | 'expense',
    page = 1,
    pageSize = 10,
  ) => {
    const { records, hasMore } = await pointRecords(db, { accountId, type, page, pageSize });
    return { kinds: records.map(({ kind }) => kind), hasMore };
  };

  test('the point statement of an account is listed newest first and can be filtered by income or expense', async () => {
    const { wallet } = await givenHistory();
    expect(await read(wallet.accountId, 'all')).toEqual({
      kinds: ['expiry', 'restore', 'claw_back', 'refund', 'spend', 'top_up'],
      hasMore: false,
    });
    expect(await read(wallet.accountId, 'income')).toEqual({
      kinds: ['restore', 'refund', 'top_up'],
      hasMore: false,
    });
    expect(await read(wallet.accountId, 'expense')).toEqual({
      kinds: ['expiry', 'claw_back', 'spend'],
      hasMore: false,
    });
  });

  test('the pages of a point statement have each entry exactly once', async () => {
    const { wallet } = await givenHistory();
    expect(await read(wallet.accountId, 'all', 1, 4)).toEqual({
      kinds: ['expiry', 'restore', 'claw_back', 'refund'],
      hasMore: true,
    });
    expect(await read(wallet.accountId, 'all', 2, 4)).toEqual({
      kinds: ['spend', 'top_up'],
      hasMore: false,
    });
    expect(await read(wallet.accountId, 'all', 1, 6)).toMatchObject({ hasMore: false });
    expect(await read(wallet.accountId, 'all', 3, 4)).toEqual({ kinds: [], hasMore: false });
  });

  test('an entry of the point statement has time, kind, changes, balances and the id of its order or top-up, and nothing else', async () => {
    const { wallet, topUp, order } = await givenHistory();
    const page = { accountId: wallet.accountId, type: 'all' as const, page: 1, pageSize: 10 };
    const { records } = await pointRecords(db, page);
    expect(records[4]).toEqual({
      seq: 2,
      at: expect.any(Date),
      kind: 'spend',
      originId: order,
      basicChange: -5n,
      presentChange: -10n,
      basicAfter: 95n,
      presentAfter: 0n,
    });
    expect(records.map(({ originId }) => originId === topUp)).toEqual([
      ...[true, true, true],
      ...[false, false, true],
    ]);
  });

  test('the point statement of one account is not shown to another account', async () => {
    await givenHistory();
    expect(await read(await givenAccount(db), 'all')).toEqual({ kinds: [], hasMore: false });
  });
});

test('a top-up whose account id or own id is in upper case is rejected, because the hash of its ledger entry would differ', async () => {
  const wallet = await givenWallet(db);
  const originId = newId().toUpperCase();
  await expect(wallet.topUp({ basic: 1n, originId })).rejects.toThrow('not written as an id');
  const topUp = { accountId: wallet.accountId.toUpperCase(), originId: newId() };
  const grant = { ...topUp, basic: 1n, present: 0n, presentExpiresAt: null };
  await expect(db.transaction((tx) => grantTopUp(tx, grant))).rejects.toThrow('as an id');
});

test('points returned by a refund disappear again when the transaction of the refund is rolled back', async () => {
  const wallet = await givenWallet(db);
  await wallet.topUp({ basic: 10n });
  const { accountId } = wallet;
  const originId = await wallet.spend(10n);
  const failing = db.transaction(async (tx) => {
    await giveBackPoints(tx, { accountId, originId, posting: 'refund', points: 10n });
    expect((await walletOf(tx, accountId)).basic).toBe(10n);
    throw new Error('the provider said no');
  });
  await expect(failing).rejects.toThrow('the provider said no');
  expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
  expect(await wallet.faults()).toEqual([]);
});
