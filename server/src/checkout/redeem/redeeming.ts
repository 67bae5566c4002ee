import type { BodyOf, ReplyOf } from '@pointgate/contract/endpoint.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { RedeemedReward, redeemCode } from '@pointgate/contract/redeem.ts';
import { type OrderIntent, placeOrder } from '../../money/orders/orders.ts';
import { type PaymentsContext, payInPoints } from '../../money/payments/payments.ts';
import { givePoints } from '../../money/points/given.ts';
import { issueCoupon } from '../../offers/coupons/coupons.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { ReturnableLimits } from '../../platform/limits.ts';
import { textIn } from '../../platform/local-text.ts';
import { knownSite, type Site } from '../../publisher/sites/sites.ts';
import { type CheckoutContext, intendGiven } from '../checkout.ts';
import { gameOf, type Reward, refusalOf, toJson } from './batch-rules.ts';
import type { CodeHash } from './code-text.ts';
import { guarded } from './guess-limits.ts';
import {
  type FoundCode,
  insertRedemption,
  lockAccountInBatch,
  type RedemptionRow,
  selectCode,
  selectRedemption,
  updateUses,
} from './redeem.queries.ts';

export interface RedeemContext extends CheckoutContext {
  payments: Pick<PaymentsContext, 'effects'>;
  limits: ReturnableLimits;
  hashOf: CodeHash;
}

interface Asked extends BodyOf<typeof redeemCode> {
  accountId: string;
  siteId: string;
  network: string;
  locale: Locale;
}

type Redeemed = ReplyOf<typeof redeemCode>;

/**
 * Redeems a code once: reward, use and redemption are written in one transaction. A repeat by the
 * same account returns the same answer, whatever the state of the batch.
 */
export async function redeemFor(context: RedeemContext, asked: Asked): Promise<Redeemed> {
  const isGuess = (error: unknown) => error instanceof CodeRefused;
  const redemption = await guarded(context.limits, { guesser: asked, isGuess }, async () => {
    const site = await knownSite(context.sites, asked.siteId);
    const codeHash = context.hashOf(asked.code);
    const redeeming = { codeHash, asked, site };
    const found = await findCode(context.db, redeeming);
    if (found === 'own') return await selectRedemption(context.db, { ...asked, codeHash });
    const intent = await intentOf(context, found.reward, asked);
    const { batchId } = found;
    return await context.db.transaction((tx) =>
      redeem(tx, context, { ...redeeming, batchId, intent }),
    );
  });
  return toReply(redemption, asked.locale);
}

/** A refusal that reveals something about a code, and so counts as a guess. */
class CodeRefused extends AppError {}

interface Redeeming {
  codeHash: Buffer;
  asked: Asked;
  site: Site;
}

async function findCode(
  db: Db | Tx,
  { codeHash, asked: { accountId }, site }: Redeeming,
): Promise<FoundCode | 'own'> {
  const found = await selectCode(db, { codeHash, accountId });
  if (found === 'own') return 'own';
  // The batch row cannot be read. The code works once an operator has repaired it, so it is no
  // guess.
  if (found === 'unusable') throw new AppError('RedeemCodeNotStarted');
  const { siteId, gameIds } = site;
  const here = { now: new Date(), siteId, gameIds, country: countryOf(site) };
  const refusal = refusalOf(found, here);
  if (refusal !== undefined || found === undefined) {
    throw new CodeRefused(refusal ?? 'RedeemCodeNotFound');
  }
  return found;
}

/** The country of a site's players, or null if unknown. */
function countryOf({ priceCountry, countries }: Site): string | null {
  return priceCountry ?? (countries.length === 1 ? (countries[0] ?? null) : null);
}

/** The order to be validated by the game; null unless the reward is an item. */
async function intentOf(
  context: RedeemContext,
  reward: Reward,
  { serverId, roleId, accountId, siteId, locale }: Asked,
): Promise<OrderIntent | null> {
  if (reward.kind !== 'item') return null;
  if (serverId === undefined || roleId === undefined) throw new AppError('ServerNotFound');
  const { itemId } = reward;
  const to = { serverId, roleId, accountId, siteId, locale };
  const gameId = gameOf(reward);
  return await intendGiven(context, { ...to, gameId, itemId, clientOrderId: newId() });
}

