import { z } from 'zod';
import { fallbackLocale, locales } from '../locales.ts';
import { Currency, pointsUnit } from '../money.ts';
import { slugPattern } from '../names.ts';
import type { SiteTheme } from '../site-config.ts';
import { isStorableText } from '../storable-text.ts';

// Parts of documents. Each message follows the value that it is about: `"4,99" is no amount: write 4.99`.

export const Id = z
  .string()
  .regex(slugPattern, 'is no id: write small letters, digits, "_", "." or "-", such as gems_300')
  .describe('An id that the publisher chooses, such as gems_300. It never changes.');

/** A text by language. The languages that are missing show the one in English. */
export function textsOf<Text extends z.ZodType>(text: Text) {
  return z
    .partialRecord(z.enum(locales), text)
    .refine(
      (texts) => texts[fallbackLocale] !== undefined,
      `has no ${fallbackLocale}: players read it where their own language is missing`,
    )
    .refine(isStorableText, 'holds characters that cannot be stored: remove them');
}

export const Texts = textsOf(
  z.string().trim().min(1, 'is empty: write a text, or leave this language out'),
).describe('A text by language. Players whose language is missing read en-US.');
export type Texts = z.output<typeof Texts>;

const momentForm = 'is no time: write one with its offset, such as 2026-12-01T10:00:00+01:00';

export const MomentText = z.iso
  .datetime({ offset: true, error: momentForm, abort: true })
  .describe('A time with its offset from UTC, such as 2026-12-01T10:00:00+01:00.');

export const Moment = MomentText.transform((text) => new Date(text));

export const CurrencyName = z.enum(Currency.def.entries);

/** The unit of a price: a currency, or points. */
export const PriceUnitName = z.enum([...Object.values(Currency.def.entries), pointsUnit]);

export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'is no country: write two capital letters, such as DE')
  .describe('A country by its two letters of ISO 3166, such as DE.');

export const WebAddress = z
  .url({
    protocol: /^https?$/,
    error: 'is no web address: write it in full, such as https://shop.example',
  })
  .describe('A web address in full, such as https://shop.example.');

/** An amount as it is read aloud; which one is right depends on the currency. */
export const DecimalText = z
  .string()
  .describe('An amount as it is read aloud, as text: "4.99" USD, "600" JPY.');

const Color = z
  .string()
  .regex(/^#[\da-f]{6}$/, 'is no colour: write # and six small digits, such as #ffb85c')
  .describe('A colour as # and six digits, such as #ffb85c.');

const Art = z
  .nullable(Id)
  .default(null)
  .describe('The name of a picture. Null for the one of the portal.');

/** Strict, because a misspelt colour would have no effect. */
export const Theme = z
  .strictObject({
    accent: Color.nullable().default(null),
    accentStrong: Color.nullable()
      .default(null)
      .describe('The accent colour where it is pressed or on a light ground.'),
    hero: Art,
    logo: Art,
  })
  .describe(
    'Colours and pictures. What is missing looks as the portal does by itself.',
  ) satisfies z.ZodType<SiteTheme>;
