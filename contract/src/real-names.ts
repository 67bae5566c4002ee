import * as z from 'zod/mini';
import { ForeignId, Slug } from './names.ts';

const text = (lengthMax: number) =>
  z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(lengthMax)));

/** The legal identity of a player as far as it is known; null is unknown. */
export const RealNameData = z.strictObject({
  fullName: text(200),
  address: text(500),
  /** With country code, as `+8613800138000`. */
  phone: z.nullable(z.string().check(z.regex(/^\+[1-9]\d{6,14}$/))),
  email: z.nullable(z.email().check(z.maxLength(254))),
  birthday: z.nullable(z.iso.date()),
  identityNumber: text(64),
  approvalDate: z.nullable(z.iso.date()),
  approvalRegion: text(100),
});

/** ISO 3166: a country such as `CN`, or with its province `CN-HB`. */
const Region = z.string().check(z.regex(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/));

/**
 * Called by a game's back end in the same way as `game/ticket/issue`. The data is in a field of its
 * own, because a signature does not cover the path and no other signed request may be accepted
 * here.
 */
export const putPerson = {
  path: '/api/game/person/put',
  summary:
    "Tells who a player of this game is by law, in place of all that was known before. Where approvalRegion is mainland China's, identityNumber is checked by its last sign and birthday has to be the one it holds",
  request: z.strictObject({
    gameId: Slug,
    gameAccountId: ForeignId,
    person: z.extend(RealNameData, { approvalRegion: z.nullable(Region) }),
  }),
  reply: z.discriminatedUnion('result', [
    z.strictObject({ result: z.literal('ok') }),
    z.strictObject({
      result: z.literal('refused'),
      /** `not_kept` if the shop has no keys for real-name data. */
      reason: z.enum(['game_account_not_found', 'not_kept']),
    }),
    /** HTTP 401: not signed, signed by another game, expired, or a replay. */
    z.strictObject({ result: z.literal('unauthorized') }),
    /** HTTP 400: signed, but malformed. Names the fields, never their values. */
    z.strictObject({ result: z.literal('malformed'), fields: z.array(z.string()) }),
  ]),
};
export type PutPersonReply = z.output<typeof putPerson.reply>;
