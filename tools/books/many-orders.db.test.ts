import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditDatabase } from '../../auditor/src/audit-database.ts';
import { rules } from '../../auditor/src/rules.ts';
import { effort } from '../../server/test/effort.ts';
import { watchStolenTime } from '../process/stolen-time.ts';
import { checkBooks } from './check-books.ts';
import { copyOrders } from './test/copy-orders.ts';
import { type MatchingSandbox, openMatchingSandbox } from './test/matching-sandbox.ts';
import { type PreparedShop, prepareShop } from './test/prepared-shop.ts';
import { runBooks } from './test/run-books.ts';

// At night, as many orders as a shop sells in a day; npm run books-million uses more.
const ordersWanted = Number(process.env.BOOKS_ORDERS || effort({ gate: 2_000, night: 20_000 }));
const runs = Number(process.env.BOOKS_RUNS || 1);
const ordersPerCopy = 100;

let prepared: PreparedShop;
let world: MatchingSandbox;

beforeAll(async () => {
  prepared = await prepareShop();
  const { admin, copiedScenarios } = prepared;
  await copyOrders(admin, {
    scenarios: copiedScenarios,
    copies: Math.ceil(ordersWanted / ordersPerCopy),
  });
  world = await openMatchingSandbox(admin);
  // No shop sells so much within minutes, so the pending writes of PostgreSQL are flushed first.
  await admin.query('checkpoint');
}, 60 * 60_000);
afterAll(async () => {
  await world?.close();
  await prepared?.close();
});

test(
  'all 16 audit invariants hold for thousands of orders',
  async () => {
    const demo = { pid: process.pid, ...addresses() };
    for (let run = 0; run < runs; run += 1) {
      const stolen = watchStolenTime();
      const begun = performance.now();
      const { stdout } = await runBooks({ demo });
      const seconds = (performance.now() - begun) / 1000;
      const lost = stolen().toFixed(0);
      process.stdout.write(
        `${await countOrders()} orders in ${seconds.toFixed(1)} s, ${lost} % of the machine lost to others\n`,
      );
      expect(stdout).toContain('The books are in order: all 16 invariants hold.\n');
    }
  },
  60 * 60_000,
);

test(
  'an audit of thousands of orders holds a limited number of rows in memory',
  async () => {
    const rowsPerBatch = 500;
    const { databaseUrl } = prepared.shop;
    const { rowsHeldMax, months } = await auditDatabase({ databaseUrl, rowsPerBatch });
    const tablesOfOrders = 11;
    expect(rowsHeldMax).toBeLessThan(tablesOfOrders * rowsPerBatch);
    expect(months.reduce((sum, { orders }) => sum + orders, 0)).toBe(await countOrders());
  },
  30 * 60_000,
);

const hashRule = rules.find(({ name }) => name === 'hash_is_of_the_line')?.definition;

/** One of many similar rows. */
const some = (from: string, where: string, key = 'payment_id') =>
  `(select ${key} from ${from} where ${where} order by ${key} offset 500 limit 1)`;
const plain = some(
  'orders',
  `state = 'arrived' and version = 3 and kind = 'item' and currency = 'USD'`,
);
const wallet = `(select account_id from wallets where basic > 0 order by account_id offset 10 limit 1)`;

