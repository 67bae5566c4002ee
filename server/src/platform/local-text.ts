import { fallbackLocale, type Locale } from '@pointgate/contract/locales.ts';
import { z } from 'zod';

/** A text by locale. Check constraints ensure that en-US is always present. */
export const LocalText = z.record(z.string(), z.string());
export type LocalText = z.output<typeof LocalText>;

/** A text of operators that players read: it requires the fallback locale. */
export const ShownText = LocalText.refine(
  (text) => (text[fallbackLocale] ?? '').trim() !== '',
  `has no ${fallbackLocale}`,
);

export function textIn(text: LocalText, locale: Locale): string {
  const found = text[locale] ?? text[fallbackLocale];
  if (found === undefined) throw new Error(`a text without ${fallbackLocale}`);
  return found;
}
