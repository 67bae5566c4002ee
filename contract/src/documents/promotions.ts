import { z } from 'zod';
import { locales } from '../locales.ts';
import { Country, CurrencyName, DecimalText, Id, MomentText } from './parts.ts';

const Count = z
  .string()
  .regex(
    /^[1-9]\d{0,14}$/,
    'is no whole number above 0: write it in quotation marks, such as "100"',
  )
  .describe('A whole number above 0, as text: "100".');
const Days = z.int().min(1).max(3650);
const Kind = z.enum(['item', 'points']).describe('For packs of games, or for packs of E Points.');

/** A gift rule. A condition that is null does not limit it. */
export const GiftRule = z
  .strictObject({
    ruleId: Id,
    siteId: z.string(),
    kind: Kind,
    itemId: z.string().nullable().default(null),
    giftQuantity: Count.nullable().default(null),
    giftPercent: z.int().min(1).max(1000).nullable().default(null),
    firstPurchase: z.enum(['of_item', 'of_any']).nullable().default(null),
    packsMax: z.int().min(1).max(10_000).nullable().default(null),
    startsAt: MomentText,
    endsAt: MomentText.nullable().default(null),
    newAccountDays: Days.nullable().default(null),
    countries: z.array(Country).min(1).max(250).nullable().default(null),
    languages: z.array(z.enum(locales)).min(1).nullable().default(null),
    hasBought: z.boolean().nullable().default(null),
    accounts: z.array(z.uuid()).min(1).max(100_000).nullable().default(null),
  })
  .refine((rule) => (rule.giftQuantity === null) !== (rule.giftPercent === null), {
    path: ['giftQuantity'],
    message: 'write either giftQuantity or giftPercent',
  })
  .describe('A gift on top of packs.');
export type GiftRule = z.output<typeof GiftRule>;

/** A rebate campaign. Its name is given in every language of the shop. */
export const Campaign = z
  .strictObject({
    campaignId: Id,
    siteId: z.string(),
    kind: Kind,
    gameId: z.string().nullable().default(null).describe('Null for all games of the site.'),
    name: z.record(z.enum(locales), z.string().trim().min(1).max(80)),
    currency: CurrencyName,
    startsAt: MomentText,
    endsAt: MomentText,
    presentDays: Days.nullable()
      .default(null)
      .describe('The days that the points live. Null for ever.'),
    tiers: z
      .array(z.strictObject({ tier: z.int().min(1).max(100), from: DecimalText, points: Count }))
      .min(1)
      .max(100)
      .describe(
        'Numbers of tiers are for ever: a player who has earned a number never earns it again.',
      ),
  })
  .describe('A rebate: points for money paid during a campaign.');
export type Campaign = z.output<typeof Campaign>;

/** `sites/<id>/promotions.yaml`, and what `load-promotions` takes. */
export const PromotionList = z
  .strictObject({
    giftRules: z.array(GiftRule).max(200).default([]),
    campaigns: z.array(Campaign).max(200).default([]),
  })
  .describe('Gift rules and rebate campaigns.');
export type PromotionList = z.output<typeof PromotionList>;