// The forgery, its reversal, and the expected violation: one of each kind among many orders.
test.each([
  [
    'a sale transfer is larger than the price',
    `update ledger_transfers set amount_minor = 500 where origin_id = ${plain} and posting = 'sale:3'`,
    `update ledger_transfers set amount_minor = 499 where origin_id = ${plain} and posting = 'sale:3'`,
    /^I1 order \S+ made a sale of 500 USD, expected 499/,
  ],
  [
    'a wallet has a point more than its entries',
    `update wallets set basic = basic + 1 where account_id = ${wallet}`,
    `update wallets set basic = basic - 1 where account_id = ${wallet}`,
    /^I2 wallet \S+ has \d+ and \d+, its entries say/,
  ],
  [
    'the credit of a charge is one cent too large',
    `update ledger_transfers set amount_minor = 500 where origin_id = ${plain} and posting like 'captured:%'`,
    `update ledger_transfers set amount_minor = 499 where origin_id = ${plain} and posting like 'captured:%'`,
    /^I3 charge \S+ is 499 usd, its credit 500 USD/,
  ],
  [
    'a delivery has more tries than its history',
    `update deliveries set tries = 2 where payment_id = ${plain}`,
    `update deliveries set tries = 1 where payment_id = ${plain}`,
    /^I4 order \S+ was tried 2 times in round 1, its history says 1 in round 1/,
  ],
  [
    'an order was delivered after a payment in the wrong currency',
    `update order_events set fact = fact || '{"currency": "EUR"}', fact_key = replace(fact_key, 'USD', 'EUR')
     where payment_id = ${plain} and seq = 2`,
    `update order_events set fact = fact || '{"currency": "USD"}', fact_key = replace(fact_key, 'EUR', 'USD')
     where payment_id = ${plain} and seq = 2`,
    /^I5 order \S+ was delivered unpaid/,
  ],
  [
    'goods were granted to another role',
    `update orders set role_id = role_id || 'x' where payment_id = ${plain}`,
    `update orders set role_id = rtrim(role_id, 'x') where payment_id = ${plain}`,
    /^I6 order \S+ was for \S+ \/ \S+ \/ \S+x \/ \S+, the game gave to/,
  ],
  [
    'a payment attempt has another amount than its order',
    `update payment_attempts set amount_minor = 500 where payment_id = ${plain}`,
    `update payment_attempts set amount_minor = 499 where payment_id = ${plain}`,
    /^I7 order \S+ costs 499 USD, its attempt \S+ asks for 500 USD/,
  ],
  [
    'an order event has the wrong state before it',
    `update order_events set state_before = 'closed' where payment_id = ${plain} and seq = 3`,
    `update order_events set state_before = 'paid' where payment_id = ${plain} and seq = 3`,
    /^I8 order \S+, event 3: from closed to arrived/,
  ],
  [
    'an acknowledged event is missing in the inbox',
    `update provider_inbox set psp = 'gone' where event_id = (select max(event_id) from provider_inbox)`,
    `update provider_inbox set psp = 'stripe' where psp = 'gone'`,
    /^I9 event evt_\S+ was acknowledged and is not here/,
  ],
  [
    'an order has no intent of its own account',
    `update order_keys set account_id = gen_random_uuid() where payment_id = ${plain}`,
    `update order_keys set account_id = orders.account_id from orders
     where orders.payment_id = order_keys.payment_id and orders.payment_id = ${plain}`,
    /^I10 order \S+ has 0 intents/,
  ],
  [
    'an event in the inbox was never processed',
    `update provider_inbox set processed_at = null
     where event_id = (select min(event_id) from provider_inbox where event_id like 'evt_1copied%')`,
    `update provider_inbox set processed_at = now() where processed_at is null`,
    /^I11 event evt_\S+ of stripe is not processed/,
  ],
  [
    'a hashed point entry was changed',
    `alter table point_entries drop constraint hash_is_of_the_line;
     update point_entries set at = at + interval '1 second' where account_id = ${wallet} and seq = 2`,
    `update point_entries set at = at - interval '1 second' where account_id = ${wallet} and seq = 2;
     alter table point_entries add constraint hash_is_of_the_line check (${hashRule})`,
    /^I12 entry 2 of wallet \S+ is not what was hashed/,
  ],
  [
    'expired points were spent',
    `update point_lots set expires_at = expires_at - interval '1 year'
     where account_id = ${wallet} and bucket = 'present'`,
    `update point_lots set expires_at = expires_at + interval '1 year'
     where account_id = ${wallet} and bucket = 'present'`,
    /^I13 order \S+ drew \d+ points from lot \S+: past its time/,
  ],
  [
    'a settlement line has another amount than the capture',
    `update settlement_lines set amount_minor = amount_minor + 1
     where line_id = (select max(line_id) from settlement_lines where kind = 'capture')`,
    `update settlement_lines set amount_minor = amount_minor - 1
     where line_id = (select max(line_id) from settlement_lines where kind = 'capture')`,
    /^I14 order \S+: the provider's books say \d+ USD of capture, ours \d+/,
  ],
])(
  'an audit of thousands of orders finds that %s',
  async (_what, forge, undo, told) => {
    await prepared.admin.query(`set session_replication_role = replica; ${forge}`);
    const lines = await books();
    await prepared.admin.query(undo);
    expect(lines).toContainEqual(expect.stringMatching(told));
    // A single change causes a few violations and not thousands.
    expect(lines.length).toBeLessThan(20);
  },
  30 * 60_000,
);

function addresses() {
  const { databaseUrl } = prepared.shop;
  return { databaseUrl, sandbox: { stripe: world.stripe.url, game: world.game.url } };
}

async function books(): Promise<string[]> {
  const findings = await checkBooks(addresses());
  return findings.flatMap(({ id, violations }) => violations.map((line) => `${id} ${line}`));
}

async function countOrders(): Promise<number> {
  const { rows } = await prepared.admin.query<{ count: string }>('select count(*) from orders');
  return Number(rows[0]?.count);
}
