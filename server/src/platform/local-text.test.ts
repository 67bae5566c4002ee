import { expect, test } from 'vitest';
import { textIn } from './local-text.ts';

const names = { 'en-US': 'Lumen Shards', 'de-DE': 'Lumensplitter' };

test('a localized text is returned in the requested language', () => {
  expect(textIn(names, 'de-DE')).toBe('Lumensplitter');
});

test('a localized text without a translation is returned in English', () => {
  expect(textIn(names, 'th-TH')).toBe('Lumen Shards');
});

test('a localized text that has no English version is an error', () => {
  expect(() => textIn({ 'de-DE': 'Lumensplitter' }, 'th-TH')).toThrow('en-US');
});
