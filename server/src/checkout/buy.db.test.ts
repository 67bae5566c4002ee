import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenBuyer, givenOrder, openPage, payAtProvider, untilShown } from '../../test/buying.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
  shop.startWorker();
});
afterAll(() => shop.closeAll());

test('a pack paid by card is delivered to the game account', async () => {
  const buyer = await givenBuyer(shop);
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));

  await untilShown(shop, buyer, order, 'Fulfilled');
  expect(await shop.game.ask(`/__sandbox/grants?paymentId=${order.paymentId}`)).toMatchObject({
    grants: [{ gameAccountId: buyer.gameAccountId, sku: 'lumen_shard', quantity: 330 }],
  });
});
