import { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, givenBuyer, givenOrder, pay, untilShown } from '../../../test/buying.ts';
import { askRefund, attemptOf, casesOf } from '../../../test/money-back.ts';
import { type OrderKey, recordsOf } from '../../../test/orders.ts';
import { methodsOf } from '../../../test/routing.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import {
  appId,
  givenOptions,
  startWechatpayWorld,
  type WechatpayWorld,
} from '../psp/test/wechatpay-world.ts';

// End-to-end tests of a provider whose links expire soon and which identifies payers by an open id
// that belongs to one application.

const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const onPhone = { 'user-agent': safari };
const inWechat = { 'user-agent': `${safari} MicroMessenger/8.0.50(0x18003236)` };

let world: WechatpayWorld;
let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  world = await startWechatpayWorld();
  const WECHATPAY = JSON.stringify(givenOptions({ apiBase: world.outsider.url }));
  // Polling is off, so WeChat is called only by payment requests.
  const PAYMENT_CHECK_SECONDS = '3600';
  shop = await openTestShop({ LOG_LEVEL: 'silent', WECHATPAY, PAYMENT_CHECK_SECONDS });
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`
      update sites set methods = array['card', 'wechatpay', 'epoint'], currency = 'CNY',
                       wechat_app_id = ${appId}`);
    await tx.run(sql`
      insert into item_prices (item_id, currency, amount_minor) values ('shards_300', 'CNY', 3000)`);
  });
  shop.startWorker();
  buyer = await givenBuyer(shop);
});
beforeEach(async () => {
  await world.outsider.tell('/__sandbox/reset', {});
  await world.outsider.tell('/__sandbox/webhooks', { url: `${shop.url}/webhooks/wechatpay` });
});
afterAll(async () => {
  await shop?.closeAll();
  await world?.outsider.stop();
});

const place = () => givenOrder(shop, buyer, { method: 'wechatpay' });

async function begin(order: OrderKey, headers: Record<string, string>): Promise<PaymentAction> {
  const { data } = await pay(shop, buyer, order, headers);
  return z.object({ action: PaymentAction }).parse(data).action;
}

const linkOf = (action: PaymentAction) => {
  if (action.kind !== 'redirect') throw new Error(`an action of kind ${action.kind} has no link`);
  return action.url;
};

/** The sessions at WeChat for the order's only payment attempt. */
async function ordersAt(order: OrderKey) {
  const { attemptId } = await attemptOf(shop, order);
  const { sessions } = await world.records();
  return sessions.filter((one) => one.out_trade_no === attemptId.replaceAll('-', ''));
}

async function endsAt(order: OrderKey): Promise<number> {
  const row = await shop.db.one(
    z.object({ action_ends_at: z.date() }),
    sql`select action_ends_at from payment_attempts where payment_id = ${order.paymentId}`,
  );
  return row.action_ends_at.getTime();
}

