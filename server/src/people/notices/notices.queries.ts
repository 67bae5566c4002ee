import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';

const Event = z.enum([
  'passkey_added',
  'passkey_removed',
  'password_reset',
  'password_changed',
  'mail_changed',
  'mail_removed',
  'phone_changed',
  'phone_removed',
  'recovery_codes_made',
  'recovery_code_used',
]);
export type NoticeEvent = z.output<typeof Event>;

/**
 * One notice for each mail address of the account. The number a day is limited, so that nobody can
 * flood the mailbox; the link of an earlier notice also reverts later changes.
 */
export async function insertNotice(
  tx: Tx,
  notice: {
    id: string;
    accountId: string;
    siteId: string;
    addressId: string;
    event: NoticeEvent;
    days: number;
    perDayMax: number;
  },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into account_notices (id, account_id, site_id, address_id, event, expires_at)
    select ${notice.id}::uuid, ${notice.accountId}::uuid, ${notice.siteId}::text,
           ${notice.addressId}::uuid, ${notice.event}::text,
           now() + make_interval(days => ${notice.days})
    where (
      select count(*) from account_notices
      where account_id = ${notice.accountId} and created_at > now() - interval '1 day'
    ) < ${notice.perDayMax}::int`);
  return inserted === 1;
}

/** A used or expired notice is not sent any more. */
export function selectUnsent(db: Db, noticeId: string) {
  return db.maybeOne(
    z.object({
      site_id: z.string(),
      address_id: z.uuid(),
      event: Event,
      created_at: z.date(),
    }),
    sql`
      select site_id, address_id, event, created_at from account_notices
      where id = ${noticeId} and used_at is null and expires_at > now()`,
  );
}

const LiveNotice = z.object({ account_id: z.uuid(), created_at: z.date() });

export function selectLive(tx: Tx, noticeId: string) {
  return tx.maybeOne(
    LiveNotice,
    sql`
      select account_id, created_at from account_notices
      where id = ${noticeId} and used_at is null and expires_at > now()`,
  );
}

/**
 * Uses up a notice and all later notices, so that an attacker who got in since cannot use the link
 * of a later one.
 */
export async function useUpSince(tx: Tx, noticeId: string): Promise<void> {
  await tx.run(sql`
    update account_notices later set used_at = now()
    from account_notices used
    where used.id = ${noticeId} and later.account_id = used.account_id
      and later.created_at >= used.created_at and later.used_at is null`);
}

export const deleteOldNotices: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from account_notices where id in
      (select id from account_notices where expires_at < now() limit ${rowsMax})`);
