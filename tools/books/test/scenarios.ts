import { givenCode, redeemed } from '../../../server/test/redeem.ts';

import {
  buy,
  decideDispute,
  dispute,
  type Order,
  open,
  operate,
  payWrongAmount,
  place,
  refundAtProvider,
  returnRefund,
  type ScenarioContext,
  spend,
  topUp,
  until,
  untilRefund,
  untilRevoked,
  untilState,
} from './scenario-steps.ts';

/** The orders of each scenario, by name. */
export type Scenarios = Record<string, Order[]>;

/** All special cases of an order that is paid with money. */
export async function runScenarios(context: ScenarioContext): Promise<Scenarios> {
  const plain = await runPlainScenarios(context);
  const faulty = await runGameFailures(context);
  const back = await runRefunds(context);
  const disputes = await runDisputes(context);
  return { ...plain, ...faulty, ...back, ...disputes };
}

/** The first order of a scenario. */
export function firstOrder(orders: readonly Order[] | undefined): Order {
  const [order] = orders ?? [];
  if (order === undefined) throw new Error('this scenario has no order');
  return order;
}

async function runPlainScenarios(context: ScenarioContext): Promise<Scenarios> {
  const arrived = await buy(context);
  const placed = await place(context);
  const paying = await open(context);
  const unopened = await place(context);
  const left = await open(context);
  for (const { paymentId } of [unopened, left]) {
    await context.admin.query(
      `update orders set expire_at = now() - interval '1 second' where payment_id = $1`,
      [paymentId],
    );
  }
  await untilState(context, unopened, 'closed');
  await untilState(context, left, 'closed');
  return { arrived: [arrived], placed: [placed], paying: [paying], closed: [unopened, left] };
}

/** Failures of the game: no answer, a declined delivery, and a lost answer without idempotency. */
async function runGameFailures(context: ScenarioContext): Promise<Scenarios> {
  const { game, stripe } = context.shop;
  const fault = (kind: string) =>
    game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, times: 1 });
  await fault('http500_before');
  const retried = await buy(context);
  await fault('decline');
  const declined = await buy(context, 'refunded');
  await fault('decline');
  await stripe.tell('/__sandbox/refunds', { next: 'pending' });
  const refunding = await buy(context, 'refunding');
  await untilRefund(context, refunding, 'pending');
  await fault('decline');
  await stripe.tell('/__sandbox/refunds', { next: 'failed' });
  const stuck = await buy(context, 'stuck');
  await untilRefund(context, stuck, 'failed');
  await untilRevoked(context, declined);
  return { retried: [retried], declined: [declined], refunding: [refunding], stuck: [stuck] };
}

async function runRefunds(context: ScenarioContext): Promise<Scenarios> {
  const refunded = await buy(context);
  const asking = operate(context.shop, ['refund', refunded.paymentId, '--reason', 'operator']);
  const elsewhere = await buy(context);
  await refundAtProvider(context, elsewhere);
  await untilState(context, elsewhere, 'refunded');
  const partly = await buy(context);
  await refundAtProvider(context, partly, 100);
  await until(context, partly, 'refunded_minor = 100');
  const underpaid = await payWrongAmount(context, { amount: 100 });
  const overpaid = await payWrongAmount(context, { amount: 900 });
  const euros = await payWrongAmount(context, { currency: 'eur' });
  const returned = await payWrongAmount(context, { amount: 900 });
  await refundAtProvider(context, returned);
  await untilState(context, returned, 'created');
  await asking;
  await untilState(context, refunded, 'refunded');
  for (const order of [refunded, elsewhere]) await untilRevoked(context, order);
  const owed = await buy(context);
  await operate(context.shop, ['refund', owed.paymentId, '--reason', 'operator']);
  await untilRevoked(context, owed);
  await returnRefund(context, owed);
  await untilState(context, owed, 'refunding');
  const anew = await buy(context);
  await refundAtProvider(context, anew);
  await untilRevoked(context, anew);
  await returnRefund(context, anew);
  await untilState(context, anew, 'refunding');
  await operate(context.shop, ['refund', anew.paymentId, '--reason', 'operator']);
  await untilState(context, anew, 'refunded');
  return {
    refunded: [refunded],
    elsewhere: [elsewhere],
    partly: [partly],
    cameBack: [owed, anew],
    misfits: [underpaid, overpaid, euros, returned],
  };
}

async function runDisputes(context: ScenarioContext): Promise<Scenarios> {
  const disputed = await buy(context);
  await dispute(context, disputed);
  const lost = await buy(context);
  await decideDispute(context, await dispute(context, lost), 'lost');
  await untilState(context, lost, 'refunded');
  const won = await buy(context);
  await decideDispute(context, await dispute(context, won), 'won');
  await until(context, won, 'not is_disputed');
  const reinstated = await buy(context);
  const disputeId = await dispute(context, reinstated);
  await decideDispute(context, disputeId, 'lost');
  await untilState(context, reinstated, 'refunded');
  await untilRevoked(context, reinstated);
  await decideDispute(context, disputeId, 'won');
  // The goods were revoked and the money is back at the shop: it is refunded again.
  await untilState(context, reinstated, 'refunding');
  await untilRevoked(context, lost);
  const lostTwice = await buy(context);
  await refundAtProvider(context, lostTwice);
  await untilState(context, lostTwice, 'refunded');
  await decideDispute(context, await dispute(context, lostTwice), 'lost');
  await until(context, lostTwice, 'not is_disputed');
  await untilRevoked(context, lostTwice);
  const ended = { lost: [lost], won: [won], reinstated: [reinstated], lostTwice: [lostTwice] };
  return { disputed: [disputed], ...ended };
}

