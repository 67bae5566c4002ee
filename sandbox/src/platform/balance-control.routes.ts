import type { FastifyInstance } from 'fastify';
import type { Database } from './database.ts';
import { controlBody, idOf } from './requests.ts';
import { object, optional, text, whole } from './shape.ts';

const payoutBody = object({
  currency: text,
  /** The whole balance by default; a negative amount is a pay-in from the merchant's bank. */
  amount: optional(whole),
});
const feeBody = object({ currency: text, amount: whole });

export type Payout = { id: string; amount: number; currency: string };

/**
 * The merchant's account with the provider: its balances in the smallest unit of each currency,
 * payouts to the merchant's bank, and payouts that the bank returned.
 */
export function registerBalanceControl(
  app: FastifyInstance,
  db: Database,
  input: {
    /** Balances by upper-case currency code. */
    balances: () => Record<string, number>;
    payOut: (payout: { amount: number; currency: string }) => Payout;
    /** The bank rejects a payout. */
    returnPayout: (id: string) => Payout | undefined;
    /** A fee that belongs to no single payment; a negative one is returned. */
    charge: (fee: { amount: number; currency: string }) => void;
  },
): void {
  app.get('/__sandbox/balance', () => ({ balances: input.balances() }));
  app.post('/__sandbox/payouts', (request) => {
    const { currency, amount } = controlBody(request, payoutBody);
    return db.transaction(() =>
      input.payOut({ currency, amount: amount ?? input.balances()[currency] ?? 0 }),
    );
  });
  app.post('/__sandbox/payouts/:id/return', (request, reply) => {
    const id = idOf(request);
    const returned = db.transaction(() => input.returnPayout(id));
    return returned === undefined
      ? reply.code(404).send({ error: 'not_found' })
      : reply.send(returned);
  });
  app.post('/__sandbox/fees', (request) => {
    const fee = controlBody(request, feeBody);
    db.transaction(() => input.charge(fee));
    return { balances: input.balances() };
  });
}

const balanceRow = object({ currency: text, amount: whole });

/** The rows of a query that sums amounts by currency. */
export function balancesOf(db: Database, query: string): Record<string, number> {
  const rows = db.all(balanceRow, query);
  return Object.fromEntries(rows.map(({ currency, amount }) => [currency.toUpperCase(), amount]));
}
