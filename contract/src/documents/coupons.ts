import { z } from 'zod';
import { locales } from '../locales.ts';
import { CurrencyName, DecimalText, Id, Moment } from './parts.ts';

const Ids = z.array(Id).min(1).max(1000).nullable().default(null);

/** A coupon template as an operator writes it. */
export const CouponTemplate = z
  .strictObject({
    templateId: Id,
    name: z.record(z.enum(locales), z.string().min(1).max(80)),
    percent: z
      .string()
      .regex(
        /^\d{1,3}(\.\d{1,2})?$/,
        'is no percentage: write it in quotation marks, such as "2.5"',
      )
      .nullable()
      .default(null)
      .describe('Either percent, such as "15" or "2.5", or amount.'),
    amount: DecimalText.nullable().default(null),
    currency: CurrencyName.nullable().default(null),
    cap: DecimalText.nullable().default(null).describe('The highest discount of a percent.'),
    minimum: DecimalText.nullable().default(null).describe('The lowest price that it is for.'),
    sites: Ids,
    kind: z.enum(['item', 'points']).nullable().default(null),
    games: Ids,
    items: Ids.describe('Ids of items or of packs of E Points, depending on kind.'),
    startsAt: Moment,
    endsAt: Moment.nullable().default(null),
    days: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .default(null)
      .describe('How long a coupon lives after its issue or start. Null for no end.'),
    perAccountMax: z.int().min(1).max(1000),
  })
  .describe('The terms of a coupon. They never change: other terms need another id.');
export type CouponTemplate = z.output<typeof CouponTemplate>;

/** `coupons.yaml`, and what `load-coupons` takes. */
export const CouponList = z.array(CouponTemplate).min(1).max(500);
export type CouponList = z.output<typeof CouponList>;
