import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { auditDatabase } from '../../auditor/src/audit-database.ts';
import { askOutside } from '../../auditor/src/outside/ask-outside.ts';
import { type Buyer, givenBuyer, givenOrder, pay, untilShown } from '../../server/test/buying.ts';
import { askRefund } from '../../server/test/money-back.ts';
import { eventually, openTestShop, type TestShop } from '../../server/test/shop.ts';
import { type Outsider, startOutsider } from '../../server/test/world.ts';
import { chooseAddresses } from '../stack/addresses.ts';
import { merchantAccountsOf } from '../stack/merchant-accounts.ts';
import { makeSecrets } from '../stack/secrets.ts';
import { checkBooks } from './check-books.ts';

// The checks themselves are tested elsewhere with one provider; these tests cover the other
// providers.

const others = ['paypal', 'wechatpay', 'adyen'] as const;
type Other = (typeof others)[number];
// Providers with disputes.
const disputable = ['paypal', 'adyen'] as const;
type Order = { accountId: string; paymentId: string };

const home = mkdtempSync(join(tmpdir(), 'books-providers-'));
let outside: Record<Other, Outsider>;
let shop: TestShop;
let admin: pg.Client;
let buyer: Buyer;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  const addresses = await chooseAddresses({ mode: 'bare', preferredPorts: [], apis: 1 });
  const merchantAccounts = merchantAccountsOf(addresses, makeSecrets(), home);
  const start = (name: Other) =>
    startOutsider(name, {
      ...merchantAccounts[name].sandbox,
      PORT: new URL(addresses.sandbox[name]).port,
    });
  outside = {
    paypal: await start('paypal'),
    wechatpay: await start('wechatpay'),
    adyen: await start('adyen'),
  };
  const settings = others.map((name) => merchantAccounts[name].server());
  shop = await openTestShop(Object.assign({ LOG_LEVEL: 'silent' }, ...settings));
  admin = new pg.Client({ connectionString: shop.databaseUrl });
  await admin.connect();
  await admin.query(`
    insert into item_prices (item_id, currency, amount_minor) values ('shards_300', 'CNY', 3000);
    update sites set methods = array['card', 'paypal', 'wechatpay', 'adyen', 'epoint'],
      other_currencies = array['CNY']`);
  // Changes rows past the triggers, as the owner of the tables can.
  await admin.query('set session_replication_role = replica');
  stopWorker = shop.startWorker();
  buyer = await givenBuyer(shop);
});
beforeEach(async () => {
  for (const name of others) {
    await outside[name].tell('/__sandbox/reset', {});
    await outside[name].tell('/__sandbox/webhooks', { url: `${shop.url}/webhooks/${name}` });
  }
});
afterAll(async () => {
  await admin?.end();
  await shop?.closeAll();
  for (const name of others) await outside?.[name].stop();
  rmSync(home, { recursive: true });
});

const wishFor = (name: Other): object =>
  name === 'wechatpay' ? { method: name, currency: 'CNY' } : { method: name };

/** An order with an open payment, and the provider's reference to it. */
async function open(name: Other): Promise<{ order: Order; pspRef: string }> {
  const order = await givenOrder(shop, buyer, wishFor(name));
  await pay(shop, buyer, order);
  const { rows } = await admin.query<{ psp_ref: string }>(
    'select psp_ref from payment_attempts where payment_id = $1 and psp = $2',
    [order.paymentId, name],
  );
  return { order, pspRef: z.string().parse(rows[0]?.psp_ref) };
}

/** The payer approves. A PayPal order still has to be captured then. */
async function agree(name: Other, pspRef: string): Promise<void> {
  const path = name === 'paypal' ? `orders/${pspRef}/approve` : `sessions/${pspRef}/pay`;
  await outside[name].tell(`/__sandbox/${path}`, {});
}

async function buy(name: Other): Promise<Order> {
  const { order, pspRef } = await open(name);
  await agree(name, pspRef);
  await untilShown(shop, buyer, order, 'Fulfilled');
  return order;
}

