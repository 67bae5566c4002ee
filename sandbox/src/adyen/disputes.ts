import { type EventCode, recordEvent } from './events.ts';
import { invalid } from './failure.ts';
import { newPspReference } from './ids.ts';
import { book, type MovementType } from './movements.ts';
import { findCharge } from './paying.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, type DisputeRow, disputeRow } from './rows.ts';

export const disputeStages = ['open', 'won', 'lost', 'warning_closed'] as const;
export type DisputeStage = (typeof disputeStages)[number];

const next: Record<DisputeRow['status'], readonly DisputeStage[]> = {
  warning_needs_response: ['open', 'won', 'lost', 'warning_closed'],
  needs_response: ['won', 'lost'],
  won: ['lost'],
  lost: ['won'],
};

/** Opens a dispute: a request for information, or a chargeback that withdraws the money. */
export function openDispute(
  provider: Provider,
  input: { charge: ChargeRow; amount: number; reason: string; stage: 'warning' | 'open' },
): DisputeRow {
  const { charge, amount, reason, stage } = input;
  const dispute: DisputeRow = {
    id: newPspReference(),
    created: provider.clock.nowSeconds(),
    charge: charge.id,
    amount,
    currency: charge.currency,
    reason,
    payment_id: charge.payment_id,
    status: stage === 'open' ? ('needs_response' as const) : ('warning_needs_response' as const),
  };
  provider.db.insert('disputes', dispute);
  announce(provider, dispute, 'NOTIFICATION_OF_CHARGEBACK');
  if (stage === 'open') takeBack(provider, dispute, 'Chargeback');
  return dispute;
}

/** Moves a dispute to its next stage; throws if the transition is not allowed. */
export function moveDispute(
  provider: Provider,
  { id, stage }: { id: string; stage: DisputeStage },
): DisputeRow {
  const before = getDispute(provider, id);
  if (!next[before.status].includes(stage)) {
    throw invalid('170', `dispute ${id} is ${before.status} and cannot be ${stage}`);
  }
  const statuses = { open: 'needs_response', won: 'won', lost: 'lost', warning_closed: 'won' };
  const after = { ...before, status: statuses[stage] as DisputeRow['status'] };
  provider.db.run('update disputes set status = ? where id = ?', after.status, id);
  const isAway = before.status === 'needs_response' || before.status === 'lost';
  if (stage === 'open') takeBack(provider, after, 'Chargeback');
  if (stage === 'lost' && !isAway) {
    takeBack(provider, after, before.status === 'won' ? 'SecondChargeback' : 'Chargeback');
  }
  if (stage === 'lost' && before.status !== 'won') {
    announce(provider, after, 'DISPUTE_DEFENSE_PERIOD_ENDED');
  }
  if (stage === 'won' && isAway) giveBack(provider, after);
  if ((stage === 'won' || stage === 'warning_closed') && !isAway)
    announce(provider, after, 'CHARGEBACK_REVERSED');
  return after;
}

function getDispute(provider: Provider, id: string): DisputeRow {
  const dispute = provider.db.one(disputeRow, 'select * from disputes where id = ?', id);
  if (dispute === undefined) throw invalid('171', `there is no dispute ${id}`);
  return dispute;
}

function takeBack(
  provider: Provider,
  dispute: DisputeRow,
  type: 'Chargeback' | 'SecondChargeback',
): void {
  move(provider, dispute, { type, amount: -dispute.amount });
  announce(provider, dispute, type === 'Chargeback' ? 'CHARGEBACK' : 'SECOND_CHARGEBACK');
}

function giveBack(provider: Provider, dispute: DisputeRow): void {
  move(provider, dispute, { type: 'ChargebackReversed', amount: dispute.amount });
  announce(provider, dispute, 'CHARGEBACK_REVERSED');
}

function move(
  provider: Provider,
  dispute: DisputeRow,
  moved: { type: MovementType; amount: number },
): void {
  book(provider, { ...moved, charge: chargeOf(provider, dispute), modification: dispute.id });
}

function announce(provider: Provider, dispute: DisputeRow, type: EventCode): void {
  const charge = chargeOf(provider, dispute);
  recordEvent(provider, {
    type,
    pspReference: dispute.id,
    originalReference: charge.id,
    merchantReference: charge.reference,
    amount: dispute.amount,
    currency: dispute.currency,
    reason: dispute.reason,
    more: { chargebackReasonCode: '10.4', disputeStatus: 'Undefended' },
  });
}

function chargeOf(provider: Provider, { charge: id }: DisputeRow): ChargeRow {
  const charge = findCharge(provider, id);
  if (charge === undefined) throw new Error(`charge ${id} does not exist`);
  return charge;
}
