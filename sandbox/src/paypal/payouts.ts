import { balancesOf, type Payout } from '../platform/balance-control.routes.ts';
import { book } from './movements.ts';
import type { Provider } from './provider.ts';
import { movementRow } from './rows.ts';

export function balances({ db }: Provider): Record<string, number> {
  return balancesOf(
    db,
    'select currency, sum(amount - fee) as amount from movements group by currency',
  );
}

/** A payout to the bank, or a pay-in if the balance is negative. */
export function payOut(
  provider: Provider,
  { amount, currency }: { amount: number; currency: string },
): Payout {
  const code = amount < 0 ? 'T0300' : 'T0403';
  const id = book(provider, code, { amount: -amount, currency, reference: null });
  return { id, amount, currency };
}

export function returnPayout(provider: Provider, id: string): Payout | undefined {
  const paid = provider.db.one(
    movementRow,
    "select * from movements where id = ? and event_code = 'T0403'",
    id,
  );
  if (paid === undefined) return undefined;
  const { amount, currency } = paid;
  book(provider, 'T1101', { amount: -amount, currency, reference: id });
  return { id, amount: -amount, currency };
}

/** Charges a monthly fee. */
export function chargeFee(
  provider: Provider,
  { amount, currency }: { amount: number; currency: string },
): void {
  book(provider, 'T0101', { amount: -amount, currency, reference: null });
}
