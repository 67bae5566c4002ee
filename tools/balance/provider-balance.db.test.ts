import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, givenBuyer, givenOrder, pay, untilShown } from '../../server/test/buying.ts';
import { askRefund } from '../../server/test/money-back.ts';
import { dayIn, reconcileDay, settlementCases } from '../../server/test/reconciling.ts';
import { eventually, openTestShop, type TestShop } from '../../server/test/shop.ts';
import { type Outsider, startOutsider } from '../../server/test/world.ts';
import { chooseAddresses } from '../stack/addresses.ts';
import { merchantAccountsOf } from '../stack/merchant-accounts.ts';
import { type PaymentProviderName, paymentProviders } from '../stack/payment-providers.ts';
import { makeSecrets } from '../stack/secrets.ts';
import { balanceDifferences } from './provider-balance.ts';

type Order = { accountId: string; paymentId: string };

const home = mkdtempSync(join(tmpdir(), 'provider-balance-'));
let outside: Record<PaymentProviderName, Outsider>;
let shop: TestShop;
let admin: pg.Client;
let buyer: Buyer;

beforeAll(async () => {
  const addresses = await chooseAddresses({ mode: 'bare', preferredPorts: [], apis: 1 });
  const merchantAccounts = merchantAccountsOf(addresses, makeSecrets(), home);
  const start = (name: Exclude<PaymentProviderName, 'stripe'>) =>
    startOutsider(name, {
      ...merchantAccounts[name].sandbox,
      PORT: new URL(addresses.sandbox[name]).port,
    });
  const others = {
    paypal: await start('paypal'),
    wechatpay: await start('wechatpay'),
    alipay: await start('alipay'),
    adyen: await start('adyen'),
  };
  const settings = (['paypal', 'wechatpay', 'alipay', 'adyen'] as const).map((name) =>
    merchantAccounts[name].server(),
  );
  shop = await openTestShop(Object.assign({ LOG_LEVEL: 'silent' }, ...settings));
  outside = { stripe: shop.stripe, ...others };
  for (const [name, { tell }] of Object.entries(others)) {
    await tell('/__sandbox/webhooks', { url: `${shop.url}/webhooks/${name}` });
  }
  admin = new pg.Client({ connectionString: shop.databaseUrl });
  await admin.connect();
  await admin.query(`
    insert into item_prices (item_id, currency, amount_minor) values ('shards_300', 'CNY', 3000);
    update sites set methods = array['card', 'paypal', 'wechatpay', 'alipay', 'adyen', 'epoint'],
      other_currencies = array['CNY']`);
  shop.startWorker();
  buyer = await givenBuyer(shop);
});
afterAll(async () => {
  await admin?.end();
  await shop?.closeAll();
  for (const name of ['paypal', 'wechatpay', 'alipay', 'adyen'] as const) {
    await outside?.[name].stop();
  }
  rmSync(home, { recursive: true });
});

const isChinese = (name: PaymentProviderName) => name === 'wechatpay' || name === 'alipay';
const currencyOf = (name: PaymentProviderName) => (isChinese(name) ? 'CNY' : 'USD');

const wishFor = (name: PaymentProviderName): object =>
  isChinese(name)
    ? { method: name, currency: 'CNY' }
    : { method: name === 'stripe' ? 'card' : name };

const Opened = z.object({ action: z.object({ kind: z.string(), url: z.string().optional() }) });

async function buy(name: PaymentProviderName): Promise<Order> {
  const order = await givenOrder(shop, buyer, wishFor(name));
  const { data } = await pay(shop, buyer, order);
  const { rows } = await admin.query<{ psp_ref: string }>(
    'select psp_ref from payment_attempts where payment_id = $1 and psp = $2',
    [order.paymentId, name],
  );
  const pspRef = z.string().parse(rows[0]?.psp_ref);
  if (name === 'paypal') await outside.paypal.tell(`/__sandbox/orders/${pspRef}/approve`, {});
  else if (name === 'alipay') {
    const { url } = Opened.parse(data).action;
    await outside.alipay.tell('/__sandbox/pay', { url });
  } else await outside[name].tell(`/__sandbox/sessions/${pspRef}/pay`, {});
  await untilShown(shop, buyer, order, 'Fulfilled');
  return order;
}

const Charges = z.object({
  charges: z.array(z.object({ id: z.string(), payment_intent: z.string() })),
});

async function captureOf(name: PaymentProviderName, { paymentId }: Order): Promise<string> {
  const found = await outside[name].ask(`/__sandbox/charges?paymentId=${paymentId}`);
  return z.string().parse(Charges.parse(found).charges[0]?.payment_intent);
}

