// How a player comes from a game to the shop without a form: with a ticket, which the shop made, or
// with a token, which the game's SDK signed. The browser sends either one with `user/info`, once.

export const arrivalHeader = 'x-token';
export const arrivalSourceHeader = 'x-from';

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
