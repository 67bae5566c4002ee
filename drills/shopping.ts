import { type OrderDetail, orderDetail } from '@pointgate/contract/orders.ts';
import { type Activity, keepDoing } from './activity.ts';
import { pause } from './pause.ts';
import type { Player } from './players.ts';
import {
  openPage,
  orderPack,
  orderPoints,
  payByCard,
  payFromBalance,
  type Till,
} from './purchases.ts';
import type { PaidOrder } from './refunding.ts';
import { demand } from './shop.ts';

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

interface Basket {
  till: Till;
  /** Paid at the provider and not yet shown as paid. */
  waiting: Map<string, PaidOrder>;
  unpaid: Set<string>;
  onPaid: (order: PaidOrder) => void;
}

export function startShopping(
  till: Till,
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
    const basket: Basket = { till, waiting: new Map(), unpaid, onPaid };
    return async () => {
      if (basket.waiting.size < waitingMax) await buySomething(player, basket);
      await look(player, basket);
    };
  });
  return {
    ...keepDoing(works),
    unpaid: () => unpaid,
    takePaid: () => paid.pop(),
  };
}

async function buySomething(player: Player, basket: Basket): Promise<void> {
  const { till } = basket;
  const choice = player.random.below(100);
  if (choice < 5) await walkAway(player, basket);
  else if (choice < 40) await payCard(player, basket, await orderPack(till, player, 'card'));
  else if (choice < 85) await buyWithPoints(player, basket);
  else await topUp(player, basket);
}

async function payCard(player: Player, basket: Basket, order: OrderDetail): Promise<void> {
  const { paymentId, amountMinor } = order;
  await payByCard(basket.till, player, paymentId);
  basket.waiting.set(paymentId, { paymentId, amountMinor });
}

async function topUp(player: Player, basket: Basket): Promise<void> {
  const itemId = player.random.pick(pointPacks);
  const quantity = 1 + player.random.below(3);
  await payCard(player, basket, await orderPoints(basket.till, player, { itemId, quantity }));
}

async function buyWithPoints(player: Player, basket: Basket): Promise<void> {
  const { till, onPaid, unpaid } = basket;
  const order = await orderPack(till, player, 'epoint');
  const { paymentId, amountMinor } = order;
  if (await payFromBalance(till, player, order)) onPaid({ paymentId, amountMinor });
  else {
    unpaid.add(paymentId);
    await topUp(player, basket);
  }
}

/** Places an order, perhaps opens its page, and leaves. */
async function walkAway(player: Player, { till, unpaid }: Basket): Promise<void> {
  const { paymentId } = await orderPack(till, player, 'card');
  unpaid.add(paymentId);
  if (player.random.percent(50)) await openPage(till, player, paymentId);
}

/** Reads the waiting orders a few times, as their page does. */
async function look(player: Player, { till, waiting, onPaid }: Basket): Promise<void> {
  for (let times = 0; times < 5 && waiting.size > 0; times += 1) {
    await pause(100);
    const order = player.random.pick([...waiting.values()]);
    const { paymentId } = order;
    const { shown } = await demand(player, orderDetail, { paymentId });
    till.acknowledgements.note({ what: 'shown', paymentId, shown });
    if (shown !== 'Paid' && shown !== 'Fulfilled') continue;
    waiting.delete(paymentId);
    onPaid(order);
  }
}