/** Opens and decides a dispute, and waits until the shop has recorded it. */
async function dispute(
  name: 'stripe' | 'paypal' | 'adyen',
  order: Order,
  stage: 'won' | 'lost',
): Promise<void> {
  const paymentIntent = await captureOf(name, order);
  const opened = await outside[name].tell('/__sandbox/disputes', { paymentIntent, stage: 'open' });
  const { id } = z.object({ id: z.string() }).parse(opened);
  await untilPosted(order, 'dispute:%:held');
  await outside[name].tell(`/__sandbox/disputes/${id}`, { stage });
  // The hold is released if the dispute is won, and booked as lost otherwise.
  await untilPosted(order, 'dispute:%', stage === 'lost' ? 3 : 2);
}

const untilPosted = (order: Order, posting: string, count = 1) =>
  eventually(async () => {
    const { rows } = await admin.query(
      'select from ledger_transfers where origin_id = $1 and posting like $2',
      [order.paymentId, posting],
    );
    return rows.length >= count;
  });

async function payOut(name: PaymentProviderName, amount?: number): Promise<string> {
  const currency = currencyOf(name);
  const paid = await outside[name].tell('/__sandbox/payouts', { currency, amount });
  return z.object({ id: z.string() }).parse(paid).id;
}

async function live(name: PaymentProviderName): Promise<void> {
  await buy(name);
  const refunded = await buy(name);
  await askRefund(shop, refunded);
  await untilShown(shop, buyer, refunded, 'Refunded');
  await outside[name].tell('/__sandbox/fees', { currency: currencyOf(name), amount: 77 });
  await payOut(name);
  const returned = await payOut(name, 50);
  await outside[name].tell(`/__sandbox/payouts/${returned}/return`, {});
  await payOut(name, -120);
}

const Refunds = z.object({ refunds: z.array(z.object({ id: z.string() })) });

test('the ledger book house:psp equals each provider balance after sales, refunds, disputes, fees and payouts', async () => {
  for (const name of paymentProviders) await live(name);
  for (const name of ['stripe', 'paypal', 'adyen'] as const) {
    await dispute(name, await buy(name), 'won');
    await dispute(name, await buy(name), 'lost');
  }
  // A completed refund that the payer's bank returned.
  for (const name of ['stripe', 'adyen'] as const) {
    const order = await buy(name);
    const { refundId } = await askRefund(shop, order);
    await untilShown(shop, buyer, order, 'Refunded');
    const found = await outside[name].ask(`/__sandbox/refunds?paymentId=${order.paymentId}`);
    const { refunds } = Refunds.parse(found);
    const id = name === 'adyen' ? refundId : refunds[0]?.id;
    await outside[name].tell(`/__sandbox/refunds/${id}/settle`, { status: 'failed' });
    await untilPosted(order, 'refund:%', 2);
  }
  for (const name of ['wechatpay', 'alipay'] as const) {
    await outside[name].tell('/__sandbox/bills', { outcome: 'every_day' });
  }
  await outside.adyen.tell('/__sandbox/settlement', { isReady: true });
  await outside.paypal.tell('/__sandbox/clock', { advanceSeconds: 86_400 });

  const sandbox = Object.fromEntries(paymentProviders.map((name) => [name, outside[name].url]));
  const asked = { databaseUrl: shop.databaseUrl, sandbox };
  // Fees and payouts become known only from the settlement files.
  expect(await balanceDifferences(asked)).toHaveLength(paymentProviders.length);

  for (const name of paymentProviders) {
    for (const day of [dayIn(-24), dayIn(0)]) await reconcileDay(shop, name, day);
  }
  expect(await balanceDifferences(asked)).toEqual([]);
  expect(await settlementCases(shop)).toEqual([]);

  // Every book was used, and reading a file again changes nothing.
  const counted = async () =>
    (
      await admin.query(`
        select psp, debit_book, credit_book, count(*)::int from house_transfers
        group by psp, debit_book, credit_book order by psp, debit_book, credit_book`)
    ).rows;
  const before = await counted();
  const books = (psp: string) =>
    new Set(
      before.filter((row) => row.psp === psp).flatMap((row) => [row.debit_book, row.credit_book]),
    );
  for (const name of paymentProviders) {
    expect(books(name)).toContain('house:fees');
    expect(books(name)).toContain('house:bank');
    expect(books(name).has('house:chargeback_fees')).toBe(!isChinese(name));
    expect(books(name)).not.toContain('house:adjustments');
    await reconcileDay(shop, name, dayIn(0));
  }
  expect(await counted()).toEqual(before);
});
