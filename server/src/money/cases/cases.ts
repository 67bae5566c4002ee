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

/** The kinds of problems that need an operator. */
export type CaseKind =
  /** A capture does not match its order. */
  | 'misfit_money'
  /** A signed webhook is about an unknown payment. */
  | 'unknown_payment'
  /** A webhook is about an archived order; it is processed once the month is restored. */
  | 'archived_order'
  | 'delivery_stuck'
  | 'refund_failed'
  /** The payer's bank returned a completed refund, which has to be made again. */
  | 'refund_returned'
  /** The payer's bank wants evidence. */
  | 'dispute'
  /** A dispute was lost after the refund, so more money has left than was paid. */
  | 'lost_twice'
  /** A lost dispute was won after the goods had been revoked. */
  | 'reinstated'
  | 'revoke_failed'
  /** A job failed for hours and was abandoned; the schedule may queue it again. */
  | 'job_given_up'
  /** A settlement file and the ledger disagree. */
  | 'settlement'
  /** An audit found violated invariants. */
  | 'audit'
  /** A row written by operators is invalid and ignored until it is corrected. */
  | 'unusable_row'
  /** A game brings unusually many new players: a launch, or a stolen secret. */
  | 'many_new_players'
  /** A provider rejects the key of a contract, so no payment through it works. */
  | 'provider_key';

export type Case = CaseRow;

/** Opens a case for operators. A case with the same kind and subject is not opened again. */
export async function openCase(
  tx: Tx,
  opened: {
    kind: CaseKind;
    /** The subject, which identifies the case together with its kind. */
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
  tx.afterCommit(() =>
    log.error({ case: kind, subject, ...order }, 'a case was opened for operators'),
  );
}

/**
 * Brings the cases of a kind in line with the current problems: opens missing cases and closes
 * those whose problem is over. Cases resolved by an operator stay resolved; cases closed here are
 * reopened.
 */
export async function keepCases(
  tx: Tx,
  kind: CaseKind,
  matters: readonly { subject: string; details: object }[],
): Promise<void> {
  for (const { subject, details } of matters) {
    await openCase(tx, { kind, subject, order: null, details });
    if (await reopenCase(tx, { kind, subject, closedBy })) {
      tx.afterCommit(() => log.error({ case: kind, subject }, 'a case was reopened for operators'));
    }
  }
  const subjects = matters.map(({ subject }) => subject);
  await updateOver(tx, { kind, subjects, by: closedBy, resolution: 'it is over' });
}

/**
 * Opens a case for a state that may come and go, once for as long as it lasts. A case resolved more
 * than an hour ago is reopened, because the state has returned or never ended.
 */
export async function openCaseOfState(
  tx: Tx,
  state: { kind: CaseKind; subject: string; details: object },
): Promise<void> {
  const { kind, subject } = state;
  await openCase(tx, { ...state, order: null });
  if (await reopenCase(tx, { kind, subject, closedBy, againMinutes: 60 })) {
    tx.afterCommit(() => log.error({ case: kind, subject }, 'a case was reopened for operators'));
  }
}

export async function isCaseOpen(
  db: Db,
  { kind, subject }: { kind: CaseKind; subject: string },
): Promise<boolean> {
  return await selectIsOpen(db, { kind, subject });
}

/** Closes the case of a state that is over. */
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

/** Resolves a case. False if it was resolved before; the first resolution is kept. */
export async function resolveCase(
  tx: Tx,
  resolved: { id: string; by: string; resolution: string },
): Promise<boolean> {
  return await updateResolved(tx, resolved);
}
