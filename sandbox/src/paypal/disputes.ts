import type { WireObject } from './call.ts';
import { type EventType, recordEvent } from './events.ts';
import { missing, unprocessable } from './failure.ts';
import { newDisputeId } from './ids.ts';
import { wireMoney } from './money.ts';
import { book } from './movements.ts';
import { captureObject, link, merchantId, present, timeOf } from './objects.ts';
import type { Provider } from './provider.ts';
import { type CaptureRow, captureRow, type DisputeRow, disputeRow } from './rows.ts';

export const disputeStages = ['open', 'won', 'lost', 'warning_closed'] as const;
export type DisputeStage = (typeof disputeStages)[number];

/** The dispute statuses common to all providers, which auditors read. */
type AuditStatus = 'warning_needs_response' | 'needs_response' | 'won' | 'lost';

const next: Record<AuditStatus, readonly DisputeStage[]> = {
  warning_needs_response: ['open', 'won', 'lost', 'warning_closed'],
  needs_response: ['won', 'lost'],
  won: ['lost'],
  lost: ['won'],
};

/** Opens a dispute. An inquiry withdraws no money; a chargeback withdraws it at once. */
export function openDispute(
  provider: Provider,
  input: { capture: CaptureRow; amount: number; reason: string; stage: 'warning' | 'open' },
): DisputeRow {
  const { capture, amount, reason } = input;
  const latest = disputesOf(provider, capture.id).at(-1);
  if (latest !== undefined && latest.status !== 'RESOLVED') {
    throw unprocessable('DISPUTE_EXISTS', `Capture ${capture.id} is under dispute ${latest.id}.`);
  }
  const now = provider.clock.nowSeconds();
  const dispute: DisputeRow = {
    id: newDisputeId(),
    created: now,
    updated: now,
    capture: capture.id,
    amount,
    currency: capture.currency,
    reason,
    status: 'WAITING_FOR_SELLER_RESPONSE',
    life_cycle: input.stage === 'open' ? 'CHARGEBACK' : 'INQUIRY',
    outcome: null,
    payment_id: capture.payment_id,
  };
  provider.db.insert('disputes', dispute);
  if (input.stage === 'open') takeBack(provider, dispute, 'T1201');
  announce(provider, dispute, 'CUSTOMER.DISPUTE.CREATED');
  return getDispute(provider, dispute.id);
}

/** Moves a dispute to its next stage; throws if the transition is not allowed. */
export function moveDispute(
  provider: Provider,
  input: { id: string; stage: DisputeStage },
): DisputeRow {
  const before = getDispute(provider, input.id);
  const was = auditStatusOf(before);
  const { stage } = input;
  if (!next[was].includes(stage)) {
    throw unprocessable('DISPUTE_STAGE', `Dispute ${before.id} is ${was} and cannot be ${stage}.`);
  }
  const after: DisputeRow = {
    ...before,
    updated: provider.clock.nowSeconds(),
    ...(stage === 'open'
      ? { life_cycle: 'CHARGEBACK' }
      : { status: 'RESOLVED', outcome: outcomes[stage] }),
  };
  provider.db.run(
    'update disputes set updated = ?, life_cycle = ?, status = ?, outcome = ? where id = ?',
    after.updated,
    after.life_cycle,
    after.status,
    after.outcome,
    after.id,
  );
  const isAway = was === 'needs_response' || was === 'lost';
  if (stage === 'open') takeBack(provider, after, 'T1201');
  if (stage === 'lost' && !isAway) takeBack(provider, after, 'T1106');
  if (stage === 'won' && isAway) giveBack(provider, after);
  announce(
    provider,
    after,
    stage === 'open' ? 'CUSTOMER.DISPUTE.UPDATED' : 'CUSTOMER.DISPUTE.RESOLVED',
  );
  return getDispute(provider, after.id);
}

export function getDispute(provider: Provider, id: string): DisputeRow {
  const row = provider.db.one(disputeRow, 'select * from disputes where id = ?', id);
  if (row === undefined) throw missing();
  return row;
}

export function disputesOf(provider: Provider, captureId: string): DisputeRow[] {
  return provider.db.all(
    disputeRow,
    'select * from disputes where capture = ? order by rowid limit 100',
    captureId,
  );
}

