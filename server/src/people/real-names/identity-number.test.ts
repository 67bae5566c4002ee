import { describe, expect, test } from 'vitest';
import { birthdayInNumber, isMainlandChina } from './identity-number.ts';
import { RealNameImport } from './real-names.ts';

// The examples of the standard itself, GB 11643-1999.
const known = '11010519491231002X';
const another = '440524188001010014';

describe('identity numbers of mainland China', () => {
  test.each([
    [known, '1949-12-31'],
    [another, '1880-01-01'],
  ])(
    'the shop reads from the mainland China identity number %s the birthday %s',
    (number, birthday) => {
      expect(birthdayInNumber(number)).toBe(birthday);
    },
  );

  test('a mainland China identity number with any single digit changed is invalid', () => {
    for (let index = 0; index < 17; index += 1) {
      const digit = (Number(known[index]) + 1) % 10;
      const changed = `${known.slice(0, index)}${digit}${known.slice(index + 1)}`;
      expect(birthdayInNumber(changed), changed).toBeUndefined();
    }
  });

  test('a mainland China identity number with two adjacent digits swapped is invalid', () => {
    for (let index = 0; index < 16; index += 1) {
      const [left = '', right = ''] = [known[index], known[index + 1]];
      if (left === right) continue;
      const swapped = known.slice(0, index) + right + left + known.slice(index + 2);
      expect(birthdayInNumber(swapped), swapped).toBeUndefined();
    }
  });

  test.each([
    ['that is too short', '1101051949123100'],
    ['of the old 15-digit form', '110105491231002'],
    ['with letters', '1101051949123100AX'],
    ['with a trailing digit', '11010519491231002X1'],
    ['with a nonexistent day', withCheck('11010119900230001')],
    ['with a nonexistent month', withCheck('11010119901301001')],
  ])('a mainland China identity number %s is invalid', (_, number) => {
    expect(birthdayInNumber(number)).toBeUndefined();
  });
});

test.each([
  ['CN', true],
  ['CN-HB', true],
  ['CNX', false],
  ['CN-HK', false],
  ['HK', false],
  ['湖北', false],
  [null, false],
])(
  'the region %s in which a real name was approved counts as mainland China: %s',
  (region, isChina) => {
    expect(isMainlandChina(region)).toBe(isChina);
  },
);

describe('real-name import', () => {
  const wrongFields = (person: object) =>
    RealNameImport.safeParse(person).error?.issues.map(({ path }) => path.join('.')) ?? [];
  const approved = { approvalRegion: 'CN', identityNumber: known, birthday: '1949-12-31' };

  test('a real-name import for mainland China is refused when the identity number is invalid or contradicts the birthday', () => {
    expect(wrongFields(approved)).toEqual([]);
    expect(wrongFields({ ...approved, identityNumber: '110105 19491231-002x' })).toEqual([]);
    expect(wrongFields({ ...approved, birthday: null })).toEqual([]);
    expect(wrongFields({ ...approved, identityNumber: null })).toEqual([]);
    const number = { ...approved, identityNumber: '110105194912310021' };
    expect(wrongFields(number)).toEqual(['identityNumber']);
    expect(wrongFields({ ...approved, birthday: '1949-12-30' })).toEqual(['birthday']);
    expect(wrongFields({ ...number, approvalRegion: 'CN-HB' })).toEqual(['identityNumber']);
  });

  test('a real-name import from outside mainland China accepts an identity number of any form', () => {
    const number = { identityNumber: 'A123456(3)', birthday: '1990-01-01' };
    expect(wrongFields({ ...number, approvalRegion: 'HK' })).toEqual([]);
    expect(wrongFields(number)).toEqual([]);
  });

  test('an import of real-name data that is not a JSON object is refused', () => {
    for (const given of [null, 'CN', 1, [], [approved]]) {
      expect(RealNameImport.safeParse(given).success).toBe(false);
    }
  });
});

/** Appends the check character of ISO 7064 to seventeen digits. */
function withCheck(digits: string): string {
  let rest = 0;
  for (const digit of digits) rest = ((rest + Number(digit)) * 2) % 11;
  const check = (12 - rest) % 11;
  return digits + (check === 10 ? 'X' : String(check));
}
