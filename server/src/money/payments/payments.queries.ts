import { Locale } from '@pointgate/contract/locales.ts';
import { PriceUnit } from '@pointgate/contract/money.ts';
import { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';

const Payer = z.object({
  scene: z.enum(['desktop', 'mobile', 'wechat']),
  clientIp: z.string(),
  openId: z.string().nullable(),
});

const AttemptRow = z.object({
  account_id: z.uuid(),
  payment_id: z.uuid(),
  attempt_id: z.uuid(),
  psp: z.string(),
  state: z.enum(['opening', 'open', 'captured', 'declined', 'closed']),
  currency: z.enum(PriceUnit.def.entries),
  amount_minor: z.bigint(),
  psp_ref: z.string().nullable(),
  capture_id: z.string().nullable(),
  action: z.nullable(PaymentAction),
  /** The end of the action's validity; null means that it does not expire. */
  action_ends_at: z.date().nullable(),
  /** Null for payments from the balance and for attempts older than this column. */
  payer: Payer.nullable(),
  expires_at: z.date(),
  locale: z.enum(Locale.def.entries),
  checks: z.int(),
});
export type AttemptRow = z.output<typeof AttemptRow>;

export interface AttemptKey {
  accountId: string;
  paymentId: string;
  attemptId: string;
}

const isAttempt = ({ accountId, paymentId, attemptId }: AttemptKey) =>
  sql`account_id = ${accountId} and payment_id = ${paymentId} and attempt_id = ${attemptId}`;

export function selectAttempt(db: Db | Tx, key: AttemptKey): Promise<AttemptRow | undefined> {
  return db.maybeOne(AttemptRow, sql`select * from payment_attempts where ${isAttempt(key)}`);
}

/** Finds an attempt without its account, because some webhooks name only the capture. */
export function selectAttemptByCapture(
  db: Db | Tx,
  { psp, captureId }: { psp: string; captureId: string },
): Promise<AttemptRow | undefined> {
  return db.maybeOne(
    AttemptRow,
    sql`select * from payment_attempts where psp = ${psp} and capture_id = ${captureId}`,
  );
}

export function selectOpenAttempt(
  db: Db | Tx,
  key: { accountId: string; paymentId: string },
): Promise<AttemptRow | undefined> {
  return db.maybeOne(
    AttemptRow,
    sql`
      select * from payment_attempts
      where account_id = ${key.accountId} and payment_id = ${key.paymentId}
        and state in ('opening', 'open')`,
  );
}

export function selectCaptured(
  db: Db,
  key: { accountId: string; paymentId: string },
): Promise<AttemptRow[]> {
  return db.many(
    AttemptRow,
    sql`
      select * from payment_attempts
      where account_id = ${key.accountId} and payment_id = ${key.paymentId}
        and state = 'captured' and capture_id is not null and psp <> 'epoint'
      order by attempt_id`,
  );
}

/** The contract of an order's payment attempts; undefined before the first attempt. */
export async function selectMerchantAccount(
  db: Db | Tx,
  key: { accountId: string; paymentId: string },
): Promise<string | undefined> {
  const row = await db.maybeOne(
    z.object({ psp: z.string() }),
    sql`
      select psp from payment_attempts
      where account_id = ${key.accountId} and payment_id = ${key.paymentId}
      order by attempt_id limit 1`,
  );
  return row?.psp;
}

/** The newest attempt that the provider has not answered and that can still be paid. */
export function selectUnansweredAttempt(
  db: Db,
  { psp, fromId }: { psp: string; fromId: string },
): Promise<AttemptRow | undefined> {
  return db.maybeOne(
    AttemptRow,
    sql`
      select * from payment_attempts
      where psp = ${psp} and state = 'opening' and expires_at > now() and payment_id >= ${fromId}
      order by attempt_id desc limit 1`,
  );
}

export function insertAttempt(
  tx: Tx,
  attempt: AttemptKey & {
    psp: string;
    currency: string;
    amountMinor: bigint;
    expiresAt: Date;
    locale: Locale;
    payer: z.output<typeof Payer>;
    firstCheckSeconds: number;
  },
): Promise<AttemptRow> {
  return tx.one(
    AttemptRow,
    sql`
      insert into payment_attempts
        (account_id, payment_id, attempt_id, psp, state, currency, amount_minor, expires_at,
         locale, payer, next_check_at)
      values (${attempt.accountId}, ${attempt.paymentId}, ${attempt.attemptId}, ${attempt.psp},
              'opening', ${attempt.currency}, ${attempt.amountMinor}, ${attempt.expiresAt},
              ${attempt.locale}, ${JSON.stringify(attempt.payer)}, now() + make_interval(secs => ${attempt.firstCheckSeconds}))
      returning *`,
  );
}

/** Inserts a paid attempt, for payments from the balance that finish in one transaction. */
export async function insertPaidAttempt(
  tx: Tx,
  attempt: AttemptKey & { psp: string; currency: string; amountMinor: bigint; locale: Locale },
): Promise<void> {
  await tx.run(sql`
    insert into payment_attempts
      (account_id, payment_id, attempt_id, psp, state, currency, amount_minor, psp_ref, capture_id,
       expires_at, locale, next_check_at)
    values (${attempt.accountId}, ${attempt.paymentId}, ${attempt.attemptId}, ${attempt.psp},
            'captured', ${attempt.currency}, ${attempt.amountMinor}, ${attempt.attemptId},
            ${attempt.attemptId}, now(), ${attempt.locale}, now())`);
}

/**
 * Stores that the provider has opened the payment or renewed its action. Does not change an attempt
 * that has ended.
 */
export async function updateOpened(
  tx: Tx,
  key: AttemptKey,
  opened: { pspRef: string; action: PaymentAction; actionEndsAt?: Date | undefined },
): Promise<void> {
  await tx.run(sql`
    update payment_attempts
    set state = 'open', psp_ref = ${opened.pspRef}, action = ${JSON.stringify(opened.action)},
        action_ends_at = ${opened.actionEndsAt ?? null}
    where ${isAttempt(key)} and (state = 'opening' or (state = 'open' and action_ends_at <= now()))`);
}

/** False if a concurrent request has opened the attempt meanwhile. */
export async function updateDeclined(tx: Tx, key: AttemptKey): Promise<boolean> {
  const updated = await tx.run(sql`
    update payment_attempts set state = 'declined' where ${isAttempt(key)} and state = 'opening'`);
  return updated === 1;
}

/** A capture is final: it overrides closed and declined, and nothing overrides it. */
export async function updateEnded(
  tx: Tx,
  key: AttemptKey,
  ended: { state: 'captured' | 'closed'; pspRef: string | null; captureId: string | null },
): Promise<void> {
  await tx.run(sql`
    update payment_attempts
    set state = ${ended.state}, psp_ref = coalesce(psp_ref, ${ended.pspRef}),
        capture_id = coalesce(capture_id, ${ended.captureId})
    where ${isAttempt(key)}
      and (state in ('opening', 'open') or (${ended.state} = 'captured' and state <> 'captured'))`);
}

/** Takes attempts whose next check is due and schedules the check after that. */
export function takeDueAttempts(
  tx: Tx,
  {
    scheduleSeconds,
    rowsMax,
    fromId,
  }: { scheduleSeconds: readonly number[]; rowsMax: number; fromId: string },
): Promise<{ account_id: string; payment_id: string; attempt_id: string; psp: string }[]> {
  return tx.many(
    z.object({
      account_id: z.uuid(),
      payment_id: z.uuid(),
      attempt_id: z.uuid(),
      psp: z.string(),
    }),
    sql`
      with due as (
        select account_id, payment_id, attempt_id from payment_attempts
        where state in ('opening', 'open') and next_check_at <= now() and payment_id >= ${fromId}
        order by next_check_at limit ${rowsMax} for update skip locked
      )
      update payment_attempts as attempts
      set checks = checks + 1,
          next_check_at = now() + make_interval(secs =>
            (${scheduleSeconds}::float8[])[least(checks + 2, ${scheduleSeconds.length})])
      from due
      where attempts.payment_id >= ${fromId} and attempts.account_id = due.account_id and attempts.payment_id = due.payment_id
        and attempts.attempt_id = due.attempt_id
      returning attempts.account_id, attempts.payment_id, attempts.attempt_id, attempts.psp`,
  );
}

/** False if the event is a duplicate. */
export async function insertInbox(
  tx: Tx,
  event: {
    psp: string;
    eventId: string;
    rawBody: Buffer;
    signature: string;
    subject: object | null;
  },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into provider_inbox (psp, event_id, raw_body, signature, subject)
    values (${event.psp}, ${event.eventId}, ${event.rawBody}, ${event.signature},
            ${event.subject === null ? null : JSON.stringify(event.subject)})
    on conflict do nothing`);
  return inserted === 1;
}

export async function updateProcessed(
  tx: Tx,
  key: { psp: string; eventId: string; outcome: string },
): Promise<void> {
  await tx.run(sql`
    update provider_inbox set processed_at = now(), outcome = ${key.outcome}
    where psp = ${key.psp} and event_id = ${key.eventId} and processed_at is null`);
}

/**
 * Takes unprocessed events whose jobs have to be requeued: after two hours, which is longer than
 * the job engine retries by itself, and then at growing intervals up to a day. Events stored before
 * the subject column existed cannot be requeued.
 */
export function takeForgottenEvents(
  tx: Tx,
  { rowsMax }: { rowsMax: number },
): Promise<{ psp: string; event_id: string; subject: unknown }[]> {
  return tx.many(
    z.object({ psp: z.string(), event_id: z.string(), subject: z.unknown() }),
    sql`
      with due as (
        select psp, event_id from provider_inbox
        where processed_at is null and subject is not null and next_round_at < now()
        order by next_round_at limit ${rowsMax} for update skip locked
      )
      update provider_inbox as inbox
      set rounds = rounds + 1,
          next_round_at = now() + make_interval(hours => least(24, 2 << least(rounds + 1, 4)))
      from due
      where inbox.psp = due.psp and inbox.event_id = due.event_id
      returning inbox.psp, inbox.event_id, inbox.subject`,
  );
}

/** Raw bodies are kept for as long as they may be needed to answer questions. */
export const deleteOldEvents =
  ({ keepDays }: { keepDays: number }): DeleteSome =>
  (tx, rowsMax) =>
    tx.run(sql`
      delete from provider_inbox where (psp, event_id) in (
        select psp, event_id from provider_inbox
        where processed_at is not null and received_at < now() - make_interval(days => ${keepDays})
        order by received_at limit ${rowsMax})`);
