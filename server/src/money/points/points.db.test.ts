import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenAccount } from '../../../test/orders.ts';
import { type Db, sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { expireLots, giveBackPoints, grantTopUp, pointRecords, walletOf } from './points.ts';
import { givenWallet, openPointsDb, type TestWallet } from './test/wallets.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openPointsDb({ connectionsMax: 20 }));
});
afterAll(() => close());

/** What remains in each lot, the oldest first, and how each entry of the statement came about. */
const remainingOf = async (wallet: TestWallet) =>
  (await wallet.records()).lots.map(({ remaining }) => remaining);
const kindsOf = async (wallet: TestWallet) =>
  (await wallet.records()).entries.map(({ kind }) => kind);

const refusals = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));

describe('topping up', () => {
  test('an account that never had points has none, and its chain begins with its id', async () => {
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

  test('bought and given points are kept apart', async () => {
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

  test('a top-up granted twenty times at once is granted once', async () => {
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
  ])('a top-up that is there with another %s is a bug and is stopped', async (_what, changed) => {
    const wallet = await givenWallet(db);
    const originId = await wallet.topUp({ basic: 100n, present: 20n });
    await expect(wallet.topUp({ originId, ...changed })).rejects.toThrow('granted differently');
    expect(await wallet.balance()).toEqual({ basic: 100n, present: 20n });
  });

  test.each([
    ['nothing', {}, 'entry_changes_something'],
    ['less than nothing', { basic: -1n }, 'entry_goes_the_way_of_its_kind'],
    ['a present taken', { basic: 5n, present: -1n }, 'entry_goes_the_way_of_its_kind'],
  ])('a top-up of %s is refused by the table itself', async (_what, grant, constraint) => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 5n, present: 5n });
    await expect(wallet.topUp(grant)).rejects.toThrow(constraint);
  });

  test('the same origin under two accounts is two top-ups', async () => {
    const [one, other] = [await givenWallet(db), await givenWallet(db)];
    const originId = await one.topUp({ basic: 5n });
    await other.topUp({ basic: 7n, originId });
    expect([await one.balance(), await other.balance()]).toEqual([
      { basic: 5n, present: 0n },
      { basic: 7n, present: 0n },
    ]);
  });
});

describe('spending', () => {
  test('of fifty orders paid at once, a balance for one pays one and refuses the others', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 60n, present: 40n });
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => wallet.spend(100n)));
    expect(refusals(results)).toEqual(Array(49).fill('EPointInsufficient'));
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
    expect(await wallet.faults()).toEqual([]);
  });

  test('an order paid twenty times at once is paid once', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    const originId = newId();
    await Promise.all(Array.from({ length: 20 }, () => wallet.spend(5n, { originId })));
    expect(await wallet.balance()).toEqual({ basic: 95n, present: 0n });
  });

  test('an order that is paid with another number of points is a bug and is stopped', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    const originId = await wallet.spend(5n);
    await expect(wallet.spend(6n, { originId })).rejects.toThrow('posted differently');
    expect(await wallet.balance()).toEqual({ basic: 95n, present: 0n });
  });

  test('top-ups and spends at once lose and make no point, and stand in the order of time', async () => {
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

  test('an account without points is told that they do not suffice', async () => {
    const wallet = await givenWallet(db);
    await expect(wallet.spend(1n)).rejects.toMatchObject({ code: 'EPointInsufficient' });
  });

  test('bought points go first where the site says so', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 10n, present: 10n });
    await wallet.spend(4n, { spendOrder: 'basic_first' });
    expect(await wallet.balance()).toEqual({ basic: 6n, present: 10n });
  });

  test.each([0n, -5n])('%s points cannot be spent', async (points) => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 10n });
    await expect(wallet.spend(points)).rejects.toThrow('cannot be spent');
  });
});

