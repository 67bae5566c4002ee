import type Stripe from 'stripe';
import { z } from 'zod';
import { linesBeside } from '../book-money.ts';
import type { SettlementLine } from '../psp.ts';
import type { Known } from '../replies.ts';
import { readList } from './lists.ts';

/** Payouts, payouts that the bank returned, and payouts cancelled before they left. */
const types = ['payout', 'payout_failure', 'payout_cancel'] as const;

const BalanceTransaction = z.object({
  object: z.literal('balance_transaction'),
  id: z.string().min(1),
  type: z.enum(types),
  /** Signed, in Stripe's minor unit of the currency. */
  amount: z.int(),
  fee: z.int(),
  currency: z.string().regex(/^[a-z]{3}$/),
  created: z.int(),
  source: z.string().min(1),
});

/**
 * The payouts and returned payouts of a period. They are listed by API, because the balance change report
 * leaves payouts out.
 */
export async function payoutsBetween(
  stripe: Stripe,
  { interval_start: gte, interval_end: lt }: { interval_start: number; interval_end: number },
): Promise<Known<SettlementLine[]>> {
  const lines: SettlementLine[] = [];
  for (const type of types) {
    const found = await readList(BalanceTransaction, (page) =>
      stripe.balanceTransactions.list({ type, created: { gte, lt }, ...page }),
    );
    if (found.outcome === 'unknown') return found;
    for (const { id, source, amount, fee, currency, created } of found.value) {
      const unit = currency.toUpperCase();
      const gross = { amountMinor: BigInt(amount), currency: unit };
      const line: SettlementLine = {
        lineId: id,
        kind: 'payout',
        subjectId: source,
        captureId: null,
        money: gross,
        at: new Date(created * 1000),
      };
      lines.push(
        line,
        ...linesBeside(line, { gross, fee: { amountMinor: BigInt(fee), currency: unit } }),
      );
    }
  }
  return { outcome: 'ok', value: lines };
}
