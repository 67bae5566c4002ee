import type Stripe from 'stripe';
import { z } from 'zod';
import type { DisputeTruth } from '../psp.ts';
import { type Known, oneOf } from '../replies.ts';
import { CaptureId } from './ids.ts';
import { readList } from './lists.ts';
import { moneyOf, wireMoney } from './money.ts';

const stages = {
  warning_needs_response: 'warning',
  warning_under_review: 'warning',
  // The inquiry ended without a chargeback, so no money has moved.
  warning_closed: 'won',
  needs_response: 'open',
  under_review: 'open',
  // The money stays withdrawn during an appeal.
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
  prevented: 'prevented',
} as const satisfies Record<string, DisputeTruth['stage'] | 'prevented'>;

const Dispute = z.object({
  object: z.literal('dispute'),
  id: z.string().min(1),
  ...wireMoney,
  payment_intent: CaptureId,
  status: oneOf(stages),
  balance_transactions: z.array(z.object({ amount: z.int() })),
});

/** Every dispute about a capture. */
export async function disputesOf(
  stripe: Stripe,
  captureId: string,
): Promise<Known<DisputeTruth[]>> {
  const disputes = await readList(Dispute, (page) =>
    stripe.disputes.list({ payment_intent: captureId, ...page }),
  );
  if (disputes.outcome === 'unknown') return disputes;
  if (disputes.value.some(({ payment_intent }) => payment_intent !== captureId)) {
    return { outcome: 'unknown', cause: 'a dispute about another capture' };
  }
  const value = disputes.value.map((dispute) => ({
    disputeId: dispute.id,
    captureId,
    money: moneyOf(dispute),
    stage: stageOf(dispute),
  }));
  return { outcome: 'ok', value };
}

function stageOf({ status, balance_transactions }: z.output<typeof Dispute>) {
  if (status !== 'prevented') return status;
  // Either no chargeback happened or the payer was refunded; only the balance transactions tell which.
  const moved = balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
  return moved < 0 ? 'lost' : 'won';
}
