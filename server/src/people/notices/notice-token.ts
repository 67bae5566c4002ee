import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../../platform/ids.ts';

/**
 * The token in the link of a notice: its id and an HMAC. It is deterministic, so repeated mails
 * have the same link, and it is not stored.
 */
export interface NoticeTokens {
  tokenFor(noticeId: string): string;
  /** Undefined for a forged token. */
  noticeOf(token: string): string | undefined;
}

export function openNoticeTokens(secret: string): NoticeTokens {
  const proofOf = (noticeId: string) =>
    createHmac('sha256', secret).update(`account notice|${noticeId}`).digest();
  return {
    tokenFor: (noticeId) =>
      [Buffer.from(noticeId.replaceAll('-', ''), 'hex'), proofOf(noticeId)]
        .map((part) => part.toString('base64url'))
        .join('.'),
    noticeOf: (token) => {
      const [, id, proof] = /^([\w-]{22})\.([\w-]{43})$/.exec(token) ?? [];
      if (id === undefined || proof === undefined) return undefined;
      const hex = Buffer.from(id, 'base64url').toString('hex');
      const noticeId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      const isOurs = timingSafeEqual(Buffer.from(proof, 'base64url'), proofOf(noticeId));
      return isOurs && isId(noticeId) ? noticeId : undefined;
    },
  };
}
