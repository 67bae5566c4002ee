import { payOrder } from '@pointgate/contract/orders.ts';
import { type Activity, keepDoing } from './activity.ts';
import { call } from './call.ts';
import { pause } from './pause.ts';
import type { Player } from './players.ts';
import { orderPack, type Till, untilFulfilled } from './purchases.ts';
import { outsiderAt } from './sandbox.ts';
import { demand, type Shop } from './shop.ts';

/** A provider that accepts connections and never answers, while players go on choosing it. */
export interface SilentProvider extends Activity {
  /** Orders that cannot be paid. */
  unpaid(): ReadonlySet<string>;
  /** Lets the provider answer again, and waits for the payments made before it fell silent. */
  goOn(): Promise<void>;
}

/** Pays some orders at PayPal and silences it before it has sent all webhooks. */
export async function silencePaypal(
  shop: Shop,
  { till, player, ordersPaid }: { till: Till; player: Player; ordersPaid: number },
): Promise<SilentProvider> {
  const paypal = outsiderAt(shop.stack.sandbox.paypal);
  const unpaid = new Set<string>();
  const paid: string[] = [];
  while (paid.length < ordersPaid) {
    const { paymentId } = await orderPack(till, player, 'paypal');
    const { action } = await demand(player, payOrder, { paymentId });
    if (action.kind !== 'redirect') throw new Error(`Order ${paymentId} has no page to pay on.`);
    const token = new URL(action.url).searchParams.get('token');
    await paypal.tell(`/__sandbox/orders/${token}/approve`, {});
    paid.push(paymentId);
  }
  const program = shop.stack.outsider('paypal');
  program.hang();

  const tryInVain = async () => {
    const order = await orderPack(till, player, 'paypal').catch(() => undefined);
    if (order !== undefined) {
      const { paymentId } = order;
      unpaid.add(paymentId);
      const api = player.random.pick(player.apis);
      await call({ api, endpoint: payOrder, body: { paymentId }, cookie: player.cookie });
    }
    await pause(1_000);
  };
  return {
    ...keepDoing([tryInVain]),
    unpaid: () => unpaid,
    goOn: async () => {
      program.goOn();
      for (const paymentId of paid) {
        await untilFulfilled(player, paymentId, 5 * 60_000);
      }
    },
  };
}
