import { balancesOf, type Payout } from './balance-control.routes.ts';
import type { Database } from './database.ts';
import { nullable, object, type ReadBy, text, whole } from './shape.ts';

// The movements of a merchant's balance besides payments and refunds, for providers with an account
// bill: fees and payouts.

/** The provider's name of each kind of movement. */
export interface FlowWords {
  fee: string;
  feeBack: string;
  /** A fee that belongs to no single payment. */
  generalFee: string;
  payout: string;
  payin: string;
  payoutReturned: string;
}

export function flowTable(words: FlowWords): string {
  const types = [...new Set(Object.values(words))].map((word) => `'${word}'`).join(', ');
  return `
create table flows (
  id       text    primary key,
  created  integer not null,
  type     text    not null check (type in (${types})),
  -- The payment or refund that the movement belongs to.
  subject  text,
  -- Negative when money leaves the balance.
  amount   integer not null,
  currency text    not null
);
create index flows_by_time on flows (created);
`;
}

const flowRow = object({
  id: text,
  created: whole,
  type: text,
  subject: nullable(text),
  amount: whole,
  currency: text,
});
export type FlowRow = ReadBy<typeof flowRow>;

interface Merchant {
  db: Database;
  clock: { nowSeconds(): number };
}

/** 0.6 %, rounded to the fen. */
export function feeOf(amount: number): number {
  return Math.floor((amount * 6 + 500) / 1000);
}

/** The balance by currency: payments minus refunds, plus all other movements. */
export function balances({ db }: Merchant): Record<string, number> {
  return balancesOf(
    db,
    `select currency, sum(amount) as amount from (
       select currency, amount from charges
       union all select currency, -amount from refunds where status = 'SUCCESS'
       union all select currency, amount from flows)
     group by currency`,
  );
}

export function flowsBetween(
  { db }: Merchant,
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

/** The account movements with the provider's names and its id format. */
export function flowsIn({
  words,
  newId,
}: {
  words: FlowWords;
  newId: (seconds: number) => string;
}) {
  const write = ({ db, clock }: Merchant, flow: Omit<FlowRow, 'id' | 'created'>): string => {
    const created = clock.nowSeconds();
    const id = newId(created);
    db.insert('flows', { id, created, ...flow });
    return id;
  };
  return {
    /** Books the fee of a payment, or its proportional return for a refund. */
    bookFee: (
      merchant: Merchant,
      { subject, amount, currency }: { subject: string; amount: number; currency: string },
    ): void => {
      const fee = amount < 0 ? -feeOf(-amount) : feeOf(amount);
      if (fee === 0) return;
      const type = fee < 0 ? words.feeBack : words.fee;
      write(merchant, { type, subject, amount: -fee, currency });
    },
    /** Books a payout to the bank, or a pay-in if the balance is negative. */
    payOut: (
      merchant: Merchant,
      { amount, currency }: { amount: number; currency: string },
    ): Payout => {
      const type = amount < 0 ? words.payin : words.payout;
      const id = write(merchant, { type, subject: null, amount: -amount, currency });
      return { id, amount, currency };
    },
    returnPayout: (merchant: Merchant, id: string): Payout | undefined => {
      const paid = merchant.db.one(
        flowRow,
        'select * from flows where id = ? and type = ?',
        id,
        words.payout,
      );
      if (paid === undefined) return undefined;
      const { amount, currency } = paid;
      write(merchant, { type: words.payoutReturned, subject: null, amount: -amount, currency });
      return { id, amount: -amount, currency };
    },
    /** A fee that belongs to no single payment. */
    chargeFee: (
      merchant: Merchant,
      { amount, currency }: { amount: number; currency: string },
    ): void => {
      const type = words.generalFee;
      write(merchant, { type, subject: null, amount: -amount, currency });
    },
  };
}
