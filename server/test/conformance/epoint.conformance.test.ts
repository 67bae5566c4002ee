import { z } from 'zod';
import { sql } from '../../src/platform/db.ts';
import type { OrderKey } from '../orders.ts';
import { givenPoints } from '../point-buying.ts';
import { mustConform } from './suite.ts';

const Moved = z.object({ moved: z.bigint() });

mustConform('epoint', async () => ({
  method: 'epoint',
  currency: 'EPOINT',
  settings: {},
  open: (shop) => {
    /** The balance changes of an order, as in the player's statement. */
    const movedFor = async ({ accountId, paymentId }: OrderKey) =>
      await shop.db.many(
        Moved,
        sql`select basic_change + present_change as moved from point_entries
            where account_id = ${accountId} and origin_id = ${paymentId} order by seq`,
      );
    return {
      prepare: (buyer) => givenPoints(shop, buyer, { basic: 5000n }),
      takenFor: async (order) =>
        (await movedFor(order))
          .filter(({ moved }) => moved < 0n)
          .map(({ moved }) => ({ captureId: 'none', amount: -Number(moved), currency: 'EPOINT' })),
      returnedFor: async (order) =>
        (await movedFor(order)).filter(({ moved }) => moved > 0n).map(({ moved }) => Number(moved)),
    };
  },
  stop: async () => {},
}));
