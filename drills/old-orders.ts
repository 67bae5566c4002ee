import { copyIntoMonths, givenOwners } from '../tools/old-orders/old-orders.ts';
import type { Player } from './players.ts';
import type { Shop } from './shop.ts';

/**
 * Fills the months before this one with copies of an order, for accounts and players. Returns the
 * names of the months, newest first.
 */
export async function givenOldOrders(
  shop: Shop,
  {
    months,
    ordersPerMonth,
    paymentId,
    players,
  }: { months: number; ordersPerMonth: number; paymentId: string; players: readonly Player[] },
): Promise<string[]> {
  await givenOwners(shop.query, months * ordersPerMonth);
  const accountIds = players.map(({ accountId }) => accountId);
  const made = await copyIntoMonths(shop.query, paymentId, {
    months,
    count: ordersPerMonth,
    accountIds,
  });
  await shop.query('analyze');
  return made;
}
