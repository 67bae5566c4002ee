import type pg from 'pg';
import { eventually, openTestShop, type TestShop } from '../../../server/test/shop.ts';
import { type CopiedScenario, linesOfTransfers } from './copy-orders.ts';
import { openScenarioContext } from './scenario-steps.ts';
import {
  runCodes,
  runDebt,
  runRebates,
  runRewards,
  runSavings,
  runScenarios,
  runWallet,
  type Scenarios,
} from './scenarios.ts';

/** A shop in which every scenario has happened once. */
export interface PreparedShop {
  shop: TestShop;
  admin: pg.Client;
  scenarios: Scenarios;
  /** The scenarios with their frequency among a hundred orders. */
  copiedScenarios: CopiedScenario[];
  close(): Promise<void>;
}

// Of a hundred orders, sixty are paid by card and delivered, twenty-five are abandoned before
// payment, fourteen top up points or are paid with them, and about two have a special case.
const times: Record<string, number> = {
  arrived: 60,
  closed: 12.5,
  declined: 0.2,
  refunded: 0.5,
  elsewhere: 0.15,
  lost: 0.12,
  retried: 0.6,
  partly: 0.05,
  refunding: 0.05,
  stuck: 0.05,
  misfits: 0.03,
  disputed: 0.05,
  won: 0.05,
  reinstated: 0.05,
  placed: 0.2,
  paying: 0.2,
};

/** The worker is stopped at the end, so that nothing changes any more. */
export async function prepareShop(): Promise<PreparedShop> {
  const shop = await openTestShop({ LOG_LEVEL: 'silent' }, { ownUsers: true });
  const stopWorker = shop.startWorker();
  const context = await openScenarioContext(shop);
  const { admin, buyer } = context;
  const close = async () => {
    await admin.end();
    await shop.closeAll();
  };
  try {
    const scenarios = await runScenarios(context);
    const copiedScenarios: CopiedScenario[] = Object.entries(scenarios).map(([name, orders]) => ({
      ids: orders.map(({ paymentId }) => paymentId),
      times: times[name] ?? 0,
    }));
    copiedScenarios.push({ ids: [buyer.accountId], times: 1, isShared: true });
    for (const { run, often } of [
      { run: runSavings, often: 1.1 },
      { run: runWallet, often: 0.12 },
      { run: runDebt, often: 0.1 },
      { run: runRewards, often: 0.4 },
      { run: runRebates, often: 0.1 },
      { run: runCodes, often: 0.1 },
    ]) {
      const other = await openScenarioContext(shop);
      await run(other);
      await other.admin.end();
      const { accountId } = other.buyer;
      const ids = [accountId, ...(await originsOf(admin, accountId))];
      copiedScenarios.push({ ids, times: often });
    }
    await postponeWork(admin);
    await untilIdle(admin);
    await stopWorker();
    await insertSettlements(admin);
    return { shop, admin, scenarios, copiedScenarios, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The orders of an account, and the origins of its given points. */
async function originsOf(admin: pg.Client, accountId: string): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `select payment_id as id from orders where account_id = $1
     union all select origin_id from point_gifts where account_id = $1`,
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** Inserts settlement lines, as if all transfers had happened three days ago. */
async function insertSettlements(admin: pg.Client): Promise<void> {
  await admin.query(`
    insert into settlement_days
    select 'stripe', current_date - ago, 'frr_' || ago, now() - interval '1 hour', now() - interval '3 days'
    from generate_series(2, 3) as ago;
    insert into settlement_lines
    select 'stripe', 'txn_' || row_number() over (), current_date - 3, ${linesOfTransfers};
    insert into settlement_lines
    select psp, line_id || ':fee', day, 'fee', subject_id, capture_id, currency, -44, at
    from settlement_lines where kind = 'capture'
    union all
    select 'stripe', 'txn_payout', current_date - 3, 'payout', 'po_1', null, 'USD', -700, now();
    insert into house_transfers (day, psp, line_id, debit_book, credit_book, unit, amount_minor, at)
    select day, psp, line_id, case kind when 'fee' then 'house:fees' else 'house:bank' end, 'house:psp',
      currency, -amount_minor, at
    from settlement_lines where kind in ('fee', 'payout')`);
}

/**
 * Postpones all scheduled work, so that it does not become overdue during a long audit. The worker
 * also enqueues no jobs between the last activity and its end.
 */
async function postponeWork(admin: pg.Client): Promise<void> {
  await admin.query(`
    update refunds set next_check_at = now() + interval '1 day' where state in ('requested', 'pending');
    update payment_attempts set next_check_at = now() + interval '1 day'
      where state in ('opening', 'open')`);
}

/** Waits until only scheduled work is left. */
async function untilIdle(admin: pg.Client): Promise<void> {
  await eventually(async () => {
    const { rows } = await admin.query(`
      select from provider_inbox where processed_at is null
      union all select from pgboss.job where state < 'completed' and start_after <= now()
      union all select from revocations where state = 'queued'`);
    return rows.length === 0;
  });
}
