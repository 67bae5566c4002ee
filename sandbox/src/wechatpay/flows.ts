import { balancesOf, type Payout } from '../platform/balance-control.routes.ts';
import { newFlowId } from './ids.ts';
import type { Provider } from './provider.ts';
import { type FlowRow, flowRow } from './rows.ts';

/** What payers paid and did not get back, and all that moved besides. */
export function balances({ db }: Provider): Record<string, number> {
  return balancesOf(
    db,
    `select currency, sum(amount) as amount from (
       select currency, amount from charges
       union all select currency, -amount from refunds where status = 'SUCCESS'
       union all select currency, amount from flows)
     group by currency`,
  );
}

/** Six in a thousand, to the fen. */
export function feeOf(amount: number): number {
  return Math.floor((amount * 6 + 500) / 1000);
}

/** What is taken for a payment, and given back in proportion when it goes back. */
export function bookFee(
  provider: Provider,
  { subject, amount, currency }: { subject: string; amount: number; currency: string },
): void {
  const fee = amount < 0 ? -feeOf(-amount) : feeOf(amount);
  if (fee === 0) return;
  const type = fee < 0 ? '退回交易手续费' : '扣除交易手续费';
  write(provider, { type, subject, amount: -fee, currency });
}

/** To the bank, or from there what is lacking. */
export function payOut(
  provider: Provider,
  { amount, currency }: { amount: number; currency: string },
): Payout {
  const type = amount < 0 ? '充值' : '提现';
  const id = write(provider, { type, subject: null, amount: -amount, currency });
  return { id, amount, currency };
}

export function returnPayout(provider: Provider, id: string): Payout | undefined {
  const paid = provider.db.one(flowRow, "select * from flows where id = ? and type = '提现'", id);
  if (paid === undefined) return undefined;
  const { amount, currency } = paid;
  write(provider, { type: '提现退票', subject: null, amount: -amount, currency });
  return { id, amount: -amount, currency };
}

/** For everything, and no payment. */
export function chargeFee(
  provider: Provider,
  { amount, currency }: { amount: number; currency: string },
): void {
  write(provider, { type: '服务费', subject: null, amount: -amount, currency });
}

export function flowsBetween(
  { db }: Provider,
  { from, until }: { from: number; until: number },
): FlowRow[] {
  return db.all(
    flowRow,
    `select * from flows where created >= ? and created < ?
     order by created, rowid limit 100000`,
    from,
    until,
  );
}

function write({ db, clock }: Provider, flow: Omit<FlowRow, 'id' | 'created'>): string {
  const created = clock.nowSeconds();
  const id = newFlowId(created);
  db.insert('flows', { id, created, ...flow });
  return id;
}
