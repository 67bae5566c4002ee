import { fallbackLocale, type Locale } from '@pointgate/contract/locales.ts';
import { z } from 'zod';

/** A text in several languages, by locale. The tables see to it that en-US is always there. */
export const LocalText = z.record(z.string(), z.string());
export type LocalText = z.output<typeof LocalText>;

/** One that operators write and players read: without its fallback it could not be shown to everybody. */
export const ShownText = LocalText.refine(
  (text) => (text[fallbackLocale] ?? '').trim() !== '',
  `has no ${fallbackLocale}`,
);

export function textIn(text: LocalText, locale: Locale): string {
  const found = text[locale] ?? text[fallbackLocale];
  if (found === undefined) throw new Error(`a text without ${fallbackLocale}`);
  return found;
}
