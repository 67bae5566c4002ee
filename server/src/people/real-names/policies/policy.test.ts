import { describe, expect, test } from 'vitest';
import { china } from './china.ts';
import { korea } from './korea.ts';
import { policyPack } from './policies.ts';
import { ageAt, isWithin, limitsAt } from './policy.ts';

const noon = new Date('2026-11-15T04:00:00Z'); // 12:00 in Shanghai

describe('age calculation', () => {
  test.each([
    ['2018-11-15', '2026-11-14', 7],
    ['2018-11-15', '2026-11-15', 8],
    ['2010-12-31', '2026-01-01', 15],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2027-01-01', '2026-11-15', -1],
  ])(
    'the age of a person for spending limits: born on %s, on %s the age is %i',
    (birthday, day, age) => {
      expect(ageAt(birthday, day)).toBe(age);
    },
  );
});

describe('spending limits of mainland China', () => {
  const limitsOf = (birthday: string, now = noon) => limitsAt(china, { birthday, now });
  const [none, child, youth] = [
    { paymentMinor: 0n, monthMinor: 0n },
    { paymentMinor: 5000n, monthMinor: 20_000n },
    { paymentMinor: 10_000n, monthMinor: 40_000n },
  ];

  test.each([
    ['2030-01-01', none],
    ['2018-11-16', none],
    ['2018-11-15', child],
    ['2010-11-16', child],
    ['2010-11-15', youth],
    ['2008-11-16', youth],
    ['2008-11-15', null],
    ['1950-01-01', null],
  ])(
    'a player in mainland China born on %s has the spending limits of their age',
    (birthday, limits) => {
      expect(limitsOf(birthday)).toEqual(limits);
    },
  );

  test('a player in mainland China is a year older from midnight Shanghai time on the birthday', () => {
    expect(limitsOf('2008-11-15', new Date('2026-11-14T15:59:59.999Z'))).toEqual(youth);
    expect(limitsOf('2008-11-15', new Date('2026-11-14T16:00:00Z'))).toBeNull();
  });

  test('the mainland China policy pack requires a real name', () => {
    expect(china.needsRealName).toBe(true);
  });
});

test('the Korea policy pack limits the spending of players under 19 per month but not per payment', () => {
  const limits = limitsAt(korea, { birthday: '2007-11-16', now: noon });
  expect(limits).toEqual({ paymentMinor: null, monthMinor: 70_000n });
  expect(limitsAt(korea, { birthday: '2007-11-15', now: noon })).toBeNull();
  expect(limitsAt(korea, { birthday: null, now: noon })).toBeNull();
  expect(korea.needsRealName).toBe(false);
});

describe('limit checks', () => {
  const limits = { paymentMinor: 5000n, monthMinor: 20_000n };

  test.each([
    [5000n, 0n, true],
    [5001n, 0n, false],
    [5000n, 15_000n, true],
    [5000n, 15_001n, false],
    [1n, 20_000n, false],
  ])(
    'a spending limit of 5000 per payment and 20000 per month, for a payment of %i after %i spent in the month, allows it: %s',
    (amountMinor, spentMinor, isAllowed) => {
      expect(isWithin(limits, { amountMinor, spentMinor })).toBe(isAllowed);
    },
  );

  test('spending rules may limit only single payments, only the month, or neither', () => {
    const much = { amountMinor: 10n ** 12n, spentMinor: 10n ** 12n };
    expect(isWithin({ paymentMinor: null, monthMinor: null }, much)).toBe(true);
    expect(isWithin({ paymentMinor: null, monthMinor: 1n }, much)).toBe(false);
    expect(isWithin({ paymentMinor: 1n, monthMinor: null }, much)).toBe(false);
  });
});

test('spending rules are found by the name of their policy pack, and an unknown name is refused as "under maintenance"', () => {
  expect(policyPack('china')).toBe(china);
  expect(policyPack('korea')).toBe(korea);
  expect(limitsAt(policyPack('none'), { birthday: '2026-01-01', now: noon })).toBeNull();
  expect(policyPack('none').needsRealName).toBe(false);
  expect(() => policyPack('chian')).toThrow('This shop is under maintenance');
});
