// How a player comes from a game to the shop without a form: with a ticket, which the shop made, or
// with a token, which the game's SDK signed. The browser sends either one with `user/info`, once.

import * as z from 'zod/mini';

export const arrivalHeader = 'x-token';
export const arrivalSourceHeader = 'x-from';
/** Says with `yes` that the player wants to be signed in as somebody else than now. */
export const arrivalSwitchHeader = 'x-switch-account';

/** Whose link it is that a player opened who is signed in as somebody else. Nothing has changed yet. */
export const OtherAccount = z.strictObject({ displayName: z.string() });

/** What `from` may say. It is the address's word and nobody's proof, so any other is `unknown`. */
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

/** Whom a token is meant for: its `aud`. */
export const tokenAudience = 'portal';
export const tokenSecondsMax = 300;
