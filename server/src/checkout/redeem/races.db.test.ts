import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, countOrders, givenBuyer } from '../../../test/buying.ts';
import { givenAccount } from '../../../test/orders.ts';
import {
  codesOf,
  givenCode,
  givenCodes,
  ownLimits,
  redeemed,
  shards,
} from '../../../test/redeem.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { walletOf } from '../../money/points/points.ts';
import { sql } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { openQuickLimits } from '../../platform/limits.ts';
import { stopCodes } from './redeem.ts';
import { type RedeemContext, redeemFor } from './redeeming.ts';

let shop: TestShop;
let context: RedeemContext;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', DATABASE_CONNECTIONS: '20', ...ownLimits });
  const { hashOf } = codesOf(shop);
  context = { ...shop, hashOf, limits: openQuickLimits(undefined) };
});
afterAll(() => shop.closeAll());

let networks = 0;

/** Redeems without HTTP, limited only by the number of database connections. */
async function use(
  code: string,
  who: { accountId: string; serverId?: string; roleId?: string },
  how: RedeemContext = context,
) {
  networks += 1;
  const from = { siteId: 'solmere', network: `network ${networks}`, locale: 'en-US' as const }; // as: keeps the literal type
  return await redeemFor(how, { ...from, ...who, code }).catch((error: unknown) => {
    if (error instanceof AppError) return error.code;
    throw error;
  });
}

const accountsOf = (count: number) =>
  Promise.all(Array.from({ length: count }, () => givenAccount(shop.db)));

const pointsOf = async (accounts: readonly string[]) => {
  const wallets = await Promise.all(accounts.map((accountId) => walletOf(shop.db, accountId)));
  return wallets.map(({ present }) => present).filter((present) => present > 0n);
};

async function usesOf(code: string) {
  const { hashOf } = codesOf(shop);
  return await shop.db.one(
    z.object({ uses: z.int(), redemptions: z.int() }),
    sql`
      select uses, (select count(*)::int from redemptions
                    where redemptions.code_hash = redeem_codes.code_hash) as redemptions
      from redeem_codes where code_hash = ${hashOf(code)}`,
  );
}

test('a single-use code that fifty players redeem concurrently is given to exactly one', async () => {
  const code = await givenCode(shop);
  const accounts = await accountsOf(50);
  const answers = await Promise.all(accounts.map((accountId) => use(code, { accountId })));
  expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(1);
  expect(answers.filter((answer) => answer === 'RedeemCodeUsed')).toHaveLength(49);
  expect(await pointsOf(accounts)).toEqual([100n]);
  expect(await usesOf(code)).toEqual({ uses: 1, redemptions: 1 });
});

test('a redeem code sent fifty times concurrently by one player gives its reward once, with the same answer', async () => {
  const code = await givenCode(shop);
  const [accountId = ''] = await accountsOf(1);
  const limits = { ...context.limits, take: async () => true }; // would throttle so many calls
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => use(code, { accountId }, { ...context, limits })),
  );
  expect(answers[0]).toMatchObject({ reward: { kind: 'points' } });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await pointsOf([accountId])).toEqual([100n]);
  expect(await usesOf(code)).toEqual({ uses: 1, redemptions: 1 });
});

test('a redeem code for thirty uses is redeemed by exactly thirty of a hundred concurrent players', async () => {
  const code = await givenCode(shop, { usesPerCode: 30 });
  const accounts = await accountsOf(100);
  const answers = await Promise.all(accounts.map((accountId) => use(code, { accountId })));
  expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(30);
  expect(answers.filter((answer) => answer === 'RedeemCodeUsed')).toHaveLength(70);
  expect(await pointsOf(accounts)).toHaveLength(30);
  expect(await usesOf(code)).toEqual({ uses: 30, redemptions: 30 });
});