describe('giving back', () => {
  test('points go back to the buckets and lots they came from, the last drawn first', async () => {
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

  test('the same giveback twenty times at once is given once', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    const order = await wallet.spend(100n);
    await Promise.all(Array.from({ length: 20 }, () => wallet.giveBack(order, 5n, 'refund:1')));
    expect(await wallet.balance()).toEqual({ basic: 5n, present: 0n });
    await expect(wallet.giveBack(order, 6n, 'refund:1')).rejects.toThrow('posted differently');
  });

  test('of two orders with the same name for their refund, each gets its own', async () => {
    const wallet = await givenWallet(db);
    await wallet.topUp({ basic: 100n });
    const [one, other] = [await wallet.spend(10n), await wallet.spend(20n)];
    await wallet.giveBack(one, 10n, 'refund');
    await wallet.giveBack(other, 20n, 'refund');
    expect(await wallet.balance()).toEqual({ basic: 100n, present: 0n });
  });

  test('never more is given back than was spent, however many try at once', async () => {
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

  test('what was not spent is not given back, and a name that is taken is not taken again', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 10n });
    await expect(wallet.giveBack(topUp, 1n)).rejects.toThrow('spent no points');
    const order = await wallet.spend(10n);
    await expect(wallet.giveBack(order, 0n)).rejects.toThrow('cannot be given back');
    await expect(wallet.giveBack(order, -1n)).rejects.toThrow('cannot be given back');
    // The sum would be the same; a spend is no giveback all the same.
    await expect(wallet.giveBack(order, 10n, 'spend')).rejects.toThrow('posted differently');
    expect(await wallet.balance()).toEqual({ basic: 0n, present: 0n });
  });

  test('points of a lot that ended live thirty more days in a new one of the same bucket', async () => {
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

describe('a top-up that is taken back', () => {
  test('what was spent of it is a debt that blocks spending and that the next top-up settles', async () => {
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

  test('what expired of its present is not owed', async () => {
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

  test('present that ends while it is taken back lives thirty more days when it is restored', async () => {
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

  test('a step repeated twenty times at once is one step', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n });
    await wallet.spend(100n);
    const steps = Array.from({ length: 20 }, () => wallet.keep(topUp, 40n, 0n, 'refund:1'));
    await Promise.all(steps);
    expect(await wallet.balance()).toEqual({ basic: -60n, present: 0n });
    await expect(wallet.keep(topUp, 30n, 0n, 'refund:1')).rejects.toThrow('kept differently');
  });

  test('a step that once changed nothing changes nothing later either', async () => {
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
    ['more basic than was granted', 101n, 10n],
    ['more present than was granted', 100n, 11n],
    ['less basic than none', -1n, 10n],
    ['less present than none', 100n, -1n],
  ])('it cannot keep %s', async (_what, basic, present) => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n, present: 10n });
    await expect(wallet.keep(topUp, basic, present)).rejects.toThrow('cannot be a step');
  });

  test('it goes one way at a time, and must have been granted', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 100n, present: 10n });
    await wallet.keep(topUp, 50n, 5n);
    await expect(wallet.keep(topUp, 60n, 4n)).rejects.toThrow('cannot be a step');
    await expect(wallet.keep(topUp, 40n, 6n)).rejects.toThrow('cannot be a step');
    await expect(wallet.keep(randomUUID(), 0n, 0n)).rejects.toThrow('was not granted');
    expect(await wallet.balance()).toEqual({ basic: 50n, present: 5n });
  });

  test('another top-up answers with what can be spent before what is frozen', async () => {
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

  test('what is restored goes back to the lot that gave it, not to one that gave for itself', async () => {
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

  test('refunds and spends at once end in the same balance, or in a debt that says so', async () => {
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

describe('a disputed top-up', () => {
  test('its points are there and cannot be spent until the dispute is over', async () => {
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

  test('what comes back to it meanwhile is frozen, in a lot that ended too', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ basic: 10n, present: 5n, days: 5 });
    const order = await wallet.spend(15n);
    await wallet.freeze(topUp);
    await wallet.letDaysPass(6);
    await wallet.giveBack(order, 15n);
    expect(await wallet.frozen()).toEqual({ frozenBasic: 10n, frozenPresent: 5n });
  });

  test('frozen points that end are not counted', async () => {
    const wallet = await givenWallet(db);
    const topUp = await wallet.topUp({ present: 5n, days: 5 });
    await wallet.freeze(topUp);
    await wallet.letDaysPass(6);
    expect(await wallet.frozen()).toEqual({ frozenBasic: 0n, frozenPresent: 0n });
  });

  test('it must have been granted, to this account', async () => {
    const [one, other] = [await givenWallet(db), await givenWallet(db)];
    const topUp = await one.topUp({ basic: 10n });
    await other.topUp({ basic: 10n });
    await expect(other.freeze(topUp)).rejects.toThrow('was not granted');
    expect(await one.frozen()).toEqual({ frozenBasic: 0n, frozenPresent: 0n });
  });

  test('a freeze waits for a spend that is being made, and the spend for it', async () => {
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

describe('expiry', () => {
  test('points past their time are neither shown nor spent, even before the sweep has run', async () => {
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

  test('two workers at once expire each lot once, and only what is due', async () => {
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
      // What ended first is expired first.
      const { entries, lots } = await wallet.records();
      expect(entries.slice(3).map(({ origin_id }) => origin_id)).toEqual([
        lots[1]?.origin_id,
        lots[0]?.origin_id,
      ]);
      expect(await wallet.balance()).toEqual({ basic: 0n, present: 10n });
      expect(await wallet.faults()).toEqual([]);
    }
  });

  test('the sweep takes as many lots as it is told, the ones that ended first', async () => {
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

  test('an account that fails is reported and does not keep the others waiting', async () => {
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

describe('the record of a wallet', () => {
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

  test('it is the newest first, and can be cut to what came or what went', async () => {
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

  test('it is read page by page, each entry once', async () => {
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

  test('a row has time, kind, both changes, both balances and its order, and nothing else', async () => {
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

  test('another account sees nothing of it', async () => {
    await givenHistory();
    expect(await read(await givenAccount(db), 'all')).toEqual({ kinds: [], hasMore: false });
  });
});

test('an id in another spelling is stopped, for its hash would be another', async () => {
  const wallet = await givenWallet(db);
  const originId = newId().toUpperCase();
  await expect(wallet.topUp({ basic: 1n, originId })).rejects.toThrow('not written as an id');
  const topUp = { accountId: wallet.accountId.toUpperCase(), originId: newId() };
  const grant = { ...topUp, basic: 1n, present: 0n, presentExpiresAt: null };
  await expect(db.transaction((tx) => grantTopUp(tx, grant))).rejects.toThrow('as an id');
});

test('points given back and refused later in the same transaction were never given', async () => {
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