/** The open or lost chargeback of a capture, which blocks its refunds. */
export function findChargeback(provider: Provider, captureId: string): DisputeRow | undefined {
  return disputesOf(provider, captureId).find((dispute) =>
    ['needs_response', 'lost'].includes(auditStatusOf(dispute)),
  );
}

export function auditStatusOf({ status, life_cycle, outcome }: DisputeRow): AuditStatus {
  if (status !== 'RESOLVED') {
    return life_cycle === 'INQUIRY' ? 'warning_needs_response' : 'needs_response';
  }
  return outcome === 'RESOLVED_BUYER_FAVOUR' ? 'lost' : 'won';
}

/** The summary of a dispute in a list. */
export function disputeSummary(row: DisputeRow): WireObject {
  return {
    dispute_id: row.id,
    create_time: `${timeOf(row.created).slice(0, -1)}.000Z`,
    update_time: `${timeOf(row.updated).slice(0, -1)}.000Z`,
    reason: row.reason,
    status: row.status,
    dispute_state: row.status === 'RESOLVED' ? 'RESOLVED' : 'REQUIRED_ACTION',
    dispute_amount: wireMoney(row.amount, row.currency),
    dispute_life_cycle_stage: row.life_cycle,
    dispute_channel: 'INTERNAL',
    ...present({ outcome: row.outcome }),
    links: [link('self', `/v1/customer/disputes/${row.id}`, 'GET')],
  };
}

/** The full dispute. */
export function disputeObject(provider: Provider, row: DisputeRow): WireObject {
  const capture = captureOf(provider, row);
  const { outcome, ...summary } = disputeSummary(row);
  const refunded = wireMoney(auditStatusOf(row) === 'lost' ? row.amount : 0, row.currency);
  return {
    ...summary,
    disputed_transactions: [
      {
        seller_transaction_id: row.capture,
        create_time: timeOf(capture.created),
        transaction_status: 'COMPLETED',
        gross_amount: wireMoney(capture.amount, capture.currency),
        ...present({ custom: capture.custom_id, invoice_number: capture.invoice_id }),
        buyer: { name: 'Test Payer' },
        seller: { merchant_id: merchantId, name: 'Merchant' },
      },
    ],
    ...(outcome === undefined
      ? {}
      : { dispute_outcome: { outcome_code: outcome, amount_refunded: refunded } }),
  };
}

const outcomes: Record<Exclude<DisputeStage, 'open'>, string> = {
  won: 'RESOLVED_SELLER_FAVOUR',
  lost: 'RESOLVED_BUYER_FAVOUR',
  warning_closed: 'CANCELED_BY_BUYER',
};

/** The dispute fee in the smallest unit; not returned, even if the merchant wins. */
const chargebackFee = 2000;

function takeBack(provider: Provider, row: DisputeRow, code: 'T1201' | 'T1106'): void {
  book(provider, code, { amount: -row.amount, currency: row.currency, reference: row.capture });
  if (code === 'T1201') {
    const { currency, capture: reference } = row;
    book(provider, 'T0106', { amount: -chargebackFee, currency, reference });
  }
  recordEvent(provider, {
    type: 'PAYMENT.CAPTURE.REVERSED',
    resourceType: 'capture',
    summary: 'A payment capture was reversed',
    resource: captureObject(captureOf(provider, row)),
  });
}

function giveBack(provider: Provider, row: DisputeRow): void {
  book(provider, 'T1202', { amount: row.amount, currency: row.currency, reference: row.capture });
}

function announce(provider: Provider, dispute: DisputeRow, type: EventType): void {
  recordEvent(provider, {
    type,
    resourceType: 'dispute',
    summary: `A dispute was ${type.split('.').at(-1)?.toLowerCase()} with case # ${dispute.id}`,
    resource: disputeObject(provider, dispute),
  });
}

function captureOf(provider: Provider, { capture }: DisputeRow): CaptureRow {
  const row = provider.db.one(captureRow, 'select * from charges where id = ?', capture);
  if (row === undefined) throw new Error(`capture ${capture} does not exist`);
  return row;
}