test('a player who redeems eight redeem codes of one batch concurrently gets the three allowed per account', async () => {
  const codes = await givenCodes(shop, { codes: 8, codesPerAccount: 3 });
  const [accountId = ''] = await accountsOf(1);
  const answers = await Promise.all(codes.map((code) => use(code, { accountId })));
  expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(3);
  expect(answers.filter((answer) => answer === 'RedeemLimitReached')).toHaveLength(5);
  expect(await pointsOf([accountId])).toEqual([300n]);
});

test('a single-use redeem code for an item that five players redeem concurrently creates exactly one order', async () => {
  const code = await givenCode(shop, { reward: shards });
  const buyers = await Promise.all(Array.from({ length: 5 }, () => givenBuyer(shop)));
  const answers = await Promise.all(
    buyers.map(({ accountId, body }) => use(code, { accountId, ...roleOf(body) })),
  );
  expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(1);
  const orders = await Promise.all(buyers.map((buyer) => countOrders(shop, buyer)));
  expect(orders.toSorted()).toEqual([0, 0, 0, 0, 1]);
  expect(await pointsOf(buyers.map(({ accountId }) => accountId))).toEqual([]);
});

const Role = z.object({ serverId: z.string(), roleId: z.string() });
const roleOf = (body: Buyer['body']) => Role.parse(body);

test('a code redemption whose database connection dies is rolled back, and the redeem code still works', async () => {
  const code = await givenCode(shop, { reward: shards });
  const buyer = await givenBuyer(shop);
  const who = { accountId: buyer.accountId, ...roleOf(buyer.body) };
  const effects = {
    ...shop.effects,
    // Simulates a crash after points, order and payment were written.
    onPaid: async (tx: Parameters<typeof shop.effects.onPaid>[0]) => {
      await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
    },
  };
  const dying = { ...context, payments: { effects } };
  await expect(use(code, who, dying)).rejects.toThrow();

  expect(await countOrders(shop, buyer)).toBe(0);
  expect(await walletOf(shop.db, buyer.accountId)).toMatchObject({ present: 0n, seq: 0 });
  expect(await usesOf(code)).toEqual({ uses: 0, redemptions: 0 });
  expect((await redeemed(shop, buyer, code)).reward.kind).toBe('item');
});

test('a redeem code whose batch is stopped during the call to the game is refused', async () => {
  const code = await givenCode(shop, { reward: shards, name: 'stopped-meanwhile' });
  const buyer = await givenBuyer(shop);
  const who = { accountId: buyer.accountId, ...roleOf(buyer.body) };
  const games = {
    ...shop.games,
    validate: async (...asked: Parameters<typeof shop.games.validate>) => {
      await shop.db.transaction((tx) => stopCodes(tx, { name: 'stopped-meanwhile', by: 'ines' }));
      return await shop.games.validate(...asked);
    },
  };
  expect(await use(code, who, { ...context, games })).toBe('RedeemCodeExpired');
  expect(await countOrders(shop, buyer)).toBe(0);
});

test('the database refuses an extra use of a redeem code, a second use per account and changes of past redemptions', async () => {
  const code = await givenCode(shop);
  const [accountId = ''] = await accountsOf(1);
  await use(code, { accountId });
  const { hashOf } = codesOf(shop);
  const write = (statement: ReturnType<typeof sql>) =>
    shop.db.transaction((tx) => tx.run(statement));
  await expect(
    write(sql`update redeem_codes set uses = uses + 1 where code_hash = ${hashOf(code)}`),
  ).rejects.toThrow('no_code_is_used_more_often_than_it_may');
  await expect(
    write(sql`
      insert into redemptions (account_id, redemption_id, code_hash, batch_id, terms)
      select account_id, gen_random_uuid(), code_hash, batch_id, terms from redemptions
      where account_id = ${accountId}`),
  ).rejects.toThrow('one_use_of_a_code_per_account');
  await expect(write(sql`delete from redemptions`)).rejects.toThrow('append-only');
  await expect(write(sql`update redeem_batches set reward = '{}'`)).rejects.toThrow(
    'batch_gives_something',
  );
});
