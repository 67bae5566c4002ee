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

// A provider whose links are soon over, and who knows payers by an application of the shop's, through
// the whole shop.

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
  // The worker asks about no payment by itself: WeChat is asked by those who pay, or not at all.
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
  if (action.kind !== 'redirect') throw new Error(`nobody is led anywhere by ${action.kind}`);
  return action.url;
};

/** What WeChat has under the number of the order's only attempt. */
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

/** As if so much time had gone by, here and at WeChat. */
async function letPass(order: OrderKey, seconds: number): Promise<void> {
  await world.outsider.tell('/__sandbox/clock', { advanceSeconds: seconds });
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update payment_attempts set action_ends_at = action_ends_at - make_interval(secs => ${seconds})
      where payment_id = ${order.paymentId}`),
  );
}

describe('a link that is good for five minutes', () => {
  test('is the same for whoever pays again soon, and nobody is asked', async () => {
    const order = await place();
    const action = await begin(order, onPhone);
    const { requests } = await world.records();
    await letPass(order, 200);
    expect(await begin(order, onPhone)).toEqual(action);
    expect((await world.records()).requests).toBe(requests);
    expect((await fetch(linkOf(action))).status).toBe(200);
  });

  test('is another one after that, for the same order, and is paid once', async () => {
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
    // And that one is kept as the first was.
    expect(linkOf(await begin(order, onPhone))).toBe(second);

    await world.pay(made?.out_trade_no ?? '');
    await untilShown(shop, buyer, order, 'Fulfilled');
  });

  test('is given for so long only that whoever gets it has time to follow it', async () => {
    const order = await place();
    const before = Date.now();
    await begin(order, onPhone);
    const goodForMs = (await endsAt(order)) - before;
    expect(goodForMs).toBeGreaterThan(60_000);
    expect(goodForMs).toBeLessThanOrEqual(4.5 * 60_000);
  });

  test('leads back to the shop when the order was paid meanwhile, and nobody pays twice', async () => {
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

  test('stays where it is while WeChat does not answer, and the order can still be paid', async () => {
    const order = await place();
    await begin(order, onPhone);
    await letPass(order, 301);
    await world.fault('POST /v3/pay/transactions/h5', 'http500_before');
    expect(await pay(shop, buyer, order, onPhone)).toMatchObject({ code: 'PaymentUnconfirmed' });
    expect((await fetch(linkOf(await begin(order, onPhone)))).status).toBe(200);
  });
});

test('a code that is scanned is good for two hours', async () => {
  const order = await place();
  const action = await begin(order, {});
  expect(action.kind).toBe('qr');
  expect((await endsAt(order)) - Date.now()).toBeGreaterThan(100 * 60_000);
});

describe('inside WeChat', () => {
  const bindTo = (app: string) =>
    shop.db.transaction((tx) =>
      tx.run(sql`
        insert into session_open_ids (account_id, site_id, token_hash, app_id, open_id)
        select account_id, site_id, token_hash, ${app}::text, 'oUpF8uMuAJO_1' from sessions
        where account_id = ${buyer.accountId}
        on conflict (account_id, site_id) do update set app_id = excluded.app_id`),
    );
  const offered = () => methodsOf(shop, buyer, { headers: inWechat });

  test('whom it knows by the application of the contract is offered WeChat Pay, and pays', async () => {
    expect(await offered()).toEqual(['epoint']);
    await bindTo(appId);
    expect(await offered()).toEqual(['wechatpay', 'epoint']);
    expect(await begin(await place(), inWechat)).toMatchObject({
      ...{ kind: 'wechat_jsapi', params: { appId } },
    });
  });

  test('whom it knows by another application is not, and WeChat is not asked in vain', async () => {
    await bindTo('wx_another_account');
    expect(await offered()).toEqual(['epoint']);
    const order = await place();
    const { requests } = await world.records();
    expect(await pay(shop, buyer, order, inWechat)).toMatchObject({ code: 'MethodUnavailable' });
    expect((await world.records()).requests).toBe(requests);
    // On a phone outside of it nobody has to be known.
    expect(await begin(order, onPhone)).toMatchObject({ kind: 'redirect' });
  });
});

test('a refund that the payer’s bank does not take is told to an operator when WeChat tells of it', async () => {
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