async function redeem(
  tx: Tx,
  context: RedeemContext,
  redeeming: Redeeming & { batchId: number; intent: OrderIntent | null },
): Promise<RedemptionRow> {
  const { codeHash, batchId, asked, site, intent } = redeeming;
  const { accountId, locale } = asked;
  const { spendOrder } = site;
  // Checked again under the lock: a concurrent duplicate may have won, or the batch was stopped.
  await lockAccountInBatch(tx, { accountId, batchId });
  const found = await findCode(tx, redeeming);
  if (found === 'own') return await selectRedemption(tx, { accountId, codeHash });

  const key = { accountId, redemptionId: newId() };
  const given = await give(tx, context, found.reward, { ...key, intent, locale, spendOrder });
  // Last, because concurrent redemptions of the same code wait for this row lock.
  if (!(await updateUses(tx, codeHash))) throw new CodeRefused('RedeemCodeUsed');
  const { paymentId, couponId } = given;
  const termsJson = termsOf(found, { ...redeeming, couponId });
  return await insertRedemption(tx, { ...key, codeHash, batchId, paymentId, termsJson });
}

interface Receiver {
  accountId: string;
  redemptionId: string;
  intent: OrderIntent | null;
  locale: Locale;
  spendOrder: Site['spendOrder'];
}

/** The order or coupon created for the reward, if any. */
interface Given {
  paymentId: string | null;
  couponId: string | null;
}

/** Gives the reward. The redemption id is its origin, so that nothing is given twice. */
async function give(
  tx: Tx,
  { payments }: RedeemContext,
  reward: Reward,
  receiver: Receiver,
): Promise<Given> {
  const { accountId, redemptionId } = receiver;
  switch (reward.kind) {
    case 'points': {
      const { points, days } = reward;
      await givePoints(tx, { accountId, originId: redemptionId, reason: 'code', points, days });
      return { paymentId: null, couponId: null };
    }
    case 'item':
      return { paymentId: await giveItem(tx, payments, reward, receiver), couponId: null };
    case 'coupon': {
      const { templateId } = reward;
      const source = `redeem:${redemptionId}`;
      const issued = await issueCoupon(tx, { accountId, templateId, source });
      if ('couponId' in issued) return { paymentId: null, couponId: issued.couponId };
      const isFull = issued.result === 'limit_reached';
      throw new CodeRefused(isFull ? 'RedeemLimitReached' : 'RedeemCodeExpired');
    }
  }
}

/**
 * Pays the order with the points of the code alone, whatever the player's balance and the spend
 * order of the site. After that it is a regular order.
 */
async function giveItem(
  tx: Tx,
  payments: RedeemContext['payments'],
  { days }: { days: number | null },
  { accountId, redemptionId, intent, locale, spendOrder }: Receiver,
): Promise<string> {
  if (intent === null)
    throw new Error('the order for an item code has not been validated by the game');
  const points = intent.amountMinor;
  await givePoints(tx, { accountId, originId: redemptionId, reason: 'code', points, days });
  const snapshot = { ...intent.snapshot, redemptionId };
  const wish = { ...intent, clientOrderId: redemptionId, snapshot };
  const { order } = await placeOrder(tx, wish, JSON.stringify(['redemption', redemptionId]));
  await payInPoints(tx, payments, order, { locale, spendOrder, givenBy: redemptionId });
  return order.payment_id;
}

/**
 * The terms of the batch and the player data that decided the redemption. Includes the item,
 * because old orders are archived.
 */
function termsOf(
  { batchId: _id, uses: _uses, ...batch }: FoundCode,
  how: Redeeming & { intent: OrderIntent | null; couponId: string | null },
): string {
  const { asked, site, intent, couponId } = how;
  const { serverId = null, roleId = null } = asked;
  const pricePoints = intent?.amountMinor ?? null;
  const inputs = { siteId: site.siteId, country: countryOf(site), serverId, roleId, pricePoints };
  return toJson({ ...batch, inputs, item: intent?.snapshot ?? null, couponId });
}

function toReply(
  { redemption_id, payment_id, terms, at }: RedemptionRow,
  locale: Locale,
): Redeemed {
  return {
    redemptionId: redemption_id,
    redeemedAt: at.toISOString(),
    reward: shownReward(terms, locale),
    paymentId: payment_id,
  };
}

function shownReward(
  { reward, item, couponId }: RedemptionRow['terms'],
  locale: Locale,
): RedeemedReward {
  switch (reward.kind) {
    case 'points':
      return reward;
    case 'item': {
      if (item === null)
        throw new Error(`the redemption lacks the snapshot of item ${reward.itemId}`);
      const { itemName, art, unit, quantity, giftQuantity } = item;
      return {
        kind: 'item',
        itemId: reward.itemId,
        itemName: textIn(itemName, locale),
        itemArt: art,
        unit: textIn(unit, locale),
        quantity: BigInt(quantity),
        giftQuantity: BigInt(giftQuantity),
      };
    }
    case 'coupon': {
      const { templateId, name = {} } = reward;
      if (couponId === null)
        throw new Error(`the redemption lacks the id of its coupon of template ${templateId}`);
      return { kind: 'coupon', couponId, couponName: textIn(name, locale) };
    }
  }
}