const Charges = z.object({ charges: z.array(z.object({ id: z.string() })) });

async function chargeOf(name: Other, { paymentId }: Order): Promise<string> {
  const found = await outside[name].ask(`/__sandbox/charges?paymentId=${paymentId}`);
  return z.string().parse(Charges.parse(found).charges[0]?.id);
}

/** Checks with a clock ten minutes ahead, so that nothing counts as still in progress. */
async function books(): Promise<string[]> {
  const { databaseUrl, stripe, game } = shop;
  const { paypal, wechatpay, adyen } = outside;
  const sandbox = {
    stripe: stripe.url,
    game: game.url,
    paypal: paypal.url,
    wechatpay: wechatpay.url,
    adyen: adyen.url,
  };
  const findings = await checkBooks({ databaseUrl, sandbox }, Date.now() + 10 * 60_000);
  return findings.flatMap(({ id, violations }) => violations.map((line) => `${id} ${line}`));
}

const paypalHost = 'https://api-m.sandbox.paypal.com';

/** The differences to PayPal's own API, and the reason if it could not be asked. */
async function askPaypal(changes: object = {}): Promise<string[]> {
  const { clientId = '', clientSecret = '', route } = shop.config.PAYPAL ?? {};
  const account = { name: 'paypal', provider: 'paypal' as const, url: paypalHost, clientId, route };
  const accounts = [{ ...account, clientSecret, ...changes }];
  const { findings } = await auditDatabase({
    databaseUrl: shop.databaseUrl,
    outside: askOutside({ accounts }, Date.now() + 10 * 60_000),
  });
  const { violations = [], notAsked = [] } = findings.find(({ id }) => id === 'I3') ?? {};
  return [...violations, ...notAsked.map(({ party, reason }) => `${party}: ${reason}`)];
}

const loseWebhooks = (name: Other) =>
  outside[name].tell('/__sandbox/webhooks', { plan: { drop: 'all' } });

let kept: Record<Other, Order>;

test('the audit finds that the payments, refunds and disputes of every provider match the books', async () => {
  kept = {
    paypal: await buy('paypal'),
    wechatpay: await buy('wechatpay'),
    adyen: await buy('adyen'),
  };
  for (const name of others) {
    const back = await buy(name);
    await askRefund(shop, back);
    await untilShown(shop, buyer, back, 'Refunded');
  }
  for (const name of disputable) {
    const disputed = await buy(name);
    const paymentIntent = await chargeOf(name, disputed);
    await outside[name].tell('/__sandbox/disputes', { paymentIntent, stage: 'open' });
    await eventually(async () => {
      const { rows } = await admin.query(
        'select from orders where payment_id = $1 and is_disputed',
        [disputed.paymentId],
      );
      return rows.length === 1;
    });
  }
  // All revocations are answered and all webhooks processed.
  await eventually(async () => {
    const waiting = `select from revocations where state = 'queued'
      union all select from provider_inbox where processed_at is null`;
    return (await admin.query(waiting)).rows.length === 0;
  });
  expect(await books()).toEqual([]);
});

test('the audit finds that the captures and refunds that PayPal lists match the books', async () => {
  expect(await askPaypal()).toEqual([]);
});

test('the audit asks PayPal by id for captures and refunds that PayPal does not list yet', async () => {
  await outside.paypal.tell('/__sandbox/reports', { availableUntil: 1_790_000_000 });
  expect(await askPaypal()).toEqual([]);
});

test('the audit finds a capture that PayPal does not know', async () => {
  const { paymentId } = kept.paypal;
  await admin.query(
    `update ledger_transfers set posting = 'captured:FORGED' || substr(posting, 10)
     where origin_id = $1 and posting like 'captured:%'`,
    [paymentId],
  );
  const violations = await askPaypal();
  await admin.query(
    `update ledger_transfers set posting = 'captured:' || substr(posting, 16)
     where origin_id = $1 and posting like 'captured:%'`,
    [paymentId],
  );
  expect(violations).toEqual([
    expect.stringMatching(/^charge \S+ has no credit$/),
    expect.stringMatching(new RegExp(`^order ${paymentId} has a credit without a charge, FORGED`)),
  ]);
});

