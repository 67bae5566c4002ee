import { expect, test } from 'vitest';
import { locales, toLocale } from './locales.ts';

test.each(locales)(
  'the locale %s is recognised in any letter case, with hyphen or underscore',
  (locale) => {
    expect(toLocale(locale)).toBe(locale);
    expect(toLocale(locale.toLowerCase())).toBe(locale);
    expect(toLocale(` ${locale.replace('-', '_').toUpperCase()} `)).toBe(locale);
  },
);

test.each([
  ['zh', 'zh-CN'],
  ['zh-Hans', 'zh-CN'],
  ['zh-Hans-CN', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh-Hant', 'zh-TW'],
  ['zh-Hant-TW', 'zh-TW'],
  ['zh-Hant-HK', 'zh-HK'],
  ['zh-Hant-MO', 'zh-HK'],
  ['zh-MO', 'zh-HK'],
  ['zh-XX', 'zh-CN'],
])('the Chinese language tag %s maps to the locale %s', (tag, locale) => {
  expect(toLocale(tag)).toBe(locale);
});

test.each([
  ['en', 'en-US'],
  ['en-GB', 'en-US'],
  ['th', 'th-TH'],
  ['ko', 'ko-KR'],
  ['ja', 'ja-JP'],
  ['vi', 'vi-VN'],
  ['de', 'de-DE'],
  ['de-AT', 'de-DE'],
  ['de-CH-1996', 'de-DE'],
])('the language tag %s maps to the locale %s', (tag, locale) => {
  expect(toLocale(tag)).toBe(locale);
});

test.each(['', '*', 'fr-FR', 'xx', '-', 'constructor', '__proto__', 'dex', 'z'])(
  'an unsupported language tag falls back to English: "%s"',
  (tag) => {
    expect(toLocale(tag)).toBe('en-US');
  },
);
