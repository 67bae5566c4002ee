// A player comes from a game to the shop without a sign-in form: with a ticket made by the shop, or
// with a token signed by the game's SDK. The browser sends it with `user/info`, once.

import * as z from 'zod/mini';

export const arrivalHeader = 'x-token';
export const arrivalSourceHeader = 'x-from';
/** With `yes`, the player wants to switch to the account of the link. */
export const arrivalSwitchHeader = 'x-switch-account';

/**
 * The account of a link that was opened by a player who is signed in to another account. Nothing
 * has changed yet.
 */
export const OtherAccount = z.strictObject({ displayName: z.string() });

/** Known values of `from`. The address is unverified, so any other value is `unknown`. */
export const arrivalSources = [
  'unknown',
  'game',
  'launcher',
  'sdk',
  'webview',
  'wechat',
  'web',
  'mail',
  'sms',
  'push',
  'ad',
  'qr',
] as const;
export type ArrivalSource = (typeof arrivalSources)[number];

/** The expected `aud` of a token. */
export const tokenAudience = 'portal';
export const tokenSecondsMax = 300;
