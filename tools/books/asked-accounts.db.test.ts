import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { auditDatabase } from '../../auditor/src/audit-database.ts';
import { askOutside } from '../../auditor/src/outside/ask-outside.ts';
import { type Forger, openForger } from './test/forger.ts';
import { atProvider } from './test/forgeries/money.ts';
import type { PreparedShop } from './test/prepared-shop.ts';
import { firstOrder } from './test/scenarios.ts';
import { openSmallShop } from './test/small-shop.ts';

let small: PreparedShop;
let forger: Forger;
beforeAll(async () => {
  small = await openSmallShop();
  forger = await openForger(small);
}, 30 * 60_000);
afterAll(() => small?.close());

/** Audits with a clock ten minutes ahead, so that nothing counts as still in progress. */
async function audit({ nowMs = Date.now() + 10 * 60_000, secretKey = 'sk_test' } = {}) {
  const { url } = small.shop.stripe;
  const accounts = [{ name: 'stripe', provider: 'stripe' as const, url, secretKey }];
  const { findings } = await auditDatabase({
    databaseUrl: small.shop.databaseUrl,
    outside: askOutside({ accounts }, nowMs),
  });
  return {
    lines: findings.flatMap(({ id, violations }) => violations.map((line) => `${id} ${line}`)),
    notAsked: findings.flatMap(({ notAsked }) => notAsked),
    money: findings.find(({ id }) => id === 'I3'),
  };
}

test('an audit that asks a payment provider with matching records checks each capture and refund without a violation', async () => {
  // Five orders were paid, and three of them refunded.
  expect(await audit()).toMatchObject({ lines: [], notAsked: [], money: { checked: 8 } });
});

// Disputes are compared by the settlement files.
const money = atProvider.filter(([what]) => !what.includes('dispute'));

test.each(money)(
  'an audit that asks the payment provider finds that %s',
  async (_what, statement, told) => {
    await forger.forge(statement);
    const { lines } = await audit();
    await forger.undo();
    expect(lines).toContainEqual(expect.stringMatching(told));
  },
);

test('an audit that asks the payment provider finds a charge whose ledger credit was deleted', async () => {
  await forger.forge(
    `delete from ledger_transfers where origin_id = {arrived} and posting like 'captured:%'`,
  );
  const { lines } = await audit();
  await forger.undo();
  expect(lines).toContainEqual(expect.stringMatching(/^I3 charge \S+ has no credit$/));
});

test('an audit finds captures and refunds by their ids if they were made in another month than their order', async () => {
  // Moves the order to next month, whereas its charge was made today.
  const { paymentId } = firstOrder(small.scenarios.elsewhere);
  const digits = (Date.now() + 31 * 24 * 3600_000).toString(16).padStart(12, '0');
  const moved = `${digits.slice(0, 8)}-${digits.slice(8)}${paymentId.slice(13)}`;
  await forger.forge(
    ['orders', 'order_keys', 'order_events', 'payment_attempts', 'deliveries', 'revocations']
      .map((table) => `update ${table} set payment_id = '${moved}' where payment_id = {elsewhere};`)
      .join('\n')
      .concat(`update ledger_transfers set origin_id = '${moved}' where origin_id = {elsewhere}`),
  );
  const { lines } = await audit();
  await forger.undo();
  const about = new Set(lines.filter((line) => line.startsWith('I3')));
  // Nothing is missing on either side; only the provider has the original order id.
  expect([...about]).toEqual([
    expect.stringMatching(new RegExp(`^I3 charge \\S+ was credited to order ${moved}$`)),
  ]);
});

test('an audit reports a payment provider that rejects the API key, and still checks everything else', async () => {
  await forger.forge(`update orders set amount_minor = 1 where payment_id = {arrived}`);
  const { lines, notAsked } = await audit({ secretKey: 'sk_other' });
  await forger.undo();
  expect(notAsked).toEqual([{ party: 'stripe', reason: 'HTTP 401' }]);
  expect(lines).toContainEqual(expect.stringMatching(/^I7 order \S+ costs 1 USD/));
});

// These come last, because the sandbox provider keeps its records.
describe('provider actions that the shop did not request', () => {
  test('an audit reports a refund that only the payment provider knows, once a grace period has passed', async () => {
    await small.shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
    const { rows } = await small.admin.query(
      'select capture_id from payment_attempts where payment_id = $1',
      [firstOrder(small.scenarios.arrived).paymentId],
    );
    const made = await small.shop.stripe.tell(`/__sandbox/charges/${rows[0].capture_id}/refund`, {
      amount: 100,
    });
    const { id } = z.object({ id: z.string() }).parse(made);
    expect((await audit({ nowMs: Date.now() })).lines).toEqual([]);
    expect((await audit()).lines).toContainEqual(`I3 refund ${id} is not in our books`);
  });
});
