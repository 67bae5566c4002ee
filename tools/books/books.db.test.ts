import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditDatabase } from '../../auditor/src/audit-database.ts';
import { type Database, openDatabase } from '../../auditor/src/database.ts';
import type { Finding } from '../../auditor/src/report.ts';
import { freePort } from '../process/free-port.ts';
import { checkBooks } from './check-books.ts';
import { type Forger, openForger } from './test/forger.ts';
import { captureAgain } from './test/forgeries/forgery.ts';
import { forgeries } from './test/forgeries.ts';
import { type PreparedShop, prepareShop } from './test/prepared-shop.ts';
import { pidOfTheDead, runBooks } from './test/run-books.ts';
import { buy, openScenarioContext } from './test/scenario-steps.ts';
import { firstOrder } from './test/scenarios.ts';

let prepared: PreparedShop;
let forger: Forger;
let database: Database;

beforeAll(async () => {
  prepared = await prepareShop();
  database = await openDatabase(prepared.shop.databaseUrl);
  forger = await openForger(prepared);
}, 10 * 60_000);
afterAll(async () => {
  await database?.close();
  await prepared?.close();
});

test('the audit checks all 16 invariants, which hold in a shop in which everything happened once', async () => {
  const findings = await books();
  expect(linesOf(findings)).toEqual([]);
  expect(findings.map(({ id }) => id)).toEqual(
    Array.from({ length: 16 }, (_, index) => `I${index + 1}`),
  );
  expect(findings.filter(({ checked }) => checked === 0)).toEqual([]);
});

// Append-only tables are changed with the rights of their owner. Each case restores the tables.
test.each(forgeries)(
  'the audit of the books reports forged table rows: %s',
  async (_what, statement, told) => {
    await forger.forge(statement);
    const lines = linesOf(await books());
    await forger.undo();
    expect(lines).toContainEqual(expect.stringMatching(told));
  },
);

test.each([
  ['a smaller amount', captureAgain('498'), []],
  [
    'a larger amount',
    `${captureAgain('504')}
     update orders set review_reason = 'overpaid' where payment_id = {arrived};
     insert into cases (id, kind, subject, account_id, payment_id, details)
     select gen_random_uuid(), 'misfit_money', payment_id || ':' || capture_id, account_id, payment_id, '{}'
     from payment_attempts where payment_id = {arrived};
     insert into ledger_transfers
     select account_id, payment_id, concat_ws(':', 'captured', capture_id, attempt_id, 'USD', '504'),
            'house:psp', 'player:deposit', 'USD', 5
     from payment_attempts where payment_id = {arrived}`,
    // Our books are consistent; the provider really has a smaller charge.
    [
      expect.stringMatching(/^I3 charge \S+ is 499 usd, its credit 504 USD/),
      expect.stringMatching(
        /^I14 order \S+: the provider's books say 499 USD of capture, ours 504/,
      ),
    ],
  ],
])(
  'a capture that the payment provider reports again with %s does not break an audit invariant inside the shop',
  async (_what, statement, expected) => {
    await forger.forge(statement);
    const lines = linesOf(await books());
    await forger.undo();
    expect(lines).toEqual(expected);
  },
);

test('an audit in batches of one row has the same findings as an audit in large batches', async () => {
  const { databaseUrl } = prepared.shop;
  const [many, one] = [
    await auditDatabase({ databaseUrl }),
    await auditDatabase({ databaseUrl, rowsPerBatch: 1 }),
  ];
  expect(one.findings).toEqual(many.findings);
  expect(one.months).toEqual(many.months);
  expect(one.rowsHeldMax).toBeLessThan(many.rowsHeldMax / 5);
});

