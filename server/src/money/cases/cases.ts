import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { log } from '../../platform/log.ts';
import {
  type CaseRow,
  insertCase,
  reopenCase,
  selectCase,
  selectIsOpen,
  selectOpenCases,
  updateOver,
  updateResolved,
  updateStateOver,
} from './cases.queries.ts';

/** What can need a person. */
export type CaseKind =
  /** Money came that does not fit its order. */
  | 'misfit_money'
  /** A signed message about a payment that is not ours. */
  | 'unknown_payment'
  /** A message about an order whose month is archived; it is taken up when the month is restored. */
  | 'archived_order'
  | 'delivery_stuck'
  | 'refund_failed'
  /** A refund that was done came back from the payer's bank: it has to be made anew. */
  | 'refund_returned'
  /** The payer's bank wants evidence. */
  | 'dispute'
  /** A bank took money that had gone back already: more of a payment is gone than came. */
  | 'lost_twice'
  /** A dispute was won after all had been taken back. */
  | 'reinstated'
  | 'revoke_failed'
  /** A job failed each time for hours; the schedule may take it up again. */
  | 'job_given_up'
  /** The provider's books and ours disagree. */
  | 'settlement'
  /** An audit found tables that are not in order. */
  | 'audit'
  /** A row that operators write is of no use as it is, and set aside until it is mended. */
  | 'unusable_row'
  /** A provider does not take the key of a contract: nobody can pay through it. */
  | 'provider_key';

export type Case = CaseRow;

/** Puts something in front of an operator. Hearing of the same thing again opens no second case. */
export async function openCase(
  tx: Tx,
  opened: {
    kind: CaseKind;
    /** What it is about; with the kind it names the case. */
    subject: string;
    order: { accountId: string; paymentId: string } | null;
    details: object;
  },
): Promise<void> {
  const { kind, subject, order, details } = opened;
  const isNew = await insertCase(tx, {
    id: newId(),
    kind,
    subject,
    accountId: order?.accountId ?? null,
    paymentId: order?.paymentId ?? null,
    details,
  });
  if (!isNew) return;
  tx.afterCommit(() => log.error({ case: kind, subject, ...order }, 'an operator has to look'));
}

/**
 * Brings the cases of a kind to what is the matter now: opens what has none, and closes what is over.
 * What an operator has resolved stays resolved; what was closed here is opened again.
 */
export async function keepCases(
  tx: Tx,
  kind: CaseKind,
  matters: readonly { subject: string; details: object }[],
): Promise<void> {
  for (const { subject, details } of matters) {
    await openCase(tx, { kind, subject, order: null, details });
    if (await reopenCase(tx, { kind, subject, closedBy })) {
      tx.afterCommit(() => log.error({ case: kind, subject }, 'an operator has to look again'));
    }
  }
  const subjects = matters.map(({ subject }) => subject);
  await updateOver(tx, { kind, subjects, by: closedBy, resolution: 'it is over' });
}

/**
 * Puts a state in front of an operator that comes and goes, once as long as it lasts. One that was
 * resolved more than an hour ago is here again, or still.
 */
export async function openCaseOfState(
  tx: Tx,
  state: { kind: CaseKind; subject: string; details: object },
): Promise<void> {
  const { kind, subject } = state;
  await openCase(tx, { ...state, order: null });
  if (await reopenCase(tx, { kind, subject, closedBy, againMinutes: 60 })) {
    tx.afterCommit(() => log.error({ case: kind, subject }, 'an operator has to look again'));
  }
}

export async function isCaseOpen(
  db: Db,
  { kind, subject }: { kind: CaseKind; subject: string },
): Promise<boolean> {
  return await selectIsOpen(db, { kind, subject });
}

/** The state is over, and so is its case. */
export async function closeCaseOfState(
  tx: Tx,
  { kind, subject }: { kind: CaseKind; subject: string },
): Promise<void> {
  await updateStateOver(tx, { kind, subject, by: closedBy, resolution: 'it is over' });
}

const closedBy = 'shop';

export async function openCases(db: Db): Promise<Case[]> {
  return await selectOpenCases(db, { rowsMax: 500 });
}

export async function findCase(db: Db, id: string): Promise<Case | undefined> {
  return await selectCase(db, id);
}

/** The first resolution stands; answers whether this was it. */
export async function resolveCase(
  tx: Tx,
  resolved: { id: string; by: string; resolution: string },
): Promise<boolean> {
  return await updateResolved(tx, resolved);
}
