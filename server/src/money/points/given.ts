import type { Db, Tx } from '../../platform/db.ts';
import { insertGift, selectGift, selectGifts } from './given.queries.ts';
import { postGrant } from './grants.ts';
import { keepOfTopUp } from './points.ts';
import { holdWallet } from './wallet.ts';

/** Points that nobody bought, and what they are for: a credit of a rebate, or one use of a code. */
export interface PointGift {
  accountId: string;
  originId: string;
  reason: 'rebate' | 'code';
  points: bigint;
  /** How long they live, from the moment they are given; for ever where it says nothing. */
  days: number | null;
}

const dayMs = 24 * 60 * 60_000;

/**
 * Gives present points, once per origin. The same gift again changes nothing; another one under the
 * same origin is a bug of the caller, and is stopped. Locks the wallet.
 */
export async function givePoints(tx: Tx, gift: PointGift): Promise<void> {
  const { originId, points, days } = gift;
  const wallet = await holdWallet(tx, gift.accountId);
  const known = await selectGift(tx, gift);
  if (known !== undefined) {
    const isSame = known.points === points && known.days === days && known.reason === gift.reason;
    if (!isSame) throw new Error(`gift ${originId} was given differently`);
    return;
  }
  await postGrant(tx, wallet, {
    kind: 'gift',
    originId,
    basic: 0n,
    present: points,
    presentExpiresAt: days === null ? null : new Date(wallet.at.getTime() + days * dayMs),
  });
  await insertGift(tx, { ...gift, at: wallet.at });
}

/** Why something was given, of those of these ids that are gifts of this player. */
export async function givenAs(
  db: Db,
  asked: { accountId: string; originIds: readonly string[] },
): Promise<Pick<PointGift, 'originId' | 'reason'>[]> {
  const gifts = await selectGifts(db, asked);
  return gifts.map(({ origin_id, reason }) => ({ originId: origin_id, reason }));
}

/**
 * Brings what stays of a gift to this number: none of it when the reason for it is gone, all of it
 * when that comes back. What was spent by then is owed in basic points, as the present of a top-up.
 * The posting names the step; repeating it changes nothing. Locks the wallet.
 */
export async function keepGiven(
  tx: Tx,
  step: { accountId: string; originId: string; posting: string; points: bigint },
): Promise<void> {
  const { accountId, originId, points } = step;
  // Whoever audits tells by its name what is done to a gift from what is done to a top-up.
  const posting = `gift:${step.posting}`;
  await keepOfTopUp(tx, { accountId, originId, posting, basic: 0n, present: points });
}
