import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import {
  ledgerFilePath,
  paymentsOfRecords,
  pointBalance,
  pointRecord,
} from '@pointgate/contract/points.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Buyer, givenBuyer, givenOrder } from '../../test/buying.ts';
import { askRefund } from '../../test/money-back.ts';
import {
  balanceOf,
  givenPaidInPoints,
  givenPoints,
  givenPointsOrder,
  givenTopUp,
} from '../../test/point-buying.ts';
import { openTestShop, type Reply, send, type TestShop } from '../../test/shop.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  shop.startWorker();
});
beforeEach(async () => {
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

/** Checks that a path refuses malformed, unauthenticated and cross-site requests. */
async function refusesInvalidRequests(path: string, good: object, malformed: readonly object[]) {
  const { cookie } = buyer;
  for (const body of [...malformed, { ...good, accountId: buyer.accountId }]) {
    expect(await send(shop, path, { cookie, body })).toMatchObject({
      httpStatus: 400,
      code: 'InvalidParams',
      data: null,
    });
  }
  expect(await send(shop, path, { body: good })).toMatchObject({
    httpStatus: 203,
    code: 'InvalidToken',
    data: null,
  });
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect(await send(shop, path, { cookie, body: good, headers })).toMatchObject({
    httpStatus: 403,
    code: 'ForeignOrigin',
  });
}

describe('E Point balance', () => {
  const overage = (cookie: string | undefined, userId: unknown) =>
    send(shop, pointBalance.path, { cookie, body: { userId } });

  test('[S7.29] the E Point balance of a game account is two numbers: bought points and gift points', async () => {
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
    await givenTopUp(shop, buyer);
    const reply = await overage(buyer.cookie, buyer.gameAccountId);
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true, code: null });
    expect(reply.data).toEqual({
      basicNum: 500,
      presentNum: 25,
      frozenNum: 0,
      ledgerHead: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect((await overage(buyer.cookie, buyer.gameAccountId)).data).toEqual(reply.data);
  });

  test("the E Point balance of another player's game account is refused as if the account did not exist", async () => {
    const other = await givenBuyer(shop);
    await givenPoints(shop, other, { basic: 777n });
    const [foreign, none] = [
      await overage(buyer.cookie, other.gameAccountId),
      await overage(buyer.cookie, 'ga_nobody'),
    ];
    expect(foreign).toMatchObject({
      httpStatus: 200,
      isSuccess: false,
      code: 'GameAccountNotFound',
      data: null,
    });
    expect(withoutRequestId(foreign)).toEqual(withoutRequestId(none));
  });

  test('an E Point balance request that is malformed, without a session or from another origin is refused', async () => {
    await refusesInvalidRequests(pointBalance.path, { userId: buyer.gameAccountId }, [
      {},
      { userId: '' },
      { userId: 5 },
      { userId: null },
      { userId: 'a b' },
      { userId: 'x'.repeat(65) },
    ]);
  });
});

describe('E Point statement', () => {
  const ask = (body: object) => send(shop, pointRecord.path, { cookie: buyer.cookie, body });
  const read = async (
    page: number,
    type: 'all' | 'income' | 'expense' = 'all',
  ): Promise<ReplyOf<typeof pointRecord>> => {
    const reply = await ask({ page, type });
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
    return pointRecord.reply.parse(reply.data);
  };

  test('[S7.30] the E Point statement lists changes newest first, with the balances after each and its order', async () => {
    const topUp = await givenTopUp(shop, buyer);
    const spend = await givenPaidInPoints(shop, buyer);
    await askRefund(shop, spend, { amountMinor: 200n });

    const { records, ...page } = await read(1);

    expect(page).toEqual({ page: 1, pageSize: 20, hasMore: false });
    expect(records.map(({ at: _at, ...record }) => record)).toEqual([
      {
        seq: 3,
        kind: 'refund',
        basicChange: 200n,
        presentChange: 0n,
        basicAfter: 225n,
        presentAfter: 0n,
        paymentId: spend.paymentId,
      },
      {
        seq: 2,
        kind: 'spend',
        basicChange: -475n,
        presentChange: -25n,
        basicAfter: 25n,
        presentAfter: 0n,
        paymentId: spend.paymentId,
      },
      {
        seq: 1,
        kind: 'top_up',
        basicChange: 500n,
        presentChange: 25n,
        basicAfter: 500n,
        presentAfter: 25n,
        paymentId: topUp.paymentId,
      },
    ]);
    const times = records.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    const kinds = async (type: 'income' | 'expense') =>
      (await read(1, type)).records.map(({ kind }) => kind);
    expect(await kinds('income')).toEqual(['refund', 'top_up']);
    expect(await kinds('expense')).toEqual(['spend']);
  });

  test('the E Point statement lists expired points as an expense', async () => {
    const aSecondAgo = new Date(Date.now() - 1000);
    await givenPoints(shop, buyer, { present: 5n, presentExpiresAt: aSecondAgo });
    await givenPoints(shop, buyer, { basic: 1n });
    expect((await read(1, 'expense')).records).toMatchObject([
      { kind: 'expiry', presentChange: -5n, presentAfter: 0n },
    ]);
    expect((await read(1, 'income')).records.map(({ kind }) => kind)).toEqual(['top_up', 'top_up']);
  });

  test('the pages of the E Point statement together hold every entry once', async () => {
    for (let count = 0; count < 41; count += 1) await givenPoints(shop, buyer, { basic: 1n });
    const pages = [await read(1), await read(2), await read(3), await read(4)];
    expect(pages.map(({ page, hasMore, records }) => [page, hasMore, records.length])).toEqual([
      [1, true, 20],
      [2, true, 20],
      [3, false, 1],
      [4, false, 0],
    ]);
    const seqs = pages.flatMap(({ records }) => records.map(({ seq }) => seq));
    expect(seqs).toEqual(Array.from({ length: 41 }, (_, index) => 41 - index));
    expect(await read(2, 'income')).toEqual(pages[1]);
    expect((await read(1, 'expense')).records).toEqual([]);
  });

  test('the E Point statement reports no further page after exactly one full page', async () => {
    for (let count = 0; count < 20; count += 1) await givenPoints(shop, buyer, { basic: 1n });
    expect(await read(1)).toMatchObject({ hasMore: false, records: { length: 20 } });
  });

  test('the E Point statement holds no entries of other players', async () => {
    const other = await givenBuyer(shop);
    await givenPoints(shop, other, { basic: 777n });
    expect((await read(1)).records).toEqual([]);
  });

  test('an E Point statement request that is malformed, without a session or cross-site is refused', async () => {
    await refusesInvalidRequests(pointRecord.path, { page: 1, type: 'all' }, [
      {},
      { page: 0, type: 'all' },
      { page: -1, type: 'all' },
      { page: 1.5, type: 'all' },
      { page: '1', type: 'all' },
      { page: 10_001, type: 'all' },
      { page: 1 },
      { page: 1, type: 'everything' },
    ]);
  });
});

describe('payments behind statement entries', () => {
  const details = async (paymentIds: readonly unknown[], cookie = buyer.cookie) =>
    await send(shop, paymentsOfRecords.path, { cookie, body: { paymentIds } });

  test("[S7.31] the call for the payments behind E Point statement entries returns the player's own orders and no foreign or unknown ones", async () => {
    const topUp = await givenTopUp(shop, buyer);
    const spend = await givenPaidInPoints(shop, buyer);
    const other = await givenBuyer(shop);
    const foreign = await givenOrder(shop, other);
    const ids = [topUp, foreign, spend].map(({ paymentId }) => paymentId);

    const reply = await details([...ids, randomUUID()]);

    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
    expect(paymentsOfRecords.reply.parse(reply.data).payments).toEqual([
      {
        paymentId: spend.paymentId,
        kind: 'item',
        status: 'FullyPaid',
        record: expect.toBeOneOf([2, 4]),
        shown: expect.toBeOneOf(['Paid', 'Fulfilled']),
        itemName: '300 Lumen Shards',
        itemArt: 'shard2',
        gameName: 'Solmere',
        serverName: 'S12 Dawnreach',
        roleName: expect.any(String),
      },
      {
        paymentId: topUp.paymentId,
        kind: 'points',
        status: 'FullyPaid',
        record: 4,
        shown: 'Fulfilled',
        itemName: '500 E Points',
        itemArt: 'coin3',
        gameName: null,
        serverName: null,
        roleName: null,
      },
    ]);
    expect((await details(ids, other.cookie)).data).toMatchObject({
      payments: [{ paymentId: foreign.paymentId }],
    });
  });

  test('the call for the payments behind E Point statement entries accepts at most fifty ids and answers a repeated id once', async () => {
    const { paymentId } = await givenPointsOrder(shop, buyer);
    const nobodys = Array.from({ length: 49 }, () => randomUUID());
    expect((await details([...nobodys, paymentId])).data).toMatchObject({
      payments: [{ paymentId }],
    });
    expect(await details([...nobodys, paymentId, randomUUID()])).toMatchObject({ httpStatus: 400 });
    const { payments } = paymentsOfRecords.reply.parse(
      (await details([paymentId, paymentId])).data,
    );
    expect(payments).toHaveLength(1);
  });

  test('a request for payments behind E Point statement entries is refused if malformed, unauthenticated or cross-site', async () => {
    await refusesInvalidRequests(paymentsOfRecords.path, { paymentIds: [randomUUID()] }, [
      {},
      { paymentIds: [] },
      { paymentIds: 'x' },
      { paymentIds: ['x'] },
      { paymentIds: [null] },
    ]);
  });
});

describe('ledger download', () => {
  const verifier = fileURLToPath(
    new URL('../../../portal/public/verify-ledger.mjs', import.meta.url),
  );

  const download = (cookie: string) =>
    fetch(shop.url + ledgerFilePath, { headers: { cookie }, redirect: 'error' });

  async function verify(text: string): Promise<{ stdout: string; stderr: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'pointgate-ledger-'));
    const file = join(folder, 'ledger.txt');
    await writeFile(file, text);
    try {
      return await promisify(execFile)(process.execPath, [verifier, file]);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test('the E Point ledger that a player downloads passes the offline verifier, which detects a changed digit', async () => {
    await givenTopUp(shop, buyer);
    const spend = await givenPaidInPoints(shop, buyer);
    await askRefund(shop, spend, { amountMinor: 200n });

    const response = await download(buyer.cookie);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('epoint-ledger.txt');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    const { stdout } = await verify(text);
    expect(stdout).toContain('is whole: 3 entries, 225 basic and 0 present points');
    expect(stdout).toContain((await balanceOf(shop, buyer)).ledgerHead);
    expect(stdout).toContain(buyer.accountId);
    // Changing one digit of one entry must fail the verification.
    await expect(verify(text.replace('|-475|', '|-474|'))).rejects.toThrow('not what was written');
  });

  test('the downloaded E Point ledger of a player without entries passes the offline verifier', async () => {
    const text = await (await download(buyer.cookie)).text();
    expect((await verify(text)).stdout).toContain('is whole: 0 entries');
  });

  test("the E Point ledger download holds only the player's own entries and requires a session", async () => {
    await givenPoints(shop, await givenBuyer(shop), { basic: 777n });
    // The bars delimit a field; a hash may contain the digits 777 by chance.
    expect(await (await download(buyer.cookie)).text()).not.toContain('|777|');
    const nobody = await send(shop, ledgerFilePath, { method: 'GET' });
    expect(nobody).toMatchObject({ httpStatus: 203, code: 'InvalidToken' });
    const ended = await send(shop, ledgerFilePath, { method: 'GET', cookie: 'pointgate=x' });
    expect(ended).toMatchObject({ httpStatus: 203 });
  });
});

function withoutRequestId({ requestId: _requestId, ...reply }: Reply) {
  return reply;
}
