import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  grantsOf,
  openPage,
  payAtProvider,
} from '../../test/buying.ts';
import { openExecutor } from '../../test/malformed-rows.ts';
import { operate } from '../../test/operate.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
  shop.startWorker();
});
afterAll(() => shop.closeAll());

const isIn = async (paymentId: string, state: string) => {
  const order = await shop.db.one(
    z.object({ state: z.string() }),
    sql`select state from orders where payment_id = ${paymentId}`,
  );
  return order.state === state;
};

test('an order of a site that was set aside after its payment began is paid, delivered and refunded', async () => {
  const order = await givenOrder(shop, buyer);
  const page = await openPage(shop, buyer, order);
  const executor = openExecutor(shop);
  await executor.executeSql('alter table sites drop constraint site_time_zone_is_known');
  await executor.executeSql(`update sites set time_zone = 'Mars/Base'`);
  await executor.close();
  await eventually(async () => (await fetch(`${shop.url}/config.json`)).status === 503);

  await payAtProvider(shop, page);
  await eventually(() => isIn(order.paymentId, 'arrived'));
  expect(await grantsOf(shop, order)).toHaveLength(1);
  const refund = ['refund', order.paymentId, '--reason', 'goodwill', '--by', 'ines'];
  expect(await operate(shop, refund)).toMatchObject({ status: 0 });
  await eventually(() => isIn(order.paymentId, 'refunded'));

  const { status, out } = await operate(shop, ['quarantine']);
  expect(status).toBe(0);
  expect(JSON.parse(out)).toEqual([
    { table: 'sites', key: 'solmere', reason: expect.stringMatching(/^time_zone: /) },
  ]);
});
