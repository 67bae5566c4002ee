import { givenCode, redeemed } from '../../../server/test/redeem.ts';

import {
  buy,
  comeBack,
  decide,
  dispute,
  misfit,
  type Order,
  open,
  operate,
  place,
  refundAtProvider,
  spend,
  type Teller,
  topUp,
  until,
  untilRefund,
  untilRevoked,
  untilState,
} from './teller.ts';

/** The orders of each story, by name. */
export type Stories = Record<string, Order[]>;

/** All special cases of an order that is paid with money. */
export async function tellStories(teller: Teller): Promise<Stories> {
  const plain = await tellPlain(teller);
  const faulty = await tellFaults(teller);
  const back = await tellMoneyBack(teller);
  const disputes = await tellDisputes(teller);
  return { ...plain, ...faulty, ...back, ...disputes };
}

/** The first order of a story. */
export function only(orders: readonly Order[] | undefined): Order {
  const [order] = orders ?? [];
  if (order === undefined) throw new Error('this story has no order');
  return order;
}

async function tellPlain(teller: Teller): Promise<Stories> {
  const arrived = await buy(teller);
  const placed = await place(teller);
  const paying = await open(teller);
  const unopened = await place(teller);
  const left = await open(teller);
  for (const { paymentId } of [unopened, left]) {
    await teller.admin.query(
      `update orders set expire_at = now() - interval '1 second' where payment_id = $1`,
      [paymentId],
    );
  }
  await untilState(teller, unopened, 'closed');
  await untilState(teller, left, 'closed');
  return { arrived: [arrived], placed: [placed], paying: [paying], closed: [unopened, left] };
}

/** Failures of the game: no answer, a declined delivery, and a lost answer without idempotency. */
async function tellFaults(teller: Teller): Promise<Stories> {
  const { game, stripe } = teller.shop;
  const fault = (kind: string) =>
    game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, times: 1 });
  await fault('http500_before');
  const retried = await buy(teller);
  await fault('decline');
  const declined = await buy(teller, 'refunded');
  await fault('decline');
  await stripe.tell('/__sandbox/refunds', { next: 'pending' });
  const refunding = await buy(teller, 'refunding');
  await untilRefund(teller, refunding, 'pending');
  await fault('decline');
  await stripe.tell('/__sandbox/refunds', { next: 'failed' });
  const stuck = await buy(teller, 'stuck');
  await untilRefund(teller, stuck, 'failed');
  await untilRevoked(teller, declined);
  return { retried: [retried], declined: [declined], refunding: [refunding], stuck: [stuck] };
}

async function tellMoneyBack(teller: Teller): Promise<Stories> {
  const refunded = await buy(teller);
  const asking = operate(teller.shop, ['refund', refunded.paymentId, '--reason', 'operator']);
  const elsewhere = await buy(teller);
  await refundAtProvider(teller, elsewhere);
  await untilState(teller, elsewhere, 'refunded');
  const partly = await buy(teller);
  await refundAtProvider(teller, partly, 100);
  await until(teller, partly, 'refunded_minor = 100');
  const underpaid = await misfit(teller, { amount: 100 });
  const overpaid = await misfit(teller, { amount: 900 });
  const euros = await misfit(teller, { currency: 'eur' });
  const returned = await misfit(teller, { amount: 900 });
  await refundAtProvider(teller, returned);
  await untilState(teller, returned, 'created');
  await asking;
  await untilState(teller, refunded, 'refunded');
  for (const order of [refunded, elsewhere]) await untilRevoked(teller, order);
  const owed = await buy(teller);
  await operate(teller.shop, ['refund', owed.paymentId, '--reason', 'operator']);
  await untilRevoked(teller, owed);
  await comeBack(teller, owed);
  await untilState(teller, owed, 'refunding');
  const anew = await buy(teller);
  await refundAtProvider(teller, anew);
  await untilRevoked(teller, anew);
  await comeBack(teller, anew);
  await untilState(teller, anew, 'refunding');
  await operate(teller.shop, ['refund', anew.paymentId, '--reason', 'operator']);
  await untilState(teller, anew, 'refunded');
  return {
    ...{ refunded: [refunded], elsewhere: [elsewhere], partly: [partly] },
    cameBack: [owed, anew],
    misfits: [underpaid, overpaid, euros, returned],
  };
}

async function tellDisputes(teller: Teller): Promise<Stories> {
  const disputed = await buy(teller);
  await dispute(teller, disputed);
  const lost = await buy(teller);
  await decide(teller, await dispute(teller, lost), 'lost');
  await untilState(teller, lost, 'refunded');
  const won = await buy(teller);
  await decide(teller, await dispute(teller, won), 'won');
  await until(teller, won, 'not is_disputed');
  const reinstated = await buy(teller);
  const disputeId = await dispute(teller, reinstated);
  await decide(teller, disputeId, 'lost');
  await untilState(teller, reinstated, 'refunded');
  await untilRevoked(teller, reinstated);
  await decide(teller, disputeId, 'won');
  // The goods were revoked and the money is back at the shop: it is refunded again.
  await untilState(teller, reinstated, 'refunding');
  await untilRevoked(teller, lost);
  const lostTwice = await buy(teller);
  await refundAtProvider(teller, lostTwice);
  await untilState(teller, lostTwice, 'refunded');
  await decide(teller, await dispute(teller, lostTwice), 'lost');
  await until(teller, lostTwice, 'not is_disputed');
  await untilRevoked(teller, lostTwice);
  const ended = { lost: [lost], won: [won], reinstated: [reinstated], lostTwice: [lostTwice] };
  return { disputed: [disputed], ...ended };
}