describe('recorded acknowledgements', () => {
  const told = (line: object) => {
    const file = join(mkdtempSync(join(tmpdir(), 'books-')), 'acknowledged.jsonl');
    writeFileSync(file, `${JSON.stringify({ at: new Date(), ...line })}\n`);
    return file;
  };
  const paymentId = (scenario: string) => firstOrder(prepared.scenarios[scenario]).paymentId;

  test('an audit accepts a recorded answer of the shop to a client that agrees with the tables of the shop', async () => {
    const file = told({ what: 'shown', paymentId: paymentId('arrived'), shown: 'Fulfilled' });
    expect(linesOf(await books(file))).toEqual([]);
  });

  test.each([
    ['a missing order', { what: 'charged', paymentId: crypto.randomUUID() }],
    ['another price', { what: 'placed', accountId: 'a', clientOrderId: 'c', currency: 'USD' }],
    ['another payment page', { what: 'opened', sessionId: 'cs_other' }],
    ['a refund that was not made', { what: 'refunded', refundId: crypto.randomUUID() }],
    ['points that were not spent', { what: 'spent', points: '499' }],
    ['a balance too low for a paid order', { what: 'unaffordable' }],
    ['another final state', { what: 'shown', shown: 'Refunded' }],
  ])(
    'an audit reports a recorded answer of the shop to a client that names %s',
    async (_what, line) => {
      const file = told({ paymentId: paymentId('arrived'), amountMinor: '1', ...line });
      expect(linesOf(await books(file))).toEqual([
        expect.stringMatching(/^I9 this is no longer so: \{"what":"/),
      ]);
    },
  );

  test('an audit accepts a recorded answer that an order is refunded if the money was captured again later', async () => {
    const [{ paymentId: owed } = { paymentId: '' }] = prepared.scenarios.cameBack ?? [];
    const file = told({ what: 'shown', paymentId: owed, shown: 'Refunded' });
    expect(linesOf(await books(file))).toEqual([]);
  });

  test('an audit accepts a recorded answer to a refund request that the provider refused later', async () => {
    const id = paymentId('stuck');
    const { rows } = await prepared.admin.query<{ refund_id: string }>(
      'select refund_id from refunds where payment_id = $1',
      [id],
    );
    const file = told({ what: 'refunded', paymentId: id, refundId: rows[0]?.refund_id });
    expect(linesOf(await books(file))).toEqual([]);
  });

  test('an audit rejects a malformed record of an answer of the shop to a client', async () => {
    await expect(books(told({ what: 'whispered' }))).rejects.toThrow();
  });
});

test('all audit invariants hold again after the tests have undone every forged row', async () => {
  expect(linesOf(await books())).toEqual([]);
});

describe('the books program', () => {
  test('the audit program npm run books audits the running shop and skips the state file of a killed one', async () => {
    const gone = { databaseUrl: 'postgres://127.0.0.1:1/gone', sandbox: { stripe: '', game: '' } };
    const { code, stdout } = await runBooks({
      demo: { pid: await pidOfTheDead(), ...gone },
      dev: running(),
    });
    expect(stdout).toContain('The books are in order: all 16 invariants hold.\n');
    expect(stdout.split('\n').length).toBeLessThan(24);
    expect(code).toBe(0);
  });

  test('the audit program npm run books exits with 1 when an invariant is broken', async () => {
    await forger.forge(`update orders set currency = 'JPY' where payment_id = {arrived}`);
    const { code, stdout } = await runBooks({ demo: running() });
    await forger.undo();
    expect(stdout).toContain('The books are NOT in order');
    expect(code).toBe(1);
  });

  test('the audit program npm run books compares the tables of the shop with a file of answers that clients recorded', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'books-')), 'acknowledged.jsonl');
    writeFileSync(file, '{"what":"charged","paymentId":"01a1ddb7-bbb1-7ba4-baf9-4582ac18bf66"}\n');
    const { code, stdout } = await runBooks({ demo: running() }, ['--acknowledged', file]);
    expect(stdout).toContain('this is no longer so: {"what":"charged"');
    expect(code).toBe(1);
  });

  test.each([
    ['the database', (port: number) => ({ databaseUrl: `postgres://localhost:${port}/gone` })],
    [
      'the provider',
      (port: number) => ({
        sandbox: { stripe: `http://localhost:${port}`, game: prepared.shop.game.url },
      }),
    ],
  ])(
    'the audit program npm run books exits with 2 and one line of error when %s does not answer',
    async (_who, gone) => {
      const stack = { ...running(), ...gone(await freePort()) };
      const { code, stdout, stderr } = await runBooks({ demo: stack });
      expect(stderr).toMatch(/^The books could not be read: .*ECONNREFUSED.*\n$/);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    },
  );

  test('the audit program npm run books exits with 2 and says how to start a shop when none is running', async () => {
    const { code, stderr } = await runBooks({});
    expect(stderr).toBe('Nothing to check: start the shop first, with npm run demo.\n');
    expect(code).toBe(2);
  });
});

test('the audit finds goods that the game granted twice', async () => {
  const { shop } = prepared;
  const stopWorker = shop.startWorker();
  const context = await openScenarioContext(shop);
  await shop.game.tell('/__sandbox/dedupe', { enabled: false });
  await shop.game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'http500_after_commit',
    times: 1,
  });
  const twice = await buy(context);
  await context.admin.end();
  await stopWorker();
  expect(linesOf(await books())).toContainEqual(
    expect.stringMatching(`^I6 order ${twice.paymentId} was given 2 times$`),
  );
});

/** Checks with a clock ten minutes ahead, so that nothing counts as still in progress. */
function books(acknowledgedFile?: string) {
  const { query } = database;
  return checkBooks({ ...addresses(), query }, Date.now() + 10 * 60_000, acknowledgedFile);
}

function addresses() {
  const { databaseUrl, stripe, game } = prepared.shop;
  return { databaseUrl, sandbox: { stripe: stripe.url, game: game.url } };
}

function linesOf(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ id, violations }) => violations.map((line) => `${id} ${line}`));
}

function running() {
  return { pid: process.pid, ...addresses() };
}
