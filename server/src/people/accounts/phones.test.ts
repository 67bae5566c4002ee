import { expect, test } from 'vitest';
import { readPhone, signInPurposeOf, suitsPurpose } from './phones.ts';

const everywhere = ['CN', 'US', 'JP', 'KR', 'DE', 'GB'];

test.each([
  ['+8613800138000', 'CN'],
  ['+12025550123', 'US'], // may be mobile or landline, as all numbers in the USA
  ['+819012345678', 'JP'],
  ['+4915112345678', 'DE'],
])(
  'the check of phone numbers for text messages accepts the mobile number %s',
  (number, country) => {
    expect(readPhone(number, everywhere)).toEqual({ number, country });
  },
);

test.each([
  ['a landline', '+82212345678'],
  ['a satellite number', '+88123456789'],
  ['a number that does not exist', '+861380013800'],
  ['a number of a country that the shop does not send to', '+66812345678'],
  ['a number in another spelling', '+49015112345678'],
  ['a text that is no number', 'aveline'],
])('the check of phone numbers for text messages refuses %s: %s', (_what, number) => {
  expect(readPhone(number, everywhere)).toBeUndefined();
});

test('a one-time code for a mainland China phone number has another sign-in purpose than one for any other number', () => {
  expect(signInPurposeOf('+8613800138000')).toBe('phone_internal');
  expect(signInPurposeOf('+85251234567')).toBe('phone_foreign');
  expect(suitsPurpose('+8613800138000', 'phone_foreign')).toBe(false);
  expect(suitsPurpose('+12025550123', 'phone_internal')).toBe(false);
  expect(suitsPurpose('+8613800138000', 'phone_internal')).toBe(true);
  expect(suitsPurpose('+12025550123', 'phone_foreign')).toBe(true);
  expect(suitsPurpose('+12025550123', 'password_forget_phone')).toBe(true);
  expect(suitsPurpose('+8613800138000', 'password_forget_phone')).toBe(true);
});
