import { z } from 'zod';
import { Systems } from './game.ts';
import { Id, Moment, Texts } from './parts.ts';

const countMax = 999_999_999;
const Count = z.int().max(countMax).describe('A whole number.');

/** How many packs may be bought in a period, as in `1 role week`. */
const Limit = z
  .string()
  .regex(
    /^[1-9]\d{0,8} (account|role) (day|week|month|ever)$/,
    'is no limit: write packs, "account" or "role", and "day", "week", "month" or "ever", such as 1 role week',
  )
  .nullable()
  .default(null)
  .describe('How many packs a player may buy: "1 role week", "2 account ever". Null for no limit.');

const card = {
  id: Id,
  quantity: Count.min(1).describe('How many units a pack has.'),
  gift: Count.min(0).default(0).describe('How many units are given on top.'),
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']).describe('The look of the card.'),
  badge: z.enum(['popular', 'best_value']).nullable().default(null),
  art: Id.describe('The name of its picture.'),
  systems: Systems.default(['ios', 'android']),
  saleFrom: Moment.nullable().default(null).describe('From when on it is sold. Null for at once.'),
  saleUntil: Moment.nullable().default(null).describe('Until when it is sold. Null for no end.'),
  limit: Limit,
  name: Texts,
};

type Sale = { saleFrom: Date | null; saleUntil: Date | null };
const endsLater = ({ saleFrom, saleUntil }: Sale) =>
  saleFrom === null || saleUntil === null || saleFrom < saleUntil;
const endsEarly = {
  path: ['saleUntil'],
  message: 'is not after saleFrom: write a later time, or leave it empty',
};

/** A line of `games/<id>/items.csv`. */
export const ItemLine = z
  .strictObject({
    ...card,
    group: Id.describe('The group that it is listed in, which groups.yaml names.'),
    sku: Id.describe("The game's own name for the goods."),
    unit: Texts.describe('The name of its units, such as Gems.'),
  })
  .refine(endsLater, endsEarly)
  .describe('A pack of a game.');
export type ItemLine = z.output<typeof ItemLine>;

/** A line of `points/packs.csv`. */
export const PackLine = z
  .strictObject({
    ...card,
    giftDays: Count.min(1)
      .nullable()
      .default(null)
      .describe('The days that given points live. Null for ever.'),
  })
  .refine(endsLater, endsEarly)
  .describe('A pack of E Points.');
export type PackLine = z.output<typeof PackLine>;