test('an audit with a wrong PayPal client secret reports that PayPal could not be asked', async () => {
  expect(await askPaypal({ clientSecret: 'another' })).toEqual(['paypal: HTTP 401']);
});

test.each(others)('the audit finds a refund that only %s knows', async (name) => {
  const order = await buy(name);
  const charge = await chargeOf(name, order);
  await loseWebhooks(name);
  const made = await outside[name].tell(`/__sandbox/charges/${charge}/refund`, { amount: 100 });
  const { id } = z.object({ id: z.string() }).parse(made);
  expect(await books()).toContainEqual(
    expect.stringMatching(new RegExp(`^I3 refund ${id} is not in our books$`)),
  );
  if (name === 'paypal') expect(await askPaypal()).toEqual([`refund ${id} is not in our books`]);
});

test.each(disputable)('the audit finds a dispute that only %s knows', async (name) => {
  const order = await buy(name);
  await loseWebhooks(name);
  const paymentIntent = await chargeOf(name, order);
  const opened = await outside[name].tell('/__sandbox/disputes', { paymentIntent, stage: 'open' });
  const { id } = z.object({ id: z.string() }).parse(opened);
  expect(await books()).toContainEqual(
    expect.stringMatching(new RegExp(`^I3 dispute ${id} is needs_response over 499`)),
  );
});

// The worker is stopped from here on.
test.each(others)('the audit finds a charge that only %s knows', async (name) => {
  await stopWorker();
  await loseWebhooks(name);
  const { order, pspRef } = await open(name);
  await agree(name, pspRef);
  // Captures as an employee does in the provider's dashboard.
  if (name === 'paypal') await outside.paypal.tell(`/__sandbox/orders/${pspRef}/capture`, {});
  const charge = await chargeOf(name, order);
  expect(await books()).toContainEqual(`I3 charge ${charge} has no credit`);
  if (name === 'paypal') {
    expect(await askPaypal()).toContainEqual(`charge ${charge} has no credit`);
  }
});

test.each(others)(
  'the audit finds an acknowledged webhook of %s that is missing in the inbox',
  async (name) => {
    const { rows } = await admin.query<{ event_id: string }>(
      'delete from provider_inbox where psp = $1 returning event_id',
      [name],
    );
    expect(await books()).toContainEqual(
      `I9 event ${rows[0]?.event_id} was acknowledged and is not here`,
    );
  },
);

test('the audit compares the settlement days of each payment provider separately', async () => {
  const lines = (name: Other) => [name, kept[name].paymentId];
  await admin.query(`
    update ledger_transfers set created_at = created_at - interval '3 days';
    insert into settlement_days
    select psp, current_date - ago, psp || ago, now() - interval '1 hour', now()
    from generate_series(2, 3) as ago, unnest(array['stripe', 'paypal']) as psp`);
  await admin.query(
    `insert into settlement_lines
       (psp, line_id, day, kind, subject_id, capture_id, currency, amount_minor, at)
     select psp, 'line', current_date - 3, 'capture', capture_id, capture_id, currency, amount_minor,
            created_at
     from payment_attempts where psp = $1 and payment_id = $2`,
    lines('paypal'),
  );
  const about = async (name: Other) =>
    (await books()).filter((line) => line.startsWith(`I14 order ${kept[name].paymentId}`));
  // wechatpay has no settlement days yet; the line of paypal matches our books.
  expect(await about('wechatpay')).toEqual([]);
  expect(await about('paypal')).toEqual([]);
  await admin.query(`delete from settlement_lines where psp = 'paypal'`);
  expect(await about('paypal')).toEqual([
    `I14 order ${kept.paypal.paymentId}: the provider's books say 0 USD of capture, ours 499`,
  ]);
});
