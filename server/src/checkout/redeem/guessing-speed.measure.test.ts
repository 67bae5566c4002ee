import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { itemGroups } from '@pointgate/contract/catalogue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Buyer, givenBuyer } from '../../../test/buying.ts';
import { type ShopProcess, startShopProcess } from '../../../test/processes.ts';
import { givenCodes, ownLimits, redeem, redeemed, redeemSizes } from '../../../test/redeem.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { newCodes } from '../../platform/typed-codes.ts';

// Measures how far an attack slows down other players. A longer run:
// REDEEM_GUESS_SECONDS=60 npm run measure guessing-speed

const accounts = 20;
const guessesAtOnce = 5; // per account, each over its own connection

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

async function whileSeconds(seconds: number, work: () => Promise<void>): Promise<void> {
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) await work();
}

/** Response times of the item list: median and 95th percentile. */
async function shownWithin(seconds: number): Promise<{ half: number; most: number }> {
  const times: number[] = [];
  const { cookie } = player;
  await whileSeconds(seconds, async () => {
    const begun = performance.now();
    const body = { gameId: 'solmere', system: 'ios' };
    const reply = await send(served, itemGroups.path, { cookie, body });
    times.push(performance.now() - begun);
    expect(reply.isSuccess).toBe(true);
    await wait(10);
  });
  const ordered = times.toSorted((one, other) => one - other);
  const at = (share: number) => ordered[Math.floor(ordered.length * share)] ?? 0;
  return { half: at(0.5), most: at(0.95) };
}

test(
  'a hundred connections that guess redeem codes hardly slow down the item list',
  async () => {
    const codes = await givenCodes(shop, { codes: 1_000, codesPerAccount: 1_000 });
    const { guessSeconds } = redeemSizes;
    await shownWithin(1); // warm-up
    const calmly = () => shownWithin(Math.max(2, guessSeconds / 4));
    const calm = await calmly();

    const answers = new Map<string | null, number>();
    const guess = async (guesser: Buyer) => {
      const [wrong = ''] = newCodes(1);
      const { code } = await redeem(served, guesser, wrong);
      answers.set(code, (answers.get(code) ?? 0) + 1);
    };
    const guessing = guessers
      .flatMap((guesser) => Array<Buyer>(guessesAtOnce).fill(guesser))
      .map((guesser) => whileSeconds(guessSeconds + 2, () => guess(guesser)));
    for (const code of codes.slice(0, 20)) await redeemed(served, player, code);
    const tense = await shownWithin(guessSeconds);
    await Promise.all(guessing);

    if (redeemSizes.isByHand) {
      process.stdout.write(`${JSON.stringify({ calm, tense, ...Object.fromEntries(answers) })}\n`);
      expect(tense.most).toBeLessThan(3 * calm.most);
    }
    expect([...answers.keys()].toSorted()).toEqual(['RedeemCodeNotFound', 'RedeemThrottled']);
    expect(answers.get('RedeemCodeNotFound')).toBe(accounts * 10);
    // Other load on the machine may have grown since the first measurement, and a median below 100
    // ms is fast enough.
    const calmAgain = await calmly();
    expect(tense.half).toBeLessThan(Math.max(3 * calm.half, 3 * calmAgain.half, 100));
  },
  (redeemSizes.guessSeconds * 2 + 60) * 1000,
);
