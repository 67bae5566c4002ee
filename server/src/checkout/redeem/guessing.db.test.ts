import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Buyer, givenBuyer } from '../../../test/buying.ts';
import { effort } from '../../../test/effort.ts';
import { type ShopProcess, startShopProcess } from '../../../test/processes.ts';
import { givenCodes, ownLimits, redeem, redeemed } from '../../../test/redeem.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { newCodes } from '../../platform/typed-codes.ts';

const accounts = 20;
const guessesAtOnce = 5; // per account, each over its own connection
// Per connection. Together an account sends twice its hourly limit, in nightly runs ten times.
const guessesEach = effort({ gate: 4, night: 20 });

let shop: TestShop;
let api: ShopProcess;
/** The same shop in a process of its own, so that the test process does not slow it down. */
let served: TestShop;
let guessers: Buyer[];
let player: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...ownLimits });
  api = await startShopProcess(shop, 'api', { LOG_LEVEL: 'info', ...ownLimits });
  served = { ...shop, url: api.url };
  guessers = await Promise.all(Array.from({ length: accounts }, () => givenBuyer(shop)));
  player = await givenBuyer(shop);
});
afterAll(async () => {
  await api.stop();
  await shop.closeAll();
});

test('an attack of concurrent wrong redeem codes finds no valid code and does not block another player', async () => {
  const codes = await givenCodes(shop, { codes: 20, codesPerAccount: 20 });
  const answers = new Map<string | null, number>();
  const guess = async (guesser: Buyer) => {
    const [wrong = ''] = newCodes(1);
    const { code } = await redeem(served, guesser, wrong);
    answers.set(code, (answers.get(code) ?? 0) + 1);
  };
  const guessing = guessers
    .flatMap((guesser) => Array<Buyer>(guessesAtOnce).fill(guesser))
    .map(async (guesser) => {
      for (let guesses = 0; guesses < guessesEach; guesses += 1) await guess(guesser);
    });
  for (const code of codes) await redeemed(served, player, code);
  await Promise.all(guessing);

  expect(Object.fromEntries(answers)).toEqual({
    RedeemCodeNotFound: accounts * 10,
    RedeemThrottled: accounts * (guessesAtOnce * guessesEach - 10),
  });
});
