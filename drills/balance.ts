import { pointBalance } from '@pointgate/contract/points.ts';
import type { Player } from './players.ts';
import { orderPoints, payByCard, type Till, untilFulfilled } from './purchases.ts';
import { demand } from './shop.ts';

// What the demo sells: bought points, and given ones on top.
const pack = { itemId: 'epoint_500', points: 525n };

/** The points of a player, bought and given. */
export async function pointsOf(player: Player): Promise<{ basicNum: number; presentNum: number }> {
  return await demand(player, pointBalance, { userId: player.gameAccountId });
}

export async function balanceOf(player: Player): Promise<bigint> {
  const { basicNum, presentNum } = await pointsOf(player);
  return BigInt(basicNum) + BigInt(presentNum);
}

/** Buys as many packs of points as it takes to afford the price, and waits until they are there. */
export async function topUpTo(till: Till, player: Player, price: bigint): Promise<bigint> {
  const before = await balanceOf(player);
  if (before >= price) return before;
  const quantity = Number((price - before + pack.points - 1n) / pack.points);
  const { paymentId } = await orderPoints(till, player, { itemId: pack.itemId, quantity });
  await payByCard(till, player, paymentId);
  await untilFulfilled(player, paymentId, 120_000);
  return await balanceOf(player);
}
