import { askRefund } from '../../../server/test/money-back.ts';
import { eventually, openTestShop } from '../../../server/test/shop.ts';
import type { FurnishedShop } from './furnished-shop.ts';
import { buy, openTeller, refundAtProvider, untilRevoked, untilState } from './teller.ts';

/** A small shop with deliveries, revocations, payments and refunds. */
export async function openSmallShop(): Promise<FurnishedShop> {
  const shop = await openTestShop({ LOG_LEVEL: 'silent' });
  const stopWorker = shop.startWorker();
  const teller = await openTeller(shop);
  const { admin } = teller;
  const close = async () => {
    await admin.end();
    await shop.closeAll();
  };
  try {
    const fault = (kind: string) =>
      shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, times: 1 });
    const arrived = await buy(teller);
    await fault('http500_after_commit');
    const retried = await buy(teller);
    await fault('decline');
    const declined = await buy(teller, 'refunded');
    const refunded = await buy(teller);
    await askRefund(shop, refunded);
    await untilState(teller, refunded, 'refunded');
    const elsewhere = await buy(teller);
    await refundAtProvider(teller, elsewhere);
    await untilState(teller, elsewhere, 'refunded');
    for (const order of [declined, refunded, elsewhere]) await untilRevoked(teller, order);
    await eventually(async () => {
      const { rows } = await admin.query(`
        select from provider_inbox where processed_at is null
        union all select from pgboss.job where state < 'completed' and start_after <= now()`);
      return rows.length === 0;
    });
    await stopWorker();
    const stories = {
      ...{ arrived: [arrived], retried: [retried], declined: [declined] },
      ...{ refunded: [refunded], elsewhere: [elsewhere] },
    };
    return { shop, admin, stories, copied: [], close };
  } catch (error) {
    await close();
    throw error;
  }
}
