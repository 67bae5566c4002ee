import { payOrder } from '@pointgate/contract/orders.ts';
import { type Activity, repeatUntilStopped } from './activity.ts';
import { call } from './call.ts';
import { pause } from './pause.ts';
import type { Player } from './players.ts';
import { orderPack, type PurchaseContext, untilFulfilled } from './purchases.ts';
import { sandboxClientAt } from './sandbox-client.ts';
import { callOrThrow, type Shop } from './shop.ts';

/** A provider that accepts connections and never answers, while players go on choosing it. */
export interface HangingProvider extends Activity {
  /** Orders that cannot be paid. */
  unpaid(): ReadonlySet<string>;
  /** Lets the provider answer again, and waits for the payments made before it hung. */
  resume(): Promise<void>;
}

/** Pays some orders at PayPal and silences it before it has sent all webhooks. */
export async function hangPaypal(
  shop: Shop,
  { context, player, ordersPaid }: { context: PurchaseContext; player: Player; ordersPaid: number },
): Promise<HangingProvider> {
  const paypal = sandboxClientAt(shop.stack.sandbox.paypal);
  const unpaid = new Set<string>();
  const paid: string[] = [];
  while (paid.length < ordersPaid) {
    const { paymentId } = await orderPack(context, player, 'paypal');
    const { action } = await callOrThrow(player, payOrder, { paymentId });
    if (action.kind !== 'redirect') throw new Error(`Order ${paymentId} has no page to pay on.`);
    const token = new URL(action.url).searchParams.get('token');
    await paypal.tell(`/__sandbox/orders/${token}/approve`, {});
    paid.push(paymentId);
  }
  const program = shop.stack.sandboxProgram('paypal');
  program.hang();

  const attemptPayment = async () => {
    const order = await orderPack(context, player, 'paypal').catch(() => undefined);
    if (order !== undefined) {
      const { paymentId } = order;
      unpaid.add(paymentId);
      const api = player.random.pick(player.apis);
      await call({ api, endpoint: payOrder, body: { paymentId }, cookie: player.cookie });
    }
    await pause(1_000);
  };
  return {
    ...repeatUntilStopped([attemptPayment]),
    unpaid: () => unpaid,
    resume: async () => {
      program.resume();
      for (const paymentId of paid) {
        await untilFulfilled(player, paymentId, 5 * 60_000);
      }
    },
  };
}
