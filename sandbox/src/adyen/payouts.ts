import { balancesOf, type Payout } from '../platform/balance-control.routes.ts';
import { newPspReference } from './ids.ts';
import type { Provider } from './provider.ts';
import { type BalanceMovementRow, balanceMovementRow } from './rows.ts';

export function balances({ db }: Provider): Record<string, number> {
  return balancesOf(
    db,
    `select currency, sum(net) as amount from (
       select currency, amount - commission - markup - scheme_fees - interchange as net from movements
       union all select currency, amount from balance_movements)
     group by currency`,
  );
}

/** A payout, or a pay-in by the merchant if the balance is negative. */
export function payOut(
  provider: Provider,
  { amount, currency }: { amount: number; currency: string },
): Payout {
  const id = newPspReference();
  const type = amount < 0 ? 'MerchantPayin' : 'MerchantPayout';
  write(provider, { id, type, name: `TX${id}XT`, amount: -amount, currency });
  return { id, amount, currency };
}

export function returnPayout(provider: Provider, id: string): Payout | undefined {
  const paid = provider.db.one(
    balanceMovementRow,
    "select * from balance_movements where id = ? and type = 'MerchantPayout'",
    id,
  );
  if (paid === undefined) return undefined;
  const { amount, currency, name } = paid;
  const back = { type: 'BankInstructionReturned', name, amount: -amount, currency };
  write(provider, { id: newPspReference(), ...back });
  return { id, amount: -amount, currency };
}

/** Charges a monthly fee. */
export function chargeFee(
  provider: Provider,
  { amount, currency }: { amount: number; currency: string },
): void {
  const month = new Date(provider.clock.nowSeconds() * 1000).toLocaleString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const name = `Transaction Fees ${month}`;
  write(provider, { id: newPspReference(), type: 'Fee', name, amount: -amount, currency });
}

export function balanceMovementsBetween(
  { db }: Provider,
  { from, until }: { from: number; until: number },
): BalanceMovementRow[] {
  return db.all(
    balanceMovementRow,
    `select * from balance_movements where created >= ? and created < ?
     order by created, rowid limit 1000`,
    from,
    until,
  );
}

function write({ db, clock }: Provider, row: Omit<BalanceMovementRow, 'created'>): void {
  db.insert('balance_movements', { ...row, created: clock.nowSeconds() });
}
