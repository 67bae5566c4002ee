import { newId } from './ids.ts';
import type { WireObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { type BalanceRow, balanceRow } from './rows.ts';

type Category = 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal';

/** Writes a balance transaction and answers its id; money that leaves the balance is negative. */
export function book(
  provider: Provider,
  category: Category,
  entry: { amount: number; currency: string; source: string; charge: string },
): string {
  const id = newId('txn_');
  provider.db.run(
    `insert into balance_transactions
       (id, created, amount, fee, currency, type, reporting_category, source, charge, description)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    provider.clock.nowSeconds(),
    entry.amount,
    feeOf(category, entry.amount),
    entry.currency,
    types[category],
    category,
    entry.source,
    entry.charge,
    descriptionOf(category, entry.charge),
  );
  return id;
}

export function balanceOfSource(provider: Provider, source: string): BalanceRow[] {
  return provider.db.all(
    balanceRow,
    'select * from balance_transactions where source = ? order by rowid limit 100',
    source,
  );
}

export function findBalance(provider: Provider, id: string): BalanceRow | undefined {
  return provider.db.one(balanceRow, 'select * from balance_transactions where id = ?', id);
}

export function balanceObject(row: BalanceRow): WireObject {
  return {
    id: row.id,
    object: 'balance_transaction',
    amount: row.amount,
    available_on: availableOn(row.created),
    balance_type: 'payments',
    created: row.created,
    currency: row.currency,
    description: row.description,
    exchange_rate: null,
    fee: row.fee,
    fee_details:
      row.fee === 0
        ? []
        : [
            {
              amount: row.fee,
              application: null,
              currency: row.currency,
              description: row.type === 'charge' ? 'Processing fees' : 'Dispute fee',
              type: 'stripe_fee',
            },
          ],
    net: row.amount - row.fee,
    reporting_category: row.reporting_category,
    source: row.source,
    status: 'pending',
    type: row.type,
  };
}

/** When the money becomes available: two days later, at midnight. */
export function availableOn(created: number): number {
  const day = 24 * 3600;
  return Math.floor(created / day) * day + 2 * day;
}

const types: Record<Category, string> = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund_failure',
  dispute: 'adjustment',
  dispute_reversal: 'adjustment',
};

/** 2.9 % plus 30 of the smallest unit for a payment; the fee of a dispute is not returned. */
function feeOf(category: Category, amount: number): number {
  if (category === 'charge') return Math.floor((amount * 29 + 500) / 1000) + 30;
  return category === 'dispute' ? 1500 : 0;
}

function descriptionOf(category: Category, charge: string): string | null {
  if (category === 'charge') return null;
  if (category === 'refund') return 'REFUND FOR CHARGE';
  if (category === 'refund_failure') return 'REFUND FAILURE';
  return `Chargeback ${category === 'dispute' ? 'withdrawal' : 'reversal'} for ${charge}`;
}