/** Advances the clock of WeChat and moves the end of the link back by as much. */
async function letPass(order: OrderKey, seconds: number): Promise<void> {
  await world.outsider.tell('/__sandbox/clock', { advanceSeconds: seconds });
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update payment_attempts set action_ends_at = action_ends_at - make_interval(secs => ${seconds})
      where payment_id = ${order.paymentId}`),
  );
}

describe('WeChat Pay links', () => {
  test('a WeChat Pay link is reused while it is valid, without a call to WeChat', async () => {
    const order = await place();
    const action = await begin(order, onPhone);
    const { requests } = await world.records();
    await letPass(order, 200);
    expect(await begin(order, onPhone)).toEqual(action);
    expect((await world.records()).requests).toBe(requests);
    expect((await fetch(linkOf(action))).status).toBe(200);
  });

  test('an expired WeChat Pay link is replaced for the same order, which is paid once', async () => {
    const order = await place();
    const first = linkOf(await begin(order, onPhone));
    await letPass(order, 301);
    expect((await fetch(first)).status).toBe(404);

    const second = linkOf(await begin(order, onPhone));
    expect(second).not.toBe(first);
    expect((await fetch(second)).status).toBe(200);
    expect((await recordsOf(shop.db, order)).attempts).toHaveLength(1);
    const [made, ...more] = await ordersAt(order);
    expect(more).toEqual([]);
    // The second link is reused as well.
    expect(linkOf(await begin(order, onPhone))).toBe(second);

    await world.pay(made?.out_trade_no ?? '');
    await untilShown(shop, buyer, order, 'Fulfilled');
  });

  test('a WeChat Pay link is reused for at most four and a half of its five minutes', async () => {
    const order = await place();
    const before = Date.now();
    await begin(order, onPhone);
    const goodForMs = (await endsAt(order)) - before;
    expect(goodForMs).toBeGreaterThan(60_000);
    expect(goodForMs).toBeLessThanOrEqual(4.5 * 60_000);
  });

  test('a payment request for an order already paid at WeChat returns the order page of the shop instead of a payment link', async () => {
    await world.outsider.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
    const order = await place();
    await begin(order, onPhone);
    const [made] = await ordersAt(order);
    await world.pay(made?.out_trade_no ?? '');
    await letPass(order, 301);
    expect(linkOf(await begin(order, onPhone))).toContain(
      `/main/recharge/detail/${order.paymentId}`,
    );
  });

  test('an order whose WeChat Pay link cannot be renewed because WeChat fails can be paid by a later payment request', async () => {
    const order = await place();
    await begin(order, onPhone);
    await letPass(order, 301);
    await world.fault('POST /v3/pay/transactions/h5', 'http500_before');
    expect(await pay(shop, buyer, order, onPhone)).toMatchObject({ code: 'PaymentUnconfirmed' });
    expect((await fetch(linkOf(await begin(order, onPhone)))).status).toBe(200);
  });
});

test('a WeChat Pay QR code is valid for more than a hundred minutes', async () => {
  const order = await place();
  const action = await begin(order, {});
  expect(action.kind).toBe('qr');
  expect((await endsAt(order)) - Date.now()).toBeGreaterThan(100 * 60_000);
});

describe('payments inside WeChat', () => {
  const bindTo = (app: string) =>
    shop.db.transaction((tx) =>
      tx.run(sql`
        insert into session_open_ids (account_id, site_id, token_hash, app_id, open_id)
        select account_id, site_id, token_hash, ${app}::text, 'oUpF8uMuAJO_1' from sessions
        where account_id = ${buyer.accountId}
        on conflict (account_id, site_id) do update set app_id = excluded.app_id`),
    );
  const offered = () => methodsOf(shop, buyer, { headers: inWechat });

  test("a player with an open id of the merchant account's WeChat app can pay inside WeChat", async () => {
    expect(await offered()).toEqual(['epoint']);
    await bindTo(appId);
    expect(await offered()).toEqual(['wechatpay', 'epoint']);
    expect(await begin(await place(), inWechat)).toMatchObject({
      kind: 'wechat_jsapi',
      params: { appId },
    });
  });

  test('a player with an open id of another WeChat app only is not offered WeChat Pay inside WeChat', async () => {
    await bindTo('wx_another_account');
    expect(await offered()).toEqual(['epoint']);
    const order = await place();
    const { requests } = await world.records();
    expect(await pay(shop, buyer, order, inWechat)).toMatchObject({ code: 'MethodUnavailable' });
    expect((await world.records()).requests).toBe(requests);
    // On a phone outside of WeChat no open id is needed.
    expect(await begin(order, onPhone)).toMatchObject({ kind: 'redirect' });
  });
});

test('the shop opens an operator case when WeChat reports that the payer’s bank refused a refund', async () => {
  const order = await place();
  await begin(order, {});
  const [made] = await ordersAt(order);
  await world.pay(made?.out_trade_no ?? '');
  await untilShown(shop, buyer, order, 'Fulfilled');
  await world.outsider.tell('/__sandbox/refunds', { next: 'pending' });
  const { refundId } = await askRefund(shop, order);
  await eventually(async () => (await world.records()).refunds.length > 0);
  expect(await casesOf(shop.db, order)).toEqual([]);

  await world.outsider.tell(`/__sandbox/refunds/${refundId}/settle`, { status: 'failed' });
  await eventually(async () => (await casesOf(shop.db, order)).length > 0);
  expect(await casesOf(shop.db, order)).toMatchObject([
    { kind: 'refund_failed', subject: refundId },
  ]);
});
