import pg from 'pg';
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
} from '../../server/test/shop.ts';
import { checkBooks } from './check-books.ts';

let shop: TestShop;
let admin: pg.Client;

beforeAll(async () => {
  shop = await openTestShop();
  shop.startWorker();
  admin = new pg.Client({ connectionString: shop.databaseUrl });
  await admin.connect();
  await buyPack();
});
afterAll(async () => {
  await admin.end();
  await shop.closeAll();
});

test('after a purchase every invariant was looked at and holds', async () => {
  const findings = await books();
  expect(findings.map(({ id }) => id).sort()).toEqual(
    ['I1', 'I10', 'I11', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8'].sort(),
  );
  expect(findings.filter(({ violations }) => violations.length > 0)).toEqual([]);
  expect(findings.filter(({ checked }) => checked === 0)).toEqual([]);
});

// The ledger is append-only, so a tamperer needs the rights of an owner: the trigger is switched off
// first. Each case puts the tables back as they were.
test.each([
  [
    'a credit is made larger',
    `update ledger_transfers set amount_minor = 999 where posting like 'captured:%'`,
    ['I2', 'I3'],
  ],
  [
    'a credit is removed',
    `delete from ledger_transfers where posting like 'captured:%'`,
    ['I2', 'I3'],
  ],
  [
    'the sale is posted twice',
    `insert into ledger_transfers select account_id, origin_id, 'arrived:again', debit_book, credit_book, unit, amount_minor from ledger_transfers where posting = 'arrived'`,
    ['I2'],
  ],
  [
    'the order is called unpaid again',
    `update orders set state = 'created', paid_at = null, arrived_at = null`,
    ['I6', 'I8'],
  ],
  ['the price is changed afterwards', `update orders set amount_minor = 1`, ['I7']],
  [
    'the state before a move is forged',
    `update order_events set state_before = 'closed' where fact ->> 'type' = 'delivered'`,
    ['I8'],
  ],
  [
    'the proof of money is removed',
    `delete from order_events where fact ->> 'type' = 'captured'`,
    ['I5', 'I8'],
  ],
  [
    'the delivery is undone on paper',
    `update deliveries set state = 'queued', delivered_at = null`,
    ['I4'],
  ],
  ['the intent is removed', `delete from order_keys`, ['I10']],
  [
    'an event is left lying',
    `update provider_inbox set processed_at = null, received_at = now() - interval '1 hour'`,
    ['I11'],
  ],
  ['the order sold more than was given', `update orders set pack_count = 2`, ['I6']],
])('when %s, the books are not in order', async (_what, statement, broken) => {
  const undo = await tamper(statement);
  const findings = await books();
  await undo();
  const found = findings.filter(({ violations }) => violations.length > 0).map(({ id }) => id);
  expect(found).toEqual(expect.arrayContaining(broken));
  expect((await books()).flatMap(({ violations }) => violations)).toEqual([]);
});

test('a grant that the game gave twice is found', async () => {
  const twice = await buyPack({ gameGivesTwice: true });
  const findings = await books();
  expect(findings.find(({ id }) => id === 'I6')?.violations).toEqual([
    `order ${twice} was given 2 times`,
  ]);
});

/** Looks from ten minutes on, when nothing that is done now can still be under way. */
function books() {
  const sandbox = { stripe: shop.stripe.url, game: shop.game.url };
  return checkBooks({ databaseUrl: shop.databaseUrl, sandbox }, Date.now() + 10 * 60_000);
}

const touched = [
  'orders',
  'order_events',
  'order_keys',
  'ledger_transfers',
  'deliveries',
  'provider_inbox',
];

/** Keeps copies of the tables, changes them behind the triggers' backs, and answers the way back. */
async function tamper(statement: string): Promise<() => Promise<void>> {
  await admin.query('set session_replication_role = replica');
  for (const table of touched) {
    await admin.query(`create temporary table kept_${table} as select * from ${table}`);
  }
  await admin.query(statement);
  return async () => {
    for (const table of touched) {
      await admin.query(`delete from ${table}`);
      await admin.query(`insert into ${table} select * from kept_${table}`);
      await admin.query(`drop table kept_${table}`);
    }
    await admin.query('set session_replication_role = default');
  };
}

async function buyPack(options: { gameGivesTwice?: boolean } = {}): Promise<string> {
  const cookie = await signIn(shop, await givenPlayer(shop));
  const body = await givenOrderBody(shop, cookie);
  const created = await send(shop, '/api/payment/order/create', { cookie, body });
  const order = z.object({ paymentId: z.uuid() }).parse(created.data);
  const paying = await send(shop, '/api/payment/order/pay', { cookie, body: order });
  const { action } = z.object({ action: z.object({ url: z.url() }) }).parse(paying.data);
  if (options.gameGivesTwice === true) {
    await shop.game.tell('/__sandbox/dedupe', { enabled: false });
    await shop.game.tell('/__sandbox/faults', {
      call: 'recharge.deliver',
      kind: 'http500_after_commit',
      times: 1,
    });
  }
  await shop.stripe.tell(`/__sandbox/sessions/${action.url.split('/').pop()}/pay`, {});
  await eventually(async () => {
    const detail = await send(shop, '/api/payment/order/detail', { cookie, body: order });
    return z.object({ shown: z.string() }).parse(detail.data).shown === 'Fulfilled';
  });
  return order.paymentId;
}
