import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  eventually,
  givenOrderBody,
  givenPlayer,
  openTestShop,
  send,
  signIn,
  type TestShop,
} from '../../test/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
  shop.startWorker();
});
afterAll(() => shop.closeAll());

const Order = z.object({ paymentId: z.uuid(), shown: z.string() });

test('a pack that is paid by card arrives in the game', async () => {
  const player = await givenPlayer(shop);
  const cookie = await signIn(shop, player);
  const body = await givenOrderBody(shop, cookie);
  const created = await send(shop, '/api/payment/order/create', { cookie, body });
  const { paymentId } = Order.parse(created.data);
  const paying = await send(shop, '/api/payment/order/pay', { cookie, body: { paymentId } });
  const { action } = z.object({ action: z.object({ url: z.url() }) }).parse(paying.data);
  const sessionId = new URL(action.url).pathname.split('/').pop();
  await shop.stripe.tell(`/__sandbox/sessions/${sessionId}/pay`, {});

  await eventually(async () => {
    const detail = await send(shop, '/api/payment/order/detail', { cookie, body: { paymentId } });
    return Order.parse(detail.data).shown === 'Fulfilled';
  });
  expect(await shop.game.ask(`/__sandbox/grants?paymentId=${paymentId}`)).toMatchObject({
    grants: [{ gameAccountId: player.gameAccountId, sku: 'lumen_shard', quantity: 330 }],
  });
});
