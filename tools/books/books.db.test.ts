import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../server/test/buying.ts';
import { eventually, openTestShop, type TestShop } from '../../server/test/shop.ts';
import { freePort } from '../process/free-port.ts';
import { checkBooks } from './check-books.ts';
import type { Finding } from './report.ts';
import { captureAgain, forgeries } from './test/forgeries.ts';

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
    Array.from({ length: 14 }, (_, index) => `I${index + 1}`).sort(),
  );
  expect(findings.filter(({ violations }) => violations.length > 0)).toEqual([]);
  // Nobody has any points yet, and no day is over.
  const empty = findings.filter(({ checked }) => checked === 0);
  expect(empty.map(({ id }) => id)).toEqual(['I12', 'I13', 'I14']);
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
    `insert into ledger_transfers select account_id, origin_id, 'sale:again', debit_book, credit_book, unit, amount_minor from ledger_transfers where posting = 'sale:3'`,
    ['I1', 'I2'],
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

test.each(forgeries)('when %s, the books say so', async (_what, statement, told) => {
  const undo = await tamper(statement);
  const findings = await books();
  await undo();
  expect(linesOf(findings)).toContainEqual(expect.stringMatching(told));
  expect(linesOf(await books())).toEqual([]);
});

test.each([
  ['a smaller amount for one capture', captureAgain('amount_minor - 1'), []],
  [
    'a larger amount for one capture',
    `${captureAgain('amount_minor + 5')} update orders set review_reason = 'overpaid';
     insert into ledger_transfers
     select account_id, origin_id, posting || ':' || attempt_id || ':USD:' || amount_minor + 5,
            debit_book, credit_book, unit, 5
     from ledger_transfers join payment_attempts using (account_id, amount_minor)
     where posting like 'captured:%'`,
    // Our books agree with each other; that the provider itself knows of less is true.
    // And nobody was told, which the shop itself would have done.
    [
      expect.stringMatching(/^I3 charge \S+ is \d+ usd, its credit \d+ USD/),
      expect.stringMatching(/^I7 order \S+ has no case for misfit_money/),
    ],
  ],
])('a provider that gives %s is no forgery', async (_what, statement, expected) => {
  const undo = await tamper(statement);
  const findings = await books();
  await undo();
  expect(linesOf(findings)).toEqual(expected);
});

test('the shop that runs is found, past the file of one that was killed', async () => {
  const nobody = { databaseUrl: 'postgres://127.0.0.1:1/gone', sandbox: { stripe: '', game: '' } };
  const { code, stdout } = await runBooks({
    demo: { pid: await pidOfTheDead(), ...nobody },
    dev: { pid: process.pid, databaseUrl: shop.databaseUrl, ...sandboxAt() },
  });
  expect(stdout).toContain(
    'The books are in order: 11 invariants hold, 3 have nothing to hold for yet.\n',
  );
  expect(code).toBe(0);
});

test('books that are not in order end the program with 1', async () => {
  const running = { pid: process.pid, databaseUrl: shop.databaseUrl, ...sandboxAt() };
  const undo = await tamper(`update orders set currency = 'JPY'`);
  const { code, stdout } = await runBooks({ demo: running });
  await undo();
  expect(stdout).toContain('The books are NOT in order');
  expect(code).toBe(1);
});

test.each([
  ['the database', (port: number) => ({ databaseUrl: `postgres://localhost:${port}/gone` })],
  ['the provider', (port: number) => sandboxAt(`http://localhost:${port}`)],
])('when %s does not answer, one line says so and the books are not judged', async (_who, gone) => {
  const running = { pid: process.pid, databaseUrl: shop.databaseUrl, ...sandboxAt() };
  const stack = { ...running, ...gone(await freePort()) };
  const { code, stdout, stderr } = await runBooks({ demo: stack });
  expect(stderr).toMatch(/^The books could not be read: .*ECONNREFUSED.*\n$/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('when no shop runs, the program says how to start one', async () => {
  const { code, stderr } = await runBooks({});
  expect(stderr).toBe('Nothing to check: start the shop first, with npm run demo.\n');
  expect(code).toBe(2);
});

test('orders that are placed, being paid or closed unpaid are in order', async () => {
  const buyer = await givenBuyer(shop);
  await givenOrder(shop, buyer);
  await openPage(shop, buyer, await givenOrder(shop, buyer));
  const sessionId = await openPage(shop, buyer, await givenOrder(shop, buyer));
  await fetch(`${shop.stripe.url}/c/pay/${sessionId}/expire`, {
    method: 'POST',
    redirect: 'manual',
  });
  await eventually(async () => {
    const attempts = await admin.query(`select from payment_attempts where state = 'closed'`);
    return attempts.rowCount === 1;
  });
  expect(linesOf(await books())).toEqual([]);
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
  return checkBooks({ databaseUrl: shop.databaseUrl, ...sandboxAt() }, Date.now() + 10 * 60_000);
}

function sandboxAt(stripe: string = shop.stripe.url) {
  return { sandbox: { stripe, game: shop.game.url } };
}

function linesOf(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ id, violations }) => violations.map((line) => `${id} ${line}`));
}

/** Runs the program itself, where these stacks have left their files. */
async function runBooks(stacks: Record<string, object>) {
  const home = mkdtempSync(join(tmpdir(), 'books-'));
  for (const [name, stack] of Object.entries(stacks)) {
    mkdirSync(join(home, name));
    const whole = { redisUrl: null, portal: shop.url, api: shop.url, ...stack };
    writeFileSync(join(home, name, 'stack.json'), JSON.stringify(whole));
  }
  const ended = await run([join(import.meta.dirname, 'books.ts'), home]);
  rmSync(home, { recursive: true });
  return ended;
}

async function pidOfTheDead(): Promise<number> {
  const { pid } = await run(['--version']);
  return pid;
}

function run(args: string[]) {
  return new Promise<{ pid: number; code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, args, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ pid: child.pid ?? 0, code, stdout, stderr });
    });
  });
}

const touched = [
  'orders',
  'order_events',
  'order_keys',
  'ledger_transfers',
  'payment_attempts',
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
  const buyer = await givenBuyer(shop);
  const order = await givenOrder(shop, buyer);
  const sessionId = await openPage(shop, buyer, order);
  if (options.gameGivesTwice === true) {
    await shop.game.tell('/__sandbox/dedupe', { enabled: false });
    await shop.game.tell('/__sandbox/faults', {
      call: 'recharge.deliver',
      kind: 'http500_after_commit',
      times: 1,
    });
  }
  await payAtProvider(shop, sessionId);
  await untilShown(shop, buyer, order, 'Fulfilled');
  return order.paymentId;
}
