import * as z from 'zod/mini';

// Field schemas that several calls share.

export const slugPattern = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** An id that the operator chose, such as `solmere` or `s12`. */
export const Slug = z.string().check(z.regex(slugPattern));

/** An id that a game chose: any printable text without spaces. */
export const ForeignId = z.string().check(z.regex(/^[\x21-\x7e]{1,64}$/));

/** A player's name in a game: without control characters and text direction marks. */
export const PlayerName = z
  .string()
  .check(z.trim(), z.regex(/^(?:[\u200c\u200d]|[^\p{C}\p{Zl}\p{Zp}]){1,64}$/u));

/** Identifies the price and goods of an offer; another price or gift has another id. */
export const QuoteId = z.string().check(z.regex(/^[\w-]{16,64}$/));

/** The player's phone system; it selects servers and the iOS policy. */
export const System = z.enum(['ios', 'android']);
export type System = z.output<typeof System>;
