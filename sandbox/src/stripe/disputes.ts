import { type EventType, recordEvent } from './events.ts';
import { missing, refused } from './failure.ts';
import { newId } from './ids.ts';
import { findCharge } from './intents.ts';
import { balanceObject, balanceOfSource, book } from './movements.ts';
import type { WireObject } from './objects.ts';
import { disputeObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, type DisputeRow, disputeRow } from './rows.ts';

export const disputeStages = ['warning', 'open', 'won', 'lost', 'warning_closed'] as const;
export type DisputeStage = (typeof disputeStages)[number];

const statusOf: Record<DisputeStage, DisputeRow['status']> = {
  warning: 'warning_needs_response',
  open: 'needs_response',
  won: 'won',
  lost: 'lost',
  warning_closed: 'warning_closed',
};

/** The allowed transitions. A decision can be reversed on appeal or in arbitration. */
const next: Record<DisputeRow['status'], readonly DisputeStage[]> = {
  warning_needs_response: ['open', 'warning_closed'],
  needs_response: ['won', 'lost'],
  won: ['lost'],
  lost: ['won'],
  warning_closed: [],
};

/** Opens a dispute. A warning withdraws no money; an open dispute withdraws it at once. */
export function openDispute(
  provider: Provider,
  input: { charge: ChargeRow; amount: number; reason: string; stage: 'warning' | 'open' },
): DisputeRow {
  const { charge, amount, reason } = input;
  const [latest] = disputesOfCharge(provider, charge.id);
  if (latest?.status === 'warning_needs_response' || latest?.status === 'needs_response') {
    throw refused(`Charge ${charge.id} is under dispute ${latest.id}.`, {
      code: 'charge_disputed',
    });
  }

  const { payment_intent, currency, payment_id } = charge;
  const status = statusOf[input.stage];
  const id = newId('du_');
  const created = provider.clock.nowSeconds();
  const dispute: DisputeRow = {
    id,
    created,
    charge: charge.id,
    payment_intent,
    amount,
    currency,
    reason,
    status,
    payment_id,
  };
  provider.db.insert('disputes', dispute);
  provider.db.run('update charges set disputed = 1 where id = ?', charge.id);
  if (input.stage === 'open') withdraw(provider, dispute);
  announce(provider, dispute, 'charge.dispute.created');
  if (input.stage === 'open') announce(provider, dispute, 'charge.dispute.funds_withdrawn');
  return dispute;
}

/** Moves a dispute to its next stage; throws if the transition is not allowed. */
export function moveDispute(
  provider: Provider,
  input: { id: string; stage: DisputeStage },
): DisputeRow {
  const before = getDispute(provider, input.id);
  const { stage } = input;
  if (!next[before.status].includes(stage)) {
    throw refused(`Dispute ${before.id} is ${before.status} and cannot become ${stage}.`, {});
  }

  const status = statusOf[stage];
  const after: DisputeRow = { ...before, status };
  provider.db.run('update disputes set status = ? where id = ?', status, after.id);
  const isTaken = stage === 'open' || before.status === 'won';
  const isGivenBack = stage === 'won';
  if (isTaken) withdraw(provider, after);
  if (isGivenBack) giveBack(provider, after);

  const previous = { status: before.status };
  if (stage === 'open') announce(provider, after, 'charge.dispute.updated', previous);
  if (isTaken) announce(provider, after, 'charge.dispute.funds_withdrawn');
  if (isGivenBack) announce(provider, after, 'charge.dispute.funds_reinstated');
  if (stage !== 'open') announce(provider, after, 'charge.dispute.closed', previous);
  return after;
}

export function getDispute(provider: Provider, id: string): DisputeRow {
  const row = provider.db.one(disputeRow, 'select * from disputes where id = ?', id);
  if (row === undefined) throw missing({ kind: 'dispute', id, param: 'dispute' });
  return row;
}

/** The open or lost dispute of a charge, which blocks its refunds. */
export function findOpenOrLostDispute(
  provider: Provider,
  chargeId: string,
): DisputeRow | undefined {
  return disputesOfCharge(provider, chargeId).find(
    ({ status }) => status === 'needs_response' || status === 'lost',
  );
}

export function wireDispute(provider: Provider, row: DisputeRow): WireObject {
  const charge = findCharge(provider, row.charge);
  const isHarmless = row.status.startsWith('warning_') || row.status === 'won';
  return disputeObject(row, {
    balance: balanceOfSource(provider, row.id).map(balanceObject),
    isRefundable: isHarmless && charge?.amount_refunded !== charge?.amount,
  });
}

function disputesOfCharge(provider: Provider, chargeId: string): DisputeRow[] {
  return provider.db.all(
    disputeRow,
    'select * from disputes where charge = ? order by rowid desc limit 100',
    chargeId,
  );
}

function withdraw(provider: Provider, { id, amount, currency, charge }: DisputeRow): void {
  book(provider, 'dispute', { amount: -amount, currency, source: id, charge });
}

function giveBack(provider: Provider, { id, amount, currency, charge }: DisputeRow): void {
  book(provider, 'dispute_reversal', { amount, currency, source: id, charge });
}

function announce(
  provider: Provider,
  dispute: DisputeRow,
  type: EventType,
  previous?: WireObject,
): void {
  recordEvent(provider, {
    type,
    object: wireDispute(provider, dispute),
    ...(previous === undefined ? {} : { previous }),
    request: null,
  });
}
