import { pointBalance } from '@pointgate/contract/points.ts';
import type { Player } from './players.ts';
import { orderPoints, type PurchaseContext, payByCard, untilFulfilled } from './purchases.ts';
import { callOrThrow } from './shop.ts';

// A pack of the demo, with its basic and present points together.
const pack = { itemId: 'epoint_500', points: 525n };

/** The basic and present points of a player. */
export async function pointsOf(player: Player): Promise<{ basicNum: number; presentNum: number }> {
  return await callOrThrow(player, pointBalance, { userId: player.gameAccountId });
}

export async function balanceOf(player: Player): Promise<bigint> {
  const { basicNum, presentNum } = await pointsOf(player);
  return BigInt(basicNum) + BigInt(presentNum);
}

/** Buys packs of points until the balance covers the price, and waits for them. */
export async function topUpTo(
  context: PurchaseContext,
  player: Player,
  price: bigint,
): Promise<bigint> {
  const before = await balanceOf(player);
  if (before >= price) return before;
  const quantity = Number((price - before + pack.points - 1n) / pack.points);
  const { paymentId } = await orderPoints(context, player, { itemId: pack.itemId, quantity });
  await payByCard(context, player, paymentId);
  await untilFulfilled(player, paymentId, 120_000);
  return await balanceOf(player);
}
