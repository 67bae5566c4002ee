import { checkArchivedLedger } from './archived-ledger.ts';
import { type Batch, findEnd, firstKey, type OrderKey, readBatch } from './batches.ts';
import { type ExternalHistory, openCheckCache } from './check-cache.ts';
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
  onBatch: (orders: number, rows: number) => void;
  /** Called for each order that external parties know about, while its rows are in memory. */
  onExternalHistory?: (history: ExternalHistory) => void;
}

/** Checks I1, I2, I4, I5, I7, I8, I10 and I14 for all ids of a range. */
export async function checkOrders(audit: OrdersAudit, range: IdRange): Promise<void> {
  const { query, findings } = audit;
  const cache = openCheckCache({ isArchived: range.state !== 'present' && range.state !== 'none' });
  let next: Reading | undefined = begin(audit, range, firstKey);
  while (next !== undefined) {
    const { ordersToCheck, settled, end }: Awaited<Reading> = await next;
    // The next batch is read while this one is checked.
    next = end === undefined ? undefined : begin(audit, range, end);
    next?.catch(() => {});
    let [orders, rowCount] = [0, 0];
    for (const order of ordersToCheck) {
      const { violations, externalHistory, counts } = cache.check(order);
      findings.add(violations);
      for (const [kind, many] of counts)
        if (!countedByAccounts.has(kind)) findings.count(kind, many);
      orders += counts.get('orders') ?? 0;
      rowCount += order.count;
      if (externalHistory !== undefined && isExternallyKnown(externalHistory))
        audit.onExternalHistory?.(externalHistory);
    }
    findings.add(settled);
    audit.onBatch(orders, rowCount);
  }
  if (range.state === 'moving') return;
  if (range.state === 'archived') findings.add(await checkArchivedLedger(query, range));
  findings.add(await strayIntents(query, range));
}

/** These rows are counted by the audit of accounts. */
const countedByAccounts = new Set(['point_entries', 'top_up_steps']);

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

function isExternallyKnown({
  refunds,
  disputes,
  revoked,
  isBeingRevoked,
}: ExternalHistory): boolean {
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
