import { linkToPage, pages } from '@pointgate/contract/pages.ts';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import {
  type JobKind,
  type Jobs,
  type JobWork,
  jobWork,
  type Settle,
} from '../../platform/jobs.ts';
import { log } from '../../platform/log.ts';
import type { PersonCipher } from '../../platform/person-cipher.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { lockAccount, lockOut } from '../accounts/accounts.ts';
import { forgetLeftAddresses, mailAddressesOf, openAddress } from '../accounts/addresses.ts';
import type { Messages } from '../messages/messages.ts';
import { removePasskeysSince } from '../passkeys/passkeys.ts';
import type { NoticeTokens } from './notice-token.ts';
import {
  deleteOldNotices,
  insertNotice,
  type NoticeEvent,
  selectLive,
  selectUnsent,
  useUpSince,
} from './notices.queries.ts';

export interface NoticesContext {
  db: Db;
  jobs: Jobs;
  messages: Messages;
  /** Null if the shop has no keys; then no address is stored. */
  cipher: PersonCipher | null;
  tokens: NoticeTokens;
  siteOf: (siteId: string) => Promise<{ title: string; portalUrl: string }>;
}

/** How long the link in a notice can revert the change. */
export const noticeDays = 7;
const noticesPerDayMax = 20;

export const sendNoticeJob: JobKind<{ noticeId: string }> = {
  name: 'send_notice',
  payload: z.object({ noticeId: z.uuid() }),
  concurrency: 3,
};

/** Enqueues a mail that notifies the account owner of a change, if a mail address is stored. */
export async function tellOwner(
  tx: Tx,
  { jobs, messages, cipher }: Pick<NoticesContext, 'jobs' | 'messages' | 'cipher'>,
  { accountId, siteId, event }: { accountId: string; siteId: string; event: NoticeEvent },
): Promise<void> {
  if (cipher === null || !messages.canMail) return;
  const limits = { days: noticeDays, perDayMax: noticesPerDayMax };
  for (const addressId of await mailAddressesOf(tx, accountId)) {
    const id = newId();
    const isNew = await insertNotice(tx, { id, accountId, siteId, addressId, event, ...limits });
    if (isNew) await jobs.enqueue(tx, sendNoticeJob, { noticeId: id }, { id });
  }
}

export function noticeWorks(context: NoticesContext): JobWork[] {
  return [jobWork(sendNoticeJob, ({ noticeId }) => sendNotice(context, noticeId))];
}

/** Sends again after an unknown outcome: both mails have the same link. */
async function sendNotice(
  { db, messages, cipher, tokens, siteOf }: NoticesContext,
  noticeId: string,
): Promise<Settle> {
  const notice = await selectUnsent(db, noticeId);
  const owner =
    notice === undefined || cipher === null
      ? undefined
      : await openAddress(db, cipher, notice.address_id);
  if (notice !== undefined && owner !== undefined) {
    const { title, portalUrl } = await siteOf(notice.site_id);
    const link = linkToPage(portalUrl, pages.common.secureAccount.path, {});
    // In the fragment, which neither servers nor logs nor the Referer header see.
    link.hash = tokens.tokenFor(noticeId);
    const result = await messages.mailNotice({
      to: owner.address.reveal(),
      kind: notice.event,
      at: notice.created_at,
      link: link.href,
      days: noticeDays,
      locale: owner.locale,
      siteTitle: title,
    });
    if (result === 'unknown') throw new Error('the mail server did not confirm a notice');
  }
  return async () => {};
}

/**
 * Reverts an account to its state before the notice, as far as possible: removes passkeys added
 * since, restores the addresses, ends all sessions and tickets, and disables the password until the
 * owner sets a new one with a code. Works once.
 */
export async function secureAccount(
  { db, tokens }: Pick<NoticesContext, 'db' | 'tokens'>,
  token: string,
): Promise<{ removed: number }> {
  const noticeId = tokens.noticeOf(token);
  if (noticeId === undefined) throw new AppError('NoticeExpired');
  const { accountId, removed } = await db.transaction(async (tx) => {
    const known = await selectLive(tx, noticeId);
    if (known === undefined) throw new AppError('NoticeExpired');
    const { account_id, created_at: since } = known;
    await lockAccount(tx, account_id);
    // Checked again, because an earlier notice may have been used while waiting for the lock.
    if ((await selectLive(tx, noticeId)) === undefined) throw new AppError('NoticeExpired');
    await useUpSince(tx, noticeId);
    const gone = await removePasskeysSince(tx, { accountId: account_id, since });
    await lockOut(tx, { accountId: account_id, since });
    return { accountId: account_id, removed: gone };
  });
  log.warn({ accountId, removed }, 'an owner secured an account');
  return { removed };
}

export async function forgetOldNotices(db: Db): Promise<void> {
  await deleteInBatches(db, deleteOldNotices);
  await forgetLeftAddresses(db, { days: noticeDays });
}
