import type { Locale } from '@pointgate/contract/locales.ts';

/** What was done to an account. */
export type NoticeKind =
  | 'passkey_added'
  | 'passkey_removed'
  | 'password_reset'
  | 'password_changed'
  | 'mail_changed'
  | 'mail_removed'
  | 'phone_changed'
  | 'phone_removed'
  | 'recovery_codes_made'
  | 'recovery_code_used';

/**
 * `refused` means that the recipient is invalid and can never be reached. With `unknown` the
 * message may have been sent, so it is not retried here.
 */
export type SendResult = 'sent' | 'refused' | 'unknown';

export interface CodeMessage {
  to: string;
  code: string;
  minutes: number;
  locale: Locale;
  /** The title of the player's site, in the player's language. */
  siteTitle: string;
}

/** A mail that notifies an account owner of a change to the account. */
export interface NoticeMessage {
  to: string;
  kind: NoticeKind;
  at: Date;
  /** The link with which the owner can revert the change, and its last day. */
  link: string;
  days: number;
  locale: Locale;
  siteTitle: string;
}
