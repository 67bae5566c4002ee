import { type OrderDetail, orderDetail } from '@pointgate/contract/orders.ts';
import { type Activity, repeatUntilStopped } from './activity.ts';
import { pause } from './pause.ts';
import type { Player } from './players.ts';
import {
  openPage,
  orderPack,
  orderPoints,
  type PurchaseContext,
  payByCard,
  payFromBalance,
} from './purchases.ts';
import type { PaidOrder } from './refunding.ts';
import { callOrThrow } from './shop.ts';

/** Players who buy until they are stopped. */
export interface Shopping extends Activity {
  /** Orders that are expected to stay unpaid: their player left, or could not afford them. */
  unpaid(): ReadonlySet<string>;
  /** Returns the order paid last, which may not be confirmed yet; each order once. */
  takePaid(): PaidOrder | undefined;
}

// With more paid orders that are not shown as paid yet, a player waits.
const waitingMax = 10;
const pointPacks = ['epoint_100', 'epoint_500', 'epoint_1000'];

interface ShopperState {
  context: PurchaseContext;
  /** Paid at the provider and not yet shown as paid. */
  waiting: Map<string, PaidOrder>;
  unpaid: Set<string>;
  onPaid: (order: PaidOrder) => void;
}

export function startShopping(
  context: PurchaseContext,
  players: readonly Player[],
  onOperation: () => void,
): Shopping {
  const unpaid = new Set<string>();
  const paid: PaidOrder[] = [];
  const onPaid = (order: PaidOrder) => {
    paid.push(order);
    onOperation();
  };
  const works = players.map((player) => {
    const shopper: ShopperState = { context, waiting: new Map(), unpaid, onPaid };
    return async () => {
      if (shopper.waiting.size < waitingMax) await buySomething(player, shopper);
      await look(player, shopper);
    };
  });
  return {
    ...repeatUntilStopped(works),
    unpaid: () => unpaid,
    takePaid: () => paid.pop(),
  };
}

async function buySomething(player: Player, shopper: ShopperState): Promise<void> {
  const { context } = shopper;
  const choice = player.random.below(100);
  if (choice < 5) await abandonOrder(player, shopper);
  else if (choice < 40) await payCard(player, shopper, await orderPack(context, player, 'card'));
  else if (choice < 85) await buyWithPoints(player, shopper);
  else await topUp(player, shopper);
}

async function payCard(player: Player, shopper: ShopperState, order: OrderDetail): Promise<void> {
  const { paymentId, amountMinor } = order;
  await payByCard(shopper.context, player, paymentId);
  shopper.waiting.set(paymentId, { paymentId, amountMinor });
}

async function topUp(player: Player, shopper: ShopperState): Promise<void> {
  const itemId = player.random.pick(pointPacks);
  const quantity = 1 + player.random.below(3);
  await payCard(player, shopper, await orderPoints(shopper.context, player, { itemId, quantity }));
}

async function buyWithPoints(player: Player, shopper: ShopperState): Promise<void> {
  const { context, onPaid, unpaid } = shopper;
  const order = await orderPack(context, player, 'epoint');
  const { paymentId, amountMinor } = order;
  if (await payFromBalance(context, player, order)) onPaid({ paymentId, amountMinor });
  else {
    unpaid.add(paymentId);
    await topUp(player, shopper);
  }
}

/** Places an order, perhaps opens its page, and leaves. */
async function abandonOrder(player: Player, { context, unpaid }: ShopperState): Promise<void> {
  const { paymentId } = await orderPack(context, player, 'card');
  unpaid.add(paymentId);
  if (player.random.percent(50)) await openPage(context, player, paymentId);
}

/** Reads the waiting orders a few times, as their page does. */
async function look(player: Player, { context, waiting, onPaid }: ShopperState): Promise<void> {
  for (let times = 0; times < 5 && waiting.size > 0; times += 1) {
    await pause(100);
    const order = player.random.pick([...waiting.values()]);
    const { paymentId } = order;
    const { shown } = await callOrThrow(player, orderDetail, { paymentId });
    context.acknowledgements.record({ what: 'shown', paymentId, shown });
    if (shown !== 'Paid' && shown !== 'Fulfilled') continue;
    waiting.delete(paymentId);
    onPaid(order);
  }
}