/** A wallet with top-ups and spends only. */
export async function tellSavings(teller: Teller): Promise<void> {
  for (const packs of [
    ['epoint_1000', 'epoint_500'],
    ['epoint_500', 'epoint_100'],
    ['epoint_500'],
  ]) {
    for (const pack of packs) await topUp(teller, pack);
    await spend(teller, 'shards_60');
    if (packs.length > 1) await spend(teller, 'shards_300');
  }
}

/** All special cases of points: returned, frozen, clawed back and expired. */
export async function tellWallet(teller: Teller): Promise<void> {
  const { admin, shop } = teller;
  const first = await topUp(teller, 'epoint_1000');
  await topUp(teller, 'epoint_500');
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'decline' });
  await spend(teller, 'shards_300', 'refunded');
  await spend(teller, 'shards_300');
  const disputed = await topUp(teller, 'epoint_500');
  const disputeId = await dispute(teller, disputed);
  await spend(teller, 'shards_60');
  await decide(teller, disputeId, 'won');
  await until(teller, disputed, 'not is_disputed');
  const partly = await topUp(teller, 'epoint_500');
  await refundAtProvider(teller, partly, 100);
  await until(teller, partly, 'refunded_minor = 100');
  const kept = await topUp(teller, 'epoint_500');
  await shop.stripe.tell('/__sandbox/refunds', { next: 'failed' });
  await operate(shop, ['refund', kept.paymentId, '--reason', 'operator']);
  await untilRefund(teller, kept, 'failed');
  const expiring = await topUp(teller, 'epoint_500');
  await admin.query(
    `update point_lots set expires_at = now() - interval '1 second'
     where bucket = 'present' and origin_id = $1`,
    [expiring.paymentId],
  );
  await spend(teller, 'shards_300');
  await refundAtProvider(teller, first);
  await untilState(teller, first, 'refunded');
  await dispute(teller, kept);
}

/**
 * A wallet with a debt: its points were spent before their money was refunded. The next top-up
 * settles it.
 */
export async function tellDebt(teller: Teller): Promise<void> {
  const gone = await topUp(teller, 'epoint_500');
  await spend(teller, 'shards_300');
  await refundAtProvider(teller, gone);
  await untilState(teller, gone, 'refunded');
  await topUp(teller, 'epoint_100');
  const lost = await topUp(teller, 'epoint_1000');
  await spend(teller, 'shards_60');
  await decide(teller, await dispute(teller, lost), 'lost');
  await untilState(teller, lost, 'refunded');
}

/**
 * A wallet that earns the tiers of a campaign, spends the points, and loses a tier by a refund,
 * temporarily and permanently. No other wallet takes part: the campaign ends with the story.
 */
export async function tellRebates(teller: Teller): Promise<void> {
  const { admin, shop } = teller;
  await admin.query(`
    insert into rebate_campaigns
      (id, site_id, kind, name, currency, starts_at, ends_at, present_days)
    values ('tides', 'solmere', 'item', '{"en-US": "Tides"}', 'USD', now(), now() + interval '1 day', 30);
    insert into rebate_tiers values ('tides', 1, 400, 150), ('tides', 2, 900, 70), ('tides', 3, 1400, 90)`);
  const first = await buy(teller);
  await spend(teller, 'shards_60');
  await buy(teller);
  const gone = await buy(teller);
  await refundAtProvider(teller, gone);
  await untilState(teller, gone, 'refunded');
  await untilRevoked(teller, gone);
  const kept = await buy(teller);
  await shop.stripe.tell('/__sandbox/refunds', { next: 'failed' });
  await operate(shop, ['refund', kept.paymentId, '--reason', 'operator']);
  await untilRefund(teller, kept, 'failed');
  // The points that are clawed back now were spent, so they become a debt.
  await spend(teller, 'shards_60');
  await refundAtProvider(teller, first);
  await untilState(teller, first, 'refunded');
  await untilRevoked(teller, first);
  await admin.query(`update rebate_campaigns set ends_at = clock_timestamp() where id = 'tides'`);
}

/** The usual use of given points: buy, reach a tier, redeem a code, and spend. */
export async function tellRewards(teller: Teller): Promise<void> {
  const { admin, shop, buyer } = teller;
  await admin.query(`
    insert into rebate_campaigns
      (id, site_id, kind, name, currency, starts_at, ends_at, present_days)
    values ('dawn', 'solmere', 'item', '{"en-US": "Dawn"}', 'USD', now(), now() + interval '1 day', 30);
    insert into rebate_tiers values ('dawn', 1, 900, 150)`);
  await buy(teller);
  await buy(teller);
  const reward = { kind: 'points', points: '120', days: 10 };
  await redeemed(shop, buyer, await givenCode(shop, { reward }));
  await spend(teller, 'shards_60');
  await admin.query(`update rebate_campaigns set ends_at = clock_timestamp() where id = 'dawn'`);
}

/**
 * A wallet that redeems codes: for points, for an item, and for an item that the game declines.
 */
export async function tellCodes(teller: Teller): Promise<void> {
  const { shop, buyer } = teller;
  await topUp(teller, 'epoint_500');
  const codeFor = (reward: object) => givenCode(shop, { reward });
  await redeemed(shop, buyer, await codeFor({ kind: 'points', points: '120', days: 10 }));
  await spend(teller, 'shards_60');
  // Paid with points given for it, which expire after all others.
  const bring = async (state: string) => {
    const code = await codeFor({ kind: 'item', itemId: 'shards_60', days: 400 });
    const { paymentId } = await redeemed(shop, buyer, code);
    if (paymentId === null) throw new Error('the redemption has no order');
    await untilState(teller, { accountId: buyer.accountId, paymentId }, state);
  };
  await bring('arrived');
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'decline' });
  await bring('refunded');
  await spend(teller, 'shards_60');
}
