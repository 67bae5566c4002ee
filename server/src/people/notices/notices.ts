import { securePath } from '@pointgate/contract/notices.ts';
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
  /** Without it no address is known. */
  cipher: PersonCipher | null;
  tokens: NoticeTokens;
  siteOf: (siteId: string) => Promise<{ title: string; portalUrl: string }>;
}

/** So long a notice can be used to undo what it tells of. */
export const noticeDays = 7;
const noticesPerDayMax = 20;

export const sendNoticeJob: JobKind<{ noticeId: string }> = {
  name: 'send_notice',
  payload: z.object({ noticeId: z.uuid() }),
  concurrency: 3,
};

/** Has the account's owner told by mail what was done to the account; nobody where no address is known. */
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

/** Where nobody knows whether the mail arrived it is sent again: the link is the same in both. */
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
    const link = new URL(securePath, portalUrl);
    // Behind the #, where neither a server nor a log nor a Referer gets to see it.
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
    if (result === 'unknown') throw new Error('the mail server did not say that it took a notice');
  }
  return async () => {};
}

/**
 * Takes an account back to before the notice, as far as that can be done: passkeys that were added since are gone,
 * addresses are those of then, all sessions and links have ended, and no password is right until the owner sets one
 * with a code. Works once.
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
    // Again, because an earlier notice of the account may have been used while this one waited.
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
