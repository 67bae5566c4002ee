import { z } from 'zod';
import type { DisputeTruth } from '../psp.ts';
import { type Known, misshapen, oneOf } from '../replies.ts';
import { causeOf, type PaypalClient } from './client.ts';
import { Id } from './ids.ts';
import { WireMoney } from './money.ts';

const DisputeId = z.string().regex(/^[A-Z0-9-]{5,40}$/);

const List = z.object({
  items: z.array(z.object({ dispute_id: DisputeId })).default([]),
  links: z.array(z.object({ rel: z.string() })).default([]),
});

const isUnderWay = {
  OPEN: true,
  WAITING_FOR_BUYER_RESPONSE: true,
  WAITING_FOR_SELLER_RESPONSE: true,
  UNDER_REVIEW: true,
  RESOLVED: false,
} as const;

/** An inquiry moves no money; a chargeback takes it. */
const openStages = {
  INQUIRY: 'warning',
  CHARGEBACK: 'open',
  PRE_ARBITRATION: 'open',
  ARBITRATION: 'open',
} as const;

const outcomes = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  // PayPal pays the payer itself, and the shop keeps the money.
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  ACCEPTED: 'lost',
  DENIED: 'won',
} as const;

const Dispute = z.object({
  dispute_id: DisputeId,
  status: oneOf(isUnderWay),
  dispute_life_cycle_stage: oneOf(openStages),
  dispute_amount: WireMoney,
  dispute_outcome: z.object({ outcome_code: oneOf(outcomes) }).optional(),
  disputed_transactions: z.tuple([z.object({ seller_transaction_id: Id })]),
});

/** Every dispute of a capture. One unreadable dispute makes the result unknown. */
export async function disputesOf(
  client: PaypalClient,
  captureId: string,
): Promise<Known<DisputeTruth[]>> {
  const ids = await disputeIdsOf(client, captureId);
  if (ids.outcome === 'unknown') return ids;
  const value: DisputeTruth[] = [];
  for (const id of ids.value) {
    const dispute = await readDispute(client, id);
    if (dispute.outcome === 'unknown') return dispute;
    if (dispute.value.captureId !== captureId) {
      return { outcome: 'unknown', cause: 'a dispute about another capture' };
    }
    value.push(dispute.value);
  }
  return { outcome: 'ok', value };
}

export async function disputeIdsOf(
  client: PaypalClient,
  captureId: string,
): Promise<Known<string[]>> {
  const reply = await client.ask(({ get }) =>
    get('/v1/customer/disputes', { disputed_transaction_id: captureId }),
  );
  if (reply.outcome !== 'ok') return { outcome: 'unknown', cause: causeOf(reply) };
  const list = List.safeParse(reply.value);
  if (!list.success) return misshapen('list of disputes', list.error);
  if (list.data.links.some(({ rel }) => rel === 'next')) {
    return { outcome: 'unknown', cause: 'more disputes than one page' };
  }
  return { outcome: 'ok', value: list.data.items.map(({ dispute_id }) => dispute_id) };
}

async function readDispute(client: PaypalClient, id: string): Promise<Known<DisputeTruth>> {
  const reply = await client.ask(({ get }) => get(`/v1/customer/disputes/${id}`));
  if (reply.outcome !== 'ok') return { outcome: 'unknown', cause: causeOf(reply) };
  const read = Dispute.safeParse(reply.value);
  if (!read.success) return misshapen('dispute', read.error);
  const dispute = read.data;
  const stage = stageOf(dispute);
  if (stage === undefined || dispute.dispute_id !== id) {
    return { outcome: 'unknown', cause: 'a resolved dispute with an unknown outcome' };
  }
  const [{ seller_transaction_id: captureId }] = dispute.disputed_transactions;
  const money = dispute.dispute_amount;
  return { outcome: 'ok', value: { disputeId: id, captureId, money, stage } };
}

function stageOf(dispute: z.output<typeof Dispute>): DisputeTruth['stage'] | undefined {
  return dispute.status ? dispute.dispute_life_cycle_stage : dispute.dispute_outcome?.outcome_code;
}
