import { paymentsOfRecords } from '@pointgate/contract/points.ts';
import { redeemCode } from '@pointgate/contract/redeem.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, countOrders, givenBuyer } from '../../../test/buying.ts';
import { balanceOf } from '../../../test/point-buying.ts';
import {
  givenCode,
  givenCodes,
  givenImportedCode,
  hundredPoints,
  inHours,
  newNetwork,
  ownLimits,
  redeem,
  redeemed,
} from '../../../test/redeem.ts';
import { eventually, openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import { listCodes, stopCodes } from './redeem.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...ownLimits });
});
beforeEach(async () => {
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

const refusalOf = async (code: string, who = buyer) => (await redeem(shop, who, code)).code;

describe('point codes', () => {
  test('a redeem code for points credits expiring gift points and returns its reward', async () => {
    const code = await givenCode(shop);

    const reply = await redeemed(shop, buyer, code);

    expect(reply).toMatchObject({
      reward: { kind: 'points', points: 100n, days: 30 },
      paymentId: null,
    });
    expect(Math.abs(Date.parse(reply.redeemedAt) - Date.now())).toBeLessThan(60_000);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 100 });
    expect(await countOrders(shop, buyer)).toBe(0);
  });

  test('the payments behind E Point statement entries show a redeem code as the reason of its points', async () => {
    const { redemptionId } = await redeemed(shop, buyer, await givenCode(shop));
    const body = { paymentIds: [redemptionId] };
    const { data } = await send(shop, paymentsOfRecords.path, { cookie: buyer.cookie, body });
    const gift = { giftId: redemptionId, reason: 'code', campaignName: null, paymentId: null };
    expect(data).toEqual({ payments: [], gifts: [gift] });
  });

  test('a redeem code for points can be redeemed without naming a game server or a game character', async () => {
    const code = await givenCode(shop);
    const { cookie } = buyer;
    const reply = await send(shop, redeemCode.path, {
      cookie,
      body: { code },
      headers: newNetwork(),
    });
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true, code: null });
  });

  test('a redeem code is found when typed in lower case, without dashes and with look-alikes', async () => {
    const code = await givenCode(shop);
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('2', 'z')} `;
    expect((await redeemed(shop, buyer, typed)).reward.kind).toBe('points');
  });

  test('an imported redeem code is found when typed with look-alikes', async () => {
    await givenImportedCode(shop, 'ABCD-0O1l-wxyz-5S98-QQ');
    expect((await redeemed(shop, buyer, 'abcd001iWXY25598oo')).reward.kind).toBe('points');
  });

  test('a redeem code sent again by the player who redeemed it gives nothing more and gets the same answer', async () => {
    const code = await givenCode(shop, { name: 'sent-again' });
    const first = await redeemed(shop, buyer, code);
    expect(await redeemed(shop, buyer, code.toLowerCase())).toEqual(first);
    // The repeat also works when the batch is stopped for everyone else.
    await shop.db.transaction((tx) => stopCodes(tx, { name: 'sent-again', by: 'ines' }));
    expect(await redeemed(shop, buyer, code)).toEqual(first);
    expect(await balanceOf(shop, buyer)).toMatchObject({ presentNum: 100 });
  });

  test('a code redemption keeps the terms of its code batch when the batch is changed later', async () => {
    const code = await givenCode(shop, { name: 'kept', countries: [], codesPerAccount: 2 });
    const { redemptionId } = await redeemed(shop, buyer, code);
    await shop.db.transaction((tx) =>
      tx.run(sql`update redeem_batches set per_account_max = 9 where name = 'kept'`),
    );
    const { terms } = await shop.db.one(
      z.object({ terms: z.unknown() }),
      sql`select terms from redemptions where redemption_id = ${redemptionId}`,
    );
    expect(terms).toMatchObject({
      name: 'kept',
      reward: hundredPoints,
      usesMax: 1,
      perAccountMax: 2,
      redeemed: 0,
      siteId: null,
      countries: [],
      inputs: { siteId: 'solmere', country: null },
    });
  });

  test('a redeem code is not stored in readable form in the redemption tables', async () => {
    const code = await givenCode(shop);
    await redeemed(shop, buyer, code);
    const { found } = await shop.db.one(
      z.object({ found: z.boolean() }),
      sql`
        select exists (
          select from redeem_codes, redemptions
          where redeem_codes::text ilike any(${patternsOf(code)})
             or redemptions::text ilike any(${patternsOf(code)})) as found`,
    );
    expect(found).toBe(false);
  });
});

const patternsOf = (code: string) =>
  [code, code.replaceAll('-', '')].flatMap((text) => [
    `%${text}%`,
    `%${Buffer.from(text).toString('hex')}%`,
  ]);

describe('refused redeem codes', () => {
  test('an unknown or malformed redeem code is refused with RedeemCodeNotFound', async () => {
    for (const code of ['A7KD-9XMP-3TWR-CV25', '-', '验证码', 'x'.repeat(200)]) {
      expect(await refusalOf(code)).toBe('RedeemCodeNotFound');
    }
  });

  test('a redeem code that another player has used is refused with RedeemCodeUsed', async () => {
    const code = await givenCode(shop);
    await redeemed(shop, await givenBuyer(shop), code);
    expect(await refusalOf(code)).toBe('RedeemCodeUsed');
    expect(await balanceOf(shop, buyer)).toMatchObject({ presentNum: 0 });
  });

  test('a redeem code that has ended or was stopped is refused with RedeemCodeExpired', async () => {
    const past = await givenCode(shop, { startsAt: inHours(-2), endsAt: inHours(-1) });
    expect(await refusalOf(past)).toBe('RedeemCodeExpired');
    const stopped = await givenCode(shop, { name: 'stopped' });
    expect(await shop.db.transaction((tx) => stopCodes(tx, { name: 'stopped', by: 'ines' }))).toBe(
      true,
    );
    expect(await refusalOf(stopped)).toBe('RedeemCodeExpired');
  });

  test('a redeem code before its start is refused with RedeemCodeNotStarted', async () => {
    const code = await givenCode(shop, { startsAt: inHours(1) });
    expect(await refusalOf(code)).toBe('RedeemCodeNotStarted');
  });

  test('a redeem code beyond the limit per account is refused with RedeemLimitReached', async () => {
    const [one = '', two = '', three = ''] = await givenCodes(shop, {
      codes: 3,
      codesPerAccount: 2,
    });
    await redeemed(shop, buyer, one);
    await redeemed(shop, buyer, two);
    expect(await refusalOf(three)).toBe('RedeemLimitReached');
    expect((await redeemed(shop, buyer, two)).reward.kind).toBe('points'); // a repeat of the own redemption
    await redeemed(shop, await givenBuyer(shop), three);
  });

  test('a redeem code for another site or country is refused with RedeemWrongRegion', async () => {
    const other = await givenOtherSite(shop, { portalUrl: shop.url });
    const here = await givenCode(shop, { siteId: 'solmere' });
    const there = await givenCode(shop, { siteId: 'other' });
    expect(other.url).not.toBe(shop.url);
    expect(await refusalOf(there)).toBe('RedeemWrongRegion');
    await redeemed(shop, buyer, here);

    const korean = await givenCode(shop, { countries: ['KR'] });
    expect(await refusalOf(korean)).toBe('RedeemWrongRegion');
    await sellsIn(['KR']);
    await redeemed(shop, buyer, korean);
    await sellsIn([]);
  });

  test('a redeem request without a session or with a malformed body is refused', async () => {
    const code = await givenCode(shop);
    expect(await redeem(shop, { cookie: undefined }, code)).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
    for (const body of [{}, { code: '' }, { code: 5 }, { code, more: 1 }, { code, roleId: '' }]) {
      const { cookie } = buyer;
      const reply = await send(shop, redeemCode.path, { cookie, body, headers: newNetwork() });
      expect(reply).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
    }
    await redeemed(shop, buyer, code);
  });
});

/** Sites are cached for up to two seconds. */
async function sellsIn(countries: string[]): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`update sites set countries = ${countries} where id = 'solmere'`),
  );
  await eventually(
    async () => (await shop.sites.byId('solmere'))?.countries.length === countries.length,
  );
}

test('the operator command that lists redeem code batches shows how often the codes of each batch were used', async () => {
  const [one = ''] = await givenCodes(shop, { name: 'counted', codes: 5, usesPerCode: 3 });
  await redeemed(shop, buyer, one);
  await redeemed(shop, await givenBuyer(shop), one);
  const batch = (await listCodes(shop.db)).find(({ name }) => name === 'counted');
  expect(batch).toMatchObject({
    reward: hundredPoints,
    codes: 5,
    usesPerCode: 3,
    uses: 2,
    codesUsed: 1,
    madeBy: 'ines',
    stoppedAt: null,
  });
});
