import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Buyer, givenBuyer } from '../../../test/buying.ts';
import {
  givenCode,
  givenCodes,
  newNetwork,
  ownLimits,
  redeem,
  redeemed,
} from '../../../test/redeem.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { chanceOfLonger, timesOf } from '../../../test/timing.ts';
import { AppError } from '../../platform/errors.ts';
import { openQuickLimits, type ReturnableLimits } from '../../platform/limits.ts';
import { newCodes } from '../../platform/typed-codes.ts';
import { guarded } from './guess-limits.ts';

const wrong = (): string => newCodes(1)[0] ?? '';

describe('guess limits over HTTP', () => {
  let shop: TestShop;
  let guesser: Buyer;
  beforeAll(async () => {
    shop = await openTestShop({ LOG_LEVEL: 'silent', ...ownLimits });
  });
  beforeEach(async () => {
    guesser = await givenBuyer(shop);
  });
  afterAll(() => shop.closeAll());

  test('an account that sent ten wrong redeem codes in an hour is throttled even for a right one', async () => {
    const code = await givenCode(shop);
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await redeem(shop, guesser, wrong())).code).toBe('RedeemCodeNotFound');
    }
    expect((await redeem(shop, guesser, wrong())).code).toBe('RedeemThrottled');
    expect((await redeem(shop, guesser, code)).code).toBe('RedeemThrottled');
    await redeemed(shop, await givenBuyer(shop), code);
  });

  test('valid redeem codes do not count towards the limit of wrong redeem codes', async () => {
    const codes = await givenCodes(shop, { codes: 12, codesPerAccount: 12 });
    for (const code of codes) await redeemed(shop, guesser, code);
    for (const code of codes) await redeemed(shop, guesser, code);
    expect((await redeem(shop, guesser, wrong())).code).toBe('RedeemCodeNotFound');
  });

  test('a valid redeem code sent twenty times concurrently does not count towards the limit of wrong redeem codes', async () => {
    const code = await givenCode(shop);
    await Promise.all(Array.from({ length: 20 }, () => redeem(shop, guesser, code)));
    await redeemed(shop, guesser, code);
    expect((await redeem(shop, guesser, wrong())).code).toBe('RedeemCodeNotFound');
  });

  test('ten of thirty redeem codes guessed concurrently by an account are checked, and the other twenty throttled', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => redeem(shop, guesser, wrong())),
    );
    const looked = answers.filter(({ code }) => code === 'RedeemCodeNotFound');
    expect(looked).toHaveLength(10);
    expect(answers.filter(({ code }) => code === 'RedeemThrottled')).toHaveLength(20);
  });

  test('a network that sent a hundred wrong redeem codes is throttled for all its accounts, others are not', async () => {
    const headers = newNetwork();
    const code = await givenCode(shop);
    for (let account = 0; account < 10; account += 1) {
      const bot = await givenBuyer(shop);
      await Promise.all(Array.from({ length: 10 }, () => redeem(shop, bot, wrong(), { headers })));
    }
    expect((await redeem(shop, guesser, code, { headers })).code).toBe('RedeemThrottled');
    await redeemed(shop, guesser, code);
  });

  test('the response time does not reveal whether a redeem code is unknown or expired', async () => {
    const past = await givenCode(shop, {
      startsAt: '2020-01-01T00:00:00Z',
      endsAt: '2020-01-02T00:00:00Z',
    });
    const call = (codeOf: () => string) => async () => {
      if (calls % 5 === 0) guesser = await givenBuyer(shop);
      calls += 1;
      const code = codeOf();
      return async () => {
        const reply = await redeem(shop, guesser, code);
        if (reply.code === 'RedeemThrottled') throw new Error('the guess was throttled');
      };
    };
    let calls = 0;
    const times = await timesOf({ wrong: call(wrong), past: call(() => past) }, { each: 60 });
    const chance = chanceOfLonger(times.past, times.wrong);
    expect(chance).toBeGreaterThan(0.25);
    expect(chance).toBeLessThan(0.75);
  });
});

describe('guess limits of a site under attack', () => {
  const notFound = () => Promise.reject(new AppError('RedeemCodeNotFound'));
  const found = () => Promise.resolve('found');
  const isGuess = (error: unknown) =>
    error instanceof AppError && error.code === 'RedeemCodeNotFound';
  const guesserOf = (accountId: string, network: string = randomUUID()) => ({
    accountId,
    network,
    siteId: 'solmere',
  });
  const codeOf = async (work: Promise<unknown>) =>
    await work.then(String, (error: unknown) => (error instanceof AppError ? error.code : 'bug'));
  let limits: ReturnableLimits;
  const tryAs = (accountId: string, look: () => Promise<string>) =>
    codeOf(guarded(limits, { guesser: guesserOf(accountId), isGuess }, look));

  beforeEach(async () => {
    limits = openQuickLimits(undefined);
    // A thousand wrong codes from different accounts and networks.
    await Promise.all(Array.from({ length: 1_000 }, () => tryAs(randomUUID(), notFound)));
  });

  test('while many redeem codes are guessed on a site, a valid code works for an account that sent no wrong code', async () => {
    for (const player of [randomUUID(), randomUUID()]) {
      for (let codes = 0; codes < 5; codes += 1) expect(await tryAs(player, found)).toBe('found');
    }
  });

  test('while many redeem codes are guessed on a site, an account is throttled after one wrong code', async () => {
    const bot = randomUUID();
    expect(await tryAs(bot, notFound)).toBe('RedeemCodeNotFound');
    expect(await tryAs(bot, notFound)).toBe('RedeemThrottled');
    expect(await tryAs(bot, found)).toBe('RedeemThrottled');
  });

  test('a redemption refused for another reason than a wrong redeem code does not count as a wrong code', async () => {
    const player = randomUUID();
    const busy = () => Promise.reject(new AppError('GameUnavailable'));
    for (let tries = 0; tries < 20; tries += 1) {
      expect(await tryAs(player, busy)).toBe('GameUnavailable');
    }
    expect(await tryAs(player, found)).toBe('found');
  });

  test('the stricter limit of wrong redeem codes on a site under attack does not affect another site', async () => {
    const guesser = { ...guesserOf(randomUUID()), siteId: 'other' };
    const tryThere = () => codeOf(guarded(limits, { guesser, isGuess }, notFound));
    expect([await tryThere(), await tryThere()]).toEqual([
      'RedeemCodeNotFound',
      'RedeemCodeNotFound',
    ]);
  });
});
