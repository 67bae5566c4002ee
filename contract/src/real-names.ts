import * as z from 'zod/mini';
import { ForeignId, Slug } from './names.ts';

const text = (lengthMax: number) =>
  z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(lengthMax)));

/** Who a player is by law, as far as it is known; null is not known. */
export const RealNameData = z.strictObject({
  fullName: text(200),
  address: text(500),
  /** With its country, as `+8613800138000`. */
  phone: z.nullable(z.string().check(z.regex(/^\+[1-9]\d{6,14}$/))),
  email: z.nullable(z.email().check(z.maxLength(254))),
  birthday: z.nullable(z.iso.date()),
  identityNumber: text(64),
  approvalDate: z.nullable(z.iso.date()),
  approvalRegion: text(100),
});

/** `CN`, or with its province `CN-HB`: ISO 3166. */
const Region = z.string().check(z.regex(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/));

/**
 * Asked by a game's back end as `game/ticket/issue` is. The data lies in a field of its own: a
 * signature says nothing of the path, and no other signed request may be taken for this one.
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
      /** `not_kept` where the shop was given no keys to keep such data with. */
      reason: z.enum(['game_account_not_found', 'not_kept']),
    }),
    /** With HTTP 401: not signed, not by this game, not just now, or sent before. */
    z.strictObject({ result: z.literal('unauthorized') }),
    /** With HTTP 400: signed, and yet nothing that this call takes. Names fields, never values. */
    z.strictObject({ result: z.literal('malformed'), fields: z.array(z.string()) }),
  ]),
};
export type PutPersonReply = z.output<typeof putPerson.reply>;
