import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../server/test/buying.ts';
import { askRefund, captureOf } from '../../server/test/money-back.ts';
import { eventually, type TestShop } from '../../server/test/shop.ts';
import { openTwoAccounts, type TwoAccounts } from '../../server/test/two-accounts.ts';
import { checkBooks } from './check-books.ts';
import type { SandboxAddresses } from './outside.ts';

// Two accounts with one provider are audited like two providers.

type Order = { accountId: string; paymentId: string };

let both: TwoAccounts;
let admin: pg.Client;
let buyers: { home: Buyer; eu: Buyer };
let stopWorker: () => Promise<void>;
beforeAll(async () => {
  both = await openTwoAccounts();
  admin = new pg.Client({ connectionString: both.home.databaseUrl });
  await admin.connect();
  // Changes rows past the triggers, as the owner of the tables can.
  await admin.query('set session_replication_role = replica');
  stopWorker = both.home.startWorker();
  buyers = { home: await givenBuyer(both.home), eu: await givenBuyer(both.eu) };
});
afterAll(async () => {
  await admin?.end();
  await both?.closeAll();
});

async function buy(shop: TestShop, buyer: Buyer): Promise<Order> {
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  return order;
}

/** Checks with a clock ten minutes ahead, so that nothing counts as still in progress. */
async function books(): Promise<string[]> {
  const { home, eu } = both;
  const sandbox: SandboxAddresses = {
    stripe: home.stripe.url,
    game: home.game.url,
    merchantAccounts: { 'stripe-eu': eu.stripe.url },
  };
  const { databaseUrl } = home;
  const findings = await checkBooks({ databaseUrl, sandbox }, Date.now() + 10 * 60_000);
  return findings.flatMap(({ id, violations }) => violations.map((line) => `${id} ${line}`));
}

let there: Order;

test('the audit finds that the payments and refunds of two accounts with one provider match the books', async () => {
  const { home, eu } = both;
  await buy(home, buyers.home);
  there = await buy(eu, buyers.eu);
  for (const { shop, buyer } of [
    { shop: home, buyer: buyers.home },
    { shop: eu, buyer: buyers.eu },
  ]) {
    const back = await buy(shop, buyer);
    await askRefund(shop, back);
    await untilShown(shop, buyer, back, 'Refunded');
  }
  await eventually(async () => {
    const waiting = `select from revocations where state = 'queued'
      union all select from provider_inbox where processed_at is null`;
    return (await admin.query(waiting)).rows.length === 0;
  });
  await stopWorker();
  expect(await books()).toEqual([]);
});

test('the audit finds a charge in another provider account than that of its order', async () => {
  const move = (psp: string) =>
    admin.query('update payment_attempts set psp = $1 where payment_id = $2', [
      ...[psp, there.paymentId],
    ]);
  const { charges } = z
    .object({ charges: z.array(z.object({ id: z.string() })).length(1) })
    .parse(await both.eu.stripe.ask(`/__sandbox/charges?paymentId=${there.paymentId}`));
  await move('stripe');
  expect(await books()).toContainEqual(
    `I3 charge ${charges[0]?.id} is of no order paid through stripe-eu`,
  );
  await move('stripe-eu');
  expect(await books()).toEqual([]);
});

test('the audit finds a refund made in one of two provider accounts that the books of the shop do not have', async () => {
  const { eu } = both;
  await eu.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
  const capture = await captureOf(eu, there);
  const made = await eu.stripe.tell(`/__sandbox/charges/${capture}/refund`, { amount: 100 });
  const { id } = z.object({ id: z.string() }).parse(made);
  expect(await books()).toContainEqual(`I3 refund ${id} is not in our books`);
});

test('the audit finds an acknowledged webhook that is stored under another provider account', async () => {
  const { rows } = await admin.query<{ event_id: string }>(
    `update provider_inbox set psp = 'stripe' where psp = 'stripe-eu' returning event_id`,
  );
  expect(await books()).toContainEqual(
    `I9 event ${rows[0]?.event_id} was acknowledged and is not here`,
  );
});