/** A wallet with top-ups and spends only. */
export async function runSavings(context: ScenarioContext): Promise<void> {
  for (const packs of [
    ['epoint_1000', 'epoint_500'],
    ['epoint_500', 'epoint_100'],
    ['epoint_500'],
  ]) {
    for (const pack of packs) await topUp(context, pack);
    await spend(context, 'shards_60');
    if (packs.length > 1) await spend(context, 'shards_300');
  }
}

/** All special cases of points: returned, frozen, clawed back and expired. */
export async function runWallet(context: ScenarioContext): Promise<void> {
  const { admin, shop } = context;
  const first = await topUp(context, 'epoint_1000');
  await topUp(context, 'epoint_500');
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'decline' });
  await spend(context, 'shards_300', 'refunded');
  await spend(context, 'shards_300');
  const disputed = await topUp(context, 'epoint_500');
  const disputeId = await dispute(context, disputed);
  await spend(context, 'shards_60');
  await decideDispute(context, disputeId, 'won');
  await until(context, disputed, 'not is_disputed');
  const partly = await topUp(context, 'epoint_500');
  await refundAtProvider(context, partly, 100);
  await until(context, partly, 'refunded_minor = 100');
  const kept = await topUp(context, 'epoint_500');
  await shop.stripe.tell('/__sandbox/refunds', { next: 'failed' });
  await operate(shop, ['refund', kept.paymentId, '--reason', 'operator']);
  await untilRefund(context, kept, 'failed');
  const expiring = await topUp(context, 'epoint_500');
  await admin.query(
    `update point_lots set expires_at = now() - interval '1 second'
     where bucket = 'present' and origin_id = $1`,
    [expiring.paymentId],
  );
  await spend(context, 'shards_300');
  await refundAtProvider(context, first);
  await untilState(context, first, 'refunded');
  await dispute(context, kept);
}

/**
 * A wallet with a debt: its points were spent before their money was refunded. The next top-up
 * settles it.
 */
export async function runDebt(context: ScenarioContext): Promise<void> {
  const gone = await topUp(context, 'epoint_500');
  await spend(context, 'shards_300');
  await refundAtProvider(context, gone);
  await untilState(context, gone, 'refunded');
  await topUp(context, 'epoint_100');
  const lost = await topUp(context, 'epoint_1000');
  await spend(context, 'shards_60');
  await decideDispute(context, await dispute(context, lost), 'lost');
  await untilState(context, lost, 'refunded');
}

/**
 * A wallet that earns the tiers of a campaign, spends the points, and loses a tier by a refund,
 * temporarily and permanently. No other wallet takes part: the campaign ends with the scenario.
 */
export async function runRebates(context: ScenarioContext): Promise<void> {
  const { admin, shop } = context;
  await admin.query(`
    insert into rebate_campaigns
      (id, site_id, kind, name, currency, starts_at, ends_at, present_days)
    values ('tides', 'solmere', 'item', '{"en-US": "Tides"}', 'USD', now(), now() + interval '1 day', 30);
    insert into rebate_tiers values ('tides', 1, 400, 150), ('tides', 2, 900, 70), ('tides', 3, 1400, 90)`);
  const first = await buy(context);
  await spend(context, 'shards_60');
  await buy(context);
  const gone = await buy(context);
  await refundAtProvider(context, gone);
  await untilState(context, gone, 'refunded');
  await untilRevoked(context, gone);
  const kept = await buy(context);
  await shop.stripe.tell('/__sandbox/refunds', { next: 'failed' });
  await operate(shop, ['refund', kept.paymentId, '--reason', 'operator']);
  await untilRefund(context, kept, 'failed');
  // The points that are clawed back now were spent, so they become a debt.
  await spend(context, 'shards_60');
  await refundAtProvider(context, first);
  await untilState(context, first, 'refunded');
  await untilRevoked(context, first);
  await admin.query(`update rebate_campaigns set ends_at = clock_timestamp() where id = 'tides'`);
}

/** The usual use of given points: buy, reach a tier, redeem a code, and spend. */
export async function runRewards(context: ScenarioContext): Promise<void> {
  const { admin, shop, buyer } = context;
  await admin.query(`
    insert into rebate_campaigns
      (id, site_id, kind, name, currency, starts_at, ends_at, present_days)
    values ('dawn', 'solmere', 'item', '{"en-US": "Dawn"}', 'USD', now(), now() + interval '1 day', 30);
    insert into rebate_tiers values ('dawn', 1, 900, 150)`);
  await buy(context);
  await buy(context);
  const reward = { kind: 'points', points: '120', days: 10 };
  await redeemed(shop, buyer, await givenCode(shop, { reward }));
  await spend(context, 'shards_60');
  await admin.query(`update rebate_campaigns set ends_at = clock_timestamp() where id = 'dawn'`);
}

/**
 * A wallet that redeems codes: for points, for an item, and for an item that the game declines.
 */
export async function runCodes(context: ScenarioContext): Promise<void> {
  const { shop, buyer } = context;
  await topUp(context, 'epoint_500');
  const codeFor = (reward: object) => givenCode(shop, { reward });
  await redeemed(shop, buyer, await codeFor({ kind: 'points', points: '120', days: 10 }));
  await spend(context, 'shards_60');
  // Paid with points given for it, which expire after all others.
  const bring = async (state: string) => {
    const code = await codeFor({ kind: 'item', itemId: 'shards_60', days: 400 });
    const { paymentId } = await redeemed(shop, buyer, code);
    if (paymentId === null) throw new Error('the redemption has no order');
    await untilState(context, { accountId: buyer.accountId, paymentId }, state);
  };
  await bring('arrived');
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'decline' });
  await bring('refunded');
  await spend(context, 'shards_60');
}
