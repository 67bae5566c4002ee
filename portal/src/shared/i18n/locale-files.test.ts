import { type ErrorCode, errorCodes } from '@pointgate/contract/errors.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { recordLabels } from '@pointgate/contract/orders.ts';
import { expect, test } from 'vitest';
import { pageWords } from './words.ts';

type Words = { [key: string]: string | Words };

const files = import.meta.glob<Words>('../../../public/locales/*/*.json', {
  import: 'default',
  eager: true,
});

function flatten(words: Words, prefix = ''): [key: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] satisfies [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
}

function readLocale(locale: string): Map<string, string> {
  const parts = ['shell', ...pageWords].map((part) => {
    const words = files[`../../../public/locales/${locale}/${part}.json`];
    if (words === undefined) throw new Error(`The locale ${locale} has no file ${part}.json.`);
    return flatten(words);
  });
  const words = new Map(parts.flat());
  // A key that stood in two files would be corrected in only one of them.
  expect(words.size).toBe(parts.flat().length);
  return words;
}

const english = readLocale('en-US');
const placeholders = (text = '') => [...text.matchAll(/\{\{\w+\}\}/g)].map(String).sort();

// In German the button may carry these two words and nothing else, by law.
const withoutAmount = 'de-DE recharge.pay';

test.each(locales)(
  '[S1.07] the locale %s has every text that English has, with the same placeholders',
  (locale) => {
    const words = readLocale(locale);
    expect([...words.keys()]).toEqual([...english.keys()]);
    for (const [key, text] of words) {
      expect(text.trim(), key).not.toBe('');
      if (`${locale} ${key}` === withoutAmount) continue;
      expect([key, placeholders(text)]).toEqual([key, placeholders(english.get(key))]);
    }
  },
);

test.each(locales)(
  'the locale %s has texts for every error code and every label of the recharge record',
  (locale) => {
    const words = readLocale(locale);
    for (const code of Object.keys(errorCodes))
      expect(words.has(`errors.${code}`), code).toBe(true);
    for (const label of Object.values(recordLabels)) expect(words.has(label), label).toBe(true);
    expect(words.has('global.error.404')).toBe(true);
  },
);

test('the English texts for error codes are those of the specification', () => {
  for (const [code, { meaning }] of Object.entries(errorCodes)) {
    expect([code, english.get(`errors.${code}`)]).toEqual([code, meaning]);
  }
  expect('Incorrect password').toBe(english.get(`errors.${'InvalidPassword' satisfies ErrorCode}`));
});

test('German order buttons carry the text that the law requires', () => {
  const german = readLocale('de-DE');
  expect(german.get('recharge.pay')).toBe('Zahlungspflichtig bestellen');
  expect(german.get('recharge.payNow')).toBe('Zahlungspflichtig bestellen');
  expect(german.get('priceChange.accept')).toBe('Zahlungspflichtig bestellen');
});

test.each(locales)(
  'in the locale %s, the text for an already paid order names the Continue topping up button by its exact label',
  (locale) => {
    const words = readLocale(locale);
    expect(words.get('order.alreadyPaid')).toContain(words.get('order.topUpAgain'));
  },
);

test('every translated text differs from the English text, except for a list of words that both languages share', () => {
  // The same word in both languages, or no word at all.
  const alike =
    /^(titles\.(forbidden|notFound|news)|nav\.(userId|menu|news)|news\.title|characters\.level|global\.confirm|order\.(server|game)|points\.(amount_one|given)|login\.(wechat|tab\.email)|methods\.(wechatpay|alipay)|redeem\.code)$/;
  for (const locale of locales.filter((each) => each !== 'en-US')) {
    for (const [key, text] of readLocale(locale)) {
      if (!alike.test(key) && key !== 'recharge.bonus' && key !== 'recharge.sumBonus') {
        expect([locale, key, text]).not.toEqual([locale, key, english.get(key)]);
      }
    }
  }
});
