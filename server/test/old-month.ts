import { randomUUID } from 'node:crypto';
import { newId } from '../src/platform/ids.ts';
import type { Scratch } from './scratch.ts';

type Tables = Pick<Scratch, 'executor'>;

/** The tables that are archived by month. */
export const tablesOfMonths = [
  'orders',
  'order_events',
  'payment_attempts',
  'deliveries',
  'refunds',
  'revocations',
  'purchase_holds',
  'order_keys',
  'settlement_lines',
] as const;

/** Creates the partitions of a past month. */
export async function givenMonth({ executor }: Tables, month: string): Promise<void> {
  await executor.executeSql('select make_month($1)', [`${month}-01T00:00:00Z`]);
}

/** A completed order of that month, with a row in every table of orders. */
export async function givenOldOrder({ executor }: Tables, month: string) {
  const [accountId, attemptId, refundId] = [randomUUID(), randomUUID(), randomUUID()];
  const paymentId = newId(Date.parse(`${month}-09T12:00:00Z`) + Math.floor(Math.random() * 1e6));
  const key = [accountId, paymentId];
  const run = (statement: string, values: unknown[] = key) =>
    executor.executeSql(statement, values);
  await run(
    `insert into accounts (id, account_type, display_name) values ($1, 'ACCOUNT', 'Ä "B"')`,
    [accountId],
  );
  await run(`
    insert into orders (account_id, payment_id, site_id, game_id, server_id, role_id,
      game_account_id, item_id, pack_count, order_type, method, system, currency, amount_minor,
      snapshot, state, expire_at, paid_at, refunded_minor)
    values ($1, $2, 's', 'g', 's1', 'r,1', 'ga', 'i', 1, 'foreign', 'card', 'ios', 'USD', 499,
      '{"sku": "gems", "itemName": {"en-US": "A \\"b\\",\\n c"}, "quantity": "60", "giftQuantity": "0"}',
      'refunded', now(), now(), 499)`);
  await run(`
    insert into order_events (account_id, payment_id, seq, fact_key, fact, state_before, state_after)
    values ($1, $2, 1, 'expired', '{"type": "expired"}', 'created', 'closed')`);
  await run(
    `insert into payment_attempts (account_id, payment_id, attempt_id, psp, state, currency,
       amount_minor, psp_ref, locale, expires_at, next_check_at)
     values ($1, $2, $3::uuid, 'stripe', 'captured', 'USD', 499, 'cs_' || $3::uuid, 'en-US', now(), now())`,
    [...key, attemptId],
  );
  await run(`
    insert into deliveries (account_id, payment_id, state, delivered_at)
    values ($1, $2, 'delivered', now())`);
  await run(
    `insert into refunds (account_id, payment_id, refund_id, attempt_id, capture_id, currency,
       amount_minor, reason, requested_by, state)
     values ($1, $2, $3, $4, 'pi_1', 'USD', 499, 'operator', 'ana', 'done')`,
    [...key, refundId, attemptId],
  );
  await run(`
    insert into revocations (account_id, payment_id, state, result)
    values ($1, $2, 'answered', 'revoked')`);
  await run(`
    insert into purchase_holds (account_id, payment_id, goods, holder, span, packs, packs_max)
    values ($1, $2, 'i', 'a', 'ever', 1, 1)`);
  await run(`
    insert into ledger_transfers (account_id, origin_id, posting, debit_book, credit_book, unit, amount_minor)
    values ($1, $2, 'captured:pi_1', 'house:psp', 'player:deposit', 'USD', 499)`);
  await run(
    `insert into order_keys (account_id, client_order_id, payment_id, body_hash)
     values ($1, $3::uuid, $2, sha256($3::uuid::text::bytea))`,
    [...key, randomUUID()],
  );
  await run(
    `insert into settlement_days (psp, day, compared_at) values ('stripe', $1::date, now())
     on conflict do nothing`,
    [`${month}-09`],
  );
  await run(
    `insert into settlement_lines (psp, line_id, day, kind, subject_id, currency, amount_minor, at)
     values ('stripe', $2::text, $1::date, 'capture', $2::text, 'USD', 499, now())`,
    [`${month}-09`, attemptId],
  );
  return { accountId, paymentId };
}

/** All rows of the tables that are archived by month, as sorted text. */
export async function contents({ executor }: Tables): Promise<Record<string, unknown[]>> {
  const rows = await Promise.all(
    tablesOfMonths.map(async (table) => {
      const found = await executor.executeSql(
        `select (${table})::text as line from ${table} order by 1`,
      );
      return [table, found.rows] as const;
    }),
  );
  return Object.fromEntries(rows);
}
