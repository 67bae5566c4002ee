import { locales } from '@pointgate/contract/locales.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { z } from 'zod';

export const Moment = z.iso.datetime({ offset: true });
export const Count = z.string().regex(/^[1-9]\d{0,14}$/);
export const Days = z.int().min(1).max(3650);
const Country = z.string().regex(/^[A-Z]{2}$/);
export const Kind = z.enum(['item', 'points']);

/** A condition that is null does not limit the rule. */
export const RuleLine = z
  .strictObject({
    ruleId: Slug,
    siteId: z.string(),
    kind: Kind,
    itemId: z.string().nullable().default(null),
    giftQuantity: Count.nullable().default(null),
    giftPercent: z.int().min(1).max(1000).nullable().default(null),
    firstPurchase: z.enum(['of_item', 'of_any']).nullable().default(null),
    packsMax: z.int().min(1).max(10_000).nullable().default(null),
    startsAt: Moment,
    endsAt: Moment.nullable().default(null),
    newAccountDays: Days.nullable().default(null),
    countries: z.array(Country).min(1).max(250).nullable().default(null),
    languages: z.array(z.enum(locales)).min(1).nullable().default(null),
    hasBought: z.boolean().nullable().default(null),
    accounts: z.array(z.uuid()).min(1).max(100_000).nullable().default(null),
  })
  .refine((rule) => (rule.giftQuantity === null) !== (rule.giftPercent === null), {
    path: ['giftQuantity'],
  });
export type RuleLine = z.output<typeof RuleLine>;
