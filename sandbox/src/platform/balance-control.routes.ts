import type { FastifyInstance } from 'fastify';
import type { Database } from './database.ts';
import { controlBody, idOf } from './requests.ts';
import { object, optional, text, whole } from './shape.ts';

const payoutBody = object({
  currency: text,
  /** All that is there, if it is not said; what is negative is taken from the merchant's bank. */
  amount: optional(whole),
});
const feeBody = object({ currency: text, amount: whole });

export type Payout = { id: string; amount: number; currency: string };

/**
 * The merchant's account with the provider: what is in it, in the smallest unit of each currency, and what
 * goes to the merchant's bank and comes back from there.
 */
export function registerBalanceControl(
  app: FastifyInstance,
  db: Database,
  input: {
    /** By currency, in capital letters. */
    balances: () => Record<string, number>;
    payOut: (payout: { amount: number; currency: string }) => Payout;
    /** The bank did not take it. */
    returnPayout: (id: string) => Payout | undefined;
    /** A fee for everything and no payment; negative is given back. */
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

/** The sums of a query of amounts by currency. */
export function balancesOf(db: Database, query: string): Record<string, number> {
  const rows = db.all(balanceRow, query);
  return Object.fromEntries(rows.map(({ currency, amount }) => [currency.toUpperCase(), amount]));
}
