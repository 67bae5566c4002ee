import { balancesOf, type Payout } from '../platform/balance-control.routes.ts';
import { newId } from './ids.ts';
import type { Provider } from './provider.ts';
import { balanceRow } from './rows.ts';

type Type = 'payout' | 'payout_failure' | 'stripe_fee';

/** The balance by currency: the sum of the net amounts of all balance transactions. */
export function balances({ db }: Provider): Record<string, number> {
  return balancesOf(
    db,
    'select currency, sum(amount - fee) as amount from balance_transactions group by currency',
  );
}

/** Balance transactions are negative when money leaves; payouts are positive. */
export function payOut(
  provider: Provider,
  { amount, currency }: { amount: number; currency: string },
): Payout {
  const id = newId('po_');
  write(provider, {
    type: 'payout',
    amount: -amount,
    currency: currency.toLowerCase(),
    source: id,
  });
  return { id, amount, currency };
}

export function returnPayout(provider: Provider, id: string): Payout | undefined {
  const paid = provider.db.one(
    balanceRow,
    `select * from balance_transactions where source = ? and type = 'payout'`,
    id,
  );
  if (paid === undefined) return undefined;
  const { amount, currency } = paid;
  write(provider, { type: 'payout_failure', amount: -amount, currency, source: id });
  return { id, amount: -amount, currency: currency.toUpperCase() };
}

/** Charges a fee without a charge, such as a monthly fee. */
export function chargeFee(
  provider: Provider,
  { amount, currency }: { amount: number; currency: string },
): void {
  const source = newId('fee_');
  write(provider, {
    type: 'stripe_fee',
    amount: -amount,
    currency: currency.toLowerCase(),
    source,
  });
}

const categories: Record<Type, string> = {
  payout: 'payout',
  payout_failure: 'payout_reversal',
  stripe_fee: 'fee',
};

function write(
  { db, clock }: Provider,
  entry: { type: Type; amount: number; currency: string; source: string },
): void {
  db.insert('balance_transactions', {
    ...entry,
    id: newId('txn_'),
    created: clock.nowSeconds(),
    fee: 0,
    reporting_category: categories[entry.type],
    charge: null,
    description: null,
  });
}
