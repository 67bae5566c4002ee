import { expect, test } from 'vitest';
import { textIn } from './local-text.ts';

const names = { 'en-US': 'Lumen Shards', 'de-DE': 'Lumensplitter' };

test('a text is shown in the language asked for', () => {
  expect(textIn(names, 'de-DE')).toBe('Lumensplitter');
});

test('a text that is not translated is shown in English', () => {
  expect(textIn(names, 'th-TH')).toBe('Lumen Shards');
});

test('a text without English is a mistake that is noticed', () => {
  expect(() => textIn({ 'de-DE': 'Lumensplitter' }, 'th-TH')).toThrow('en-US');
});
