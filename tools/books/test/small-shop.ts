import { askRefund } from '../../../server/test/money-back.ts';
import { eventually, openTestShop } from '../../../server/test/shop.ts';
import type { PreparedShop } from './prepared-shop.ts';
import {
  buy,
  openScenarioContext,
  refundAtProvider,
  untilRevoked,
  untilState,
} from './scenario-steps.ts';

/** A small shop with deliveries, revocations, payments and refunds. */
export async function openSmallShop(): Promise<PreparedShop> {
  const shop = await openTestShop({ LOG_LEVEL: 'silent' });
  const stopWorker = shop.startWorker();
  const context = await openScenarioContext(shop);
  const { admin } = context;
  const close = async () => {
    await admin.end();
    await shop.closeAll();
  };
  try {
    const fault = (kind: string) =>
      shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, times: 1 });
    const arrived = await buy(context);
    await fault('http500_after_commit');
    const retried = await buy(context);
    await fault('decline');
    const declined = await buy(context, 'refunded');
    const refunded = await buy(context);
    await askRefund(shop, refunded);
    await untilState(context, refunded, 'refunded');
    const elsewhere = await buy(context);
    await refundAtProvider(context, elsewhere);
    await untilState(context, elsewhere, 'refunded');
    for (const order of [declined, refunded, elsewhere]) await untilRevoked(context, order);
    await eventually(async () => {
      const { rows } = await admin.query(`
        select from provider_inbox where processed_at is null
        union all select from pgboss.job where state < 'completed' and start_after <= now()`);
      return rows.length === 0;
    });
    await stopWorker();
    const scenarios = {
      arrived: [arrived],
      retried: [retried],
      declined: [declined],
      refunded: [refunded],
      elsewhere: [elsewhere],
    };
    return { shop, admin, scenarios, copiedScenarios: [], close };
  } catch (error) {
    await close();
    throw error;
  }
}
