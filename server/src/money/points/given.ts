import type { Db, Tx } from '../../platform/db.ts';
import { insertGift, selectGift, selectGifts } from './given.queries.ts';
import { postGrant } from './grants.ts';
import { keepOfTopUp } from './points.ts';
import { lockWallet } from './wallet.ts';

/** Points that were not bought, from a rebate or a redeemed code. */
export interface PointGift {
  accountId: string;
  originId: string;
  reason: 'rebate' | 'code';
  points: bigint;
  /** The lifetime from the moment of giving; null means that they never expire. */
  days: number | null;
}

const dayMs = 24 * 60 * 60_000;

/**
 * Gives present points once per origin. Repeating the gift changes nothing; a different gift under
 * the same origin is a bug of the caller and throws. Locks the wallet.
 */
export async function givePoints(tx: Tx, gift: PointGift): Promise<void> {
  const { originId, points, days } = gift;
  const wallet = await lockWallet(tx, gift.accountId);
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

/** The reasons of the gifts of this player among these ids. */
export async function givenAs(
  db: Db,
  asked: { accountId: string; originIds: readonly string[] },
): Promise<Pick<PointGift, 'originId' | 'reason'>[]> {
  const gifts = await selectGifts(db, asked);
  return gifts.map(({ origin_id, reason }) => ({ originId: origin_id, reason }));
}

/**
 * Sets the number of points that are kept of a gift: zero when its reason is gone, all when the
 * reason is back. Points already spent are owed in basic points, as for the present points of a
 * top-up. The posting names the step; repeating it changes nothing. Locks the wallet.
 */
export async function keepGiven(
  tx: Tx,
  step: { accountId: string; originId: string; posting: string; points: bigint },
): Promise<void> {
  const { accountId, originId, points } = step;
  // The prefix lets an audit distinguish steps of gifts from steps of top-ups.
  const posting = `gift:${step.posting}`;
  await keepOfTopUp(tx, { accountId, originId, posting, basic: 0n, present: points });
}
