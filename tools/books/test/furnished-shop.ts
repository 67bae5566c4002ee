import type pg from 'pg';
import { eventually, openTestShop, type TestShop } from '../../../server/test/shop.ts';
import { type Copied, linesOfTransfers } from './multiply.ts';
import {
  type Stories,
  tellCodes,
  tellDebt,
  tellRebates,
  tellRewards,
  tellSavings,
  tellStories,
  tellWallet,
} from './stories.ts';
import { openTeller } from './teller.ts';

/** A shop in which every story has happened once. */
export interface FurnishedShop {
  shop: TestShop;
  admin: pg.Client;
  stories: Stories;
  /** The stories with their frequency among a hundred orders. */
  copied: Copied[];
  close(): Promise<void>;
}

// Of a hundred orders, sixty are paid by card and delivered, twenty-five are abandoned before
// payment, fourteen top up points or are paid with them, and about two have a special case.
const times: Record<string, number> = {
  ...{ arrived: 60, closed: 12.5, declined: 0.2, refunded: 0.5, elsewhere: 0.15, lost: 0.12 },
  ...{ retried: 0.6, partly: 0.05, refunding: 0.05, stuck: 0.05, misfits: 0.03, disputed: 0.05 },
  ...{ won: 0.05, reinstated: 0.05, placed: 0.2, paying: 0.2 },
};

/** The worker is stopped at the end, so that nothing changes any more. */
export async function furnishShop(): Promise<FurnishedShop> {
  const shop = await openTestShop({ LOG_LEVEL: 'silent' }, { ownUsers: true });
  const stopWorker = shop.startWorker();
  const teller = await openTeller(shop);
  const { admin, buyer } = teller;
  const close = async () => {
    await admin.end();
    await shop.closeAll();
  };
  try {
    const stories = await tellStories(teller);
    const copied: Copied[] = Object.entries(stories).map(([name, orders]) => ({
      ids: orders.map(({ paymentId }) => paymentId),
      times: times[name] ?? 0,
    }));
    copied.push({ ids: [buyer.accountId], times: 1, isShared: true });
    for (const { tell, often } of [
      { tell: tellSavings, often: 1.1 },
      { tell: tellWallet, often: 0.12 },
      { tell: tellDebt, often: 0.1 },
      { tell: tellRewards, often: 0.4 },
      { tell: tellRebates, often: 0.1 },
      { tell: tellCodes, often: 0.1 },
    ]) {
      const other = await openTeller(shop);
      await tell(other);
      await other.admin.end();
      const { accountId } = other.buyer;
      const ids = [accountId, ...(await originsOf(admin, accountId))];
      copied.push({ ids, times: often });
    }
    await letWait(admin);
    await untilQuiet(admin);
    await stopWorker();
    await settle(admin);
    return { shop, admin, stories, copied, close };
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
async function settle(admin: pg.Client): Promise<void> {
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
async function letWait(admin: pg.Client): Promise<void> {
  await admin.query(`
    update refunds set next_check_at = now() + interval '1 day' where state in ('requested', 'pending');
    update payment_attempts set next_check_at = now() + interval '1 day'
      where state in ('opening', 'open')`);
}

/** Waits until only scheduled work is left. */
async function untilQuiet(admin: pg.Client): Promise<void> {
  await eventually(async () => {
    const { rows } = await admin.query(`
      select from provider_inbox where processed_at is null
      union all select from pgboss.job where state < 'completed' and start_after <= now()
      union all select from revocations where state = 'queued'`);
    return rows.length === 0;
  });
}
