import * as z from 'zod/mini';

export const locales = [
  'en-US',
  'zh-CN',
  'zh-HK',
  'zh-TW',
  'th-TH',
  'ko-KR',
  'ja-JP',
  'vi-VN',
  'de-DE',
] as const;

export type Locale = (typeof locales)[number];
export const Locale = z.enum(locales);

export const fallbackLocale: Locale = 'en-US';

// A map, because an object would also know `constructor`.
const aliases = new Map<string, Locale>([
  ['zh', 'zh-CN'],
  ['zh-hans', 'zh-CN'],
  ['zh-sg', 'zh-CN'],
  ['zh-hant', 'zh-TW'],
  ['zh-mo', 'zh-HK'],
  ['zh-hant-hk', 'zh-HK'],
  ['zh-hant-mo', 'zh-HK'],
]);

/**
 * The supported locale for a language tag from an address, a header or a browser; en-US if none
 * fits.
 */
export function toLocale(tag: string): Locale {
  const wanted = tag.trim().replaceAll('_', '-').toLowerCase();
  for (let end = wanted.length; end > 0; end = wanted.lastIndexOf('-', end - 1)) {
    const prefix = wanted.slice(0, end);
    const exact = locales.find((locale) => locale.toLowerCase() === prefix);
    const found = exact ?? aliases.get(prefix);
    if (found !== undefined) return found;
  }
  const [language] = wanted.split('-');
  return locales.find((locale) => locale.slice(0, 2) === language) ?? fallbackLocale;
}
