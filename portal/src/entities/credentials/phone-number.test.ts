import { locales } from '@pointgate/contract/locales.ts';
import { beforeEach, expect, test } from 'vitest';
import { countries, namedCountries, nearRegions, searchCountries } from './dial-codes.ts';
import { readTypedPhone, rememberRegion, startRegion, toPhoneNumber } from './phone-number.ts';

beforeEach(() => localStorage.clear());

test.each([
  ['CN', '138 0013 8000', '+8613800138000'],
  ['HK', '5123 4567', '+85251234567'],
  ['TW', '0912-345-678', '+886912345678'],
  ['TH', '081 234 5678', '+66812345678'],
  ['KR', '010-1234-5678', '+821012345678'],
  ['JP', '090-1234-5678', '+819012345678'],
  ['VN', '0912 345 678', '+84912345678'],
  ['DE', '0151/12345678', '+4915112345678'],
  ['US', '(415) 555-0132', '+14155550132'],
  ['CN', '１３８００１３８０００', '+8613800138000'],
  ['IT', '06 1234 5678', '+390612345678'],
])('a phone number in region %s typed as %s is normalised to %s', (region, number, phone) => {
  expect(toPhoneNumber({ region, number })).toBe(phone);
});

test.each(['', '0', '000', '12', '1'.repeat(20), 'abc'])(
  'the text "%s" is rejected as a phone number',
  (number) => {
    expect(toPhoneNumber({ region: 'DE', number })).toBeNull();
  },
);

test.each([
  ['+49 151 12345678', { region: 'DE', number: '15112345678' }],
  ['0049 151 12345678', { region: 'DE', number: '15112345678' }],
  ['+1 868 291 1234', { region: 'TT', number: '2911234' }],
  ['+1 415 555 0132', { region: 'US', number: '4155550132' }],
  ['+8', { region: 'CN', number: '+8' }],
  ['138-0013', { region: 'CN', number: '138-0013' }],
  ['0151', { region: 'CN', number: '0151' }],
  ['<b>138</b>', { region: 'CN', number: '138/' }],
  ['+999 1234567', { region: 'CN', number: '+999 1234567' }],
])('the phone number %s typed with region China is read as %o', (typed, read) => {
  expect(readTypedPhone(typed, { region: 'CN', number: '' })).toEqual(read);
});

test('the phone number field keeps the chosen country when the typed dial code belongs to several countries', () => {
  const canada = { region: 'CA', number: '' };
  expect(readTypedPhone('+1 604 555 0132', canada).region).toBe('CA');
});

test('the phone number field preselects the country of the portal language until the player chooses another country', () => {
  expect(locales.map(startRegion)).toEqual(
    expect.arrayContaining([...nearRegions].filter((region) => region !== 'US')),
  );
  expect(startRegion('zh-HK')).toBe('HK');
  rememberRegion('SG');
  expect(startRegion('zh-HK')).toBe('SG');
  localStorage.setItem('pointgate.phone-region', 'nonsense');
  expect(startRegion('zh-HK')).toBe('HK');
});

test('the country list of the phone number field has each country once with a dial code, those of portal languages first', () => {
  expect(countries.slice(0, nearRegions.length).map(({ region }) => region)).toEqual(nearRegions);
  expect(new Set(countries.map(({ region }) => region)).size).toBe(countries.length);
  for (const { region, dialCode } of countries) {
    expect(region).toMatch(/^[A-Z]{2}$/);
    expect(dialCode).toMatch(/^[1-9]\d{0,3}$/);
  }
  expect(countries.length).toBeGreaterThan(200);
});

test('the country search of the phone number field finds a country by name, even without diacritics, by region and by dial code', () => {
  const german = namedCountries('de-DE');
  const found = (typed: string) => searchCountries(german, typed).map(({ region }) => region);
  expect(found('osterreich')).toEqual(['AT']);
  expect(found('at')).toContain('AT');
  expect(found('+43')).toEqual(['AT']);
  expect(found('852')).toEqual(['HK']);
  expect(found('nirgendwo')).toEqual([]);
  expect(found(' ')).toHaveLength(countries.length);
  expect(searchCountries(namedCountries('zh-CN'), '日本')[0]?.dialCode).toBe('81');
});
