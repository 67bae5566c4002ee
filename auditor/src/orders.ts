import { checkArchivedLedger } from './archived-ledger.ts';
import { type Batch, findEnd, firstKey, type OrderKey, readBatch } from './batches.ts';
import { type Abroad, openCourt } from './court.ts';
import type { Query } from './database.ts';
import type { Findings } from './findings.ts';
import type { Violation } from './invariant.ts';
import { type IdRange, idsIn } from './ranges.ts';
import { checkSettledOrders } from './settlement-invariants.ts';

export interface OrdersAudit {
  query: Query;
  findings: Findings;
  rowsPerBatch: number;
  /** Reports the number of audited orders and of rows in memory. */
  onBatch: (orders: number, papers: number) => void;
  /** Called for each order that external parties know about, while its rows are in memory. */
  onAbroad?: (abroad: Abroad) => void;
}

/** Checks I1, I2, I4, I5, I7, I8, I10 and I14 for all ids of a range. */
export async function checkOrders(audit: OrdersAudit, range: IdRange): Promise<void> {
  const { query, findings } = audit;
  const court = openCourt({ isArchived: range.state !== 'present' && range.state !== 'none' });
  let next: Reading | undefined = begin(audit, range, firstKey);
  while (next !== undefined) {
    const { suspects, settled, end }: Awaited<Reading> = await next;
    // The next batch is read while this one is judged.
    next = end === undefined ? undefined : begin(audit, range, end);
    next?.catch(() => {});
    let [orders, papers] = [0, 0];
    for (const suspect of suspects) {
      const { violations, abroad, counts } = court.judge(suspect);
      findings.add(violations);
      for (const [kind, many] of counts) if (!isOfAccounts.has(kind)) findings.count(kind, many);
      orders += counts.get('orders') ?? 0;
      papers += suspect.count;
      if (abroad !== undefined && isAbroad(abroad)) audit.onAbroad?.(abroad);
    }
    findings.add(settled);
    audit.onBatch(orders, papers);
  }
  if (range.state === 'moving') return;
  if (range.state === 'archived') findings.add(await checkArchivedLedger(query, range));
  findings.add(await strayIntents(query, range));
}

/** These rows are counted by the audit of accounts. */
const isOfAccounts = new Set(['point_entries', 'top_up_steps']);

type Reading = Promise<Batch & { settled: Violation[] }>;

async function begin(audit: OrdersAudit, range: IdRange, after: OrderKey): Reading {
  const { query, rowsPerBatch: rows } = audit;
  const between = { after, end: await findEnd(query, range, { after, rows }) };
  const [batch, settled] = await Promise.all([
    readBatch(query, range, between),
    range.state === 'present' ? checkSettledOrders(query, range, between) : [],
  ]);
  return { ...batch, settled };
}

function isAbroad({ refunds, disputes, revoked, isBeingRevoked }: Abroad): boolean {
  return refunds.length > 0 || disputes.length > 0 || revoked !== '' || isBeingRevoked;
}

/** I10: intents whose order is missing or belongs to another account. */
async function strayIntents(query: Query, range: IdRange): Promise<Violation[]> {
  const rows = await query(`
    select format('an intent of account %s is for %s, which is no order of theirs', account_id, payment_id)
    from order_keys as intents
    where ${idsIn('payment_id', range)} and not exists (
      select from orders
      where orders.account_id = intents.account_id and orders.payment_id = intents.payment_id
        and ${idsIn('orders.payment_id', range)})
    limit 1000`);
  return rows.map(([text = '']) => ({ id: 'I10', text }));
}
