import { expect, test } from 'vitest';
import { readPhone, signInPurposeOf, suitsPurpose } from './phones.ts';

const everywhere = ['CN', 'US', 'JP', 'KR', 'DE', 'GB'];

test.each([
  ['+8613800138000', 'CN'],
  ['+12025550123', 'US'], // may be either, as all numbers there
  ['+819012345678', 'JP'],
  ['+4915112345678', 'DE'],
])('%s can get a text message', (number, country) => {
  expect(readPhone(number, everywhere)).toEqual({ number, country });
});

test.each([
  ['a landline', '+82212345678'],
  ['a satellite', '+88123456789'],
  ['a number that does not exist', '+861380013800'],
  ['a country that the shop does not send to', '+66812345678'],
  ['another spelling of a number', '+49015112345678'],
  ['no number', 'aveline'],
])('%s gets none: %s', (_what, number) => {
  expect(readPhone(number, everywhere)).toBeUndefined();
});

test('mainland China has a purpose of its own for signing in', () => {
  expect(signInPurposeOf('+8613800138000')).toBe('phone_internal');
  expect(signInPurposeOf('+85251234567')).toBe('phone_foreign');
  expect(suitsPurpose('+8613800138000', 'phone_foreign')).toBe(false);
  expect(suitsPurpose('+12025550123', 'phone_internal')).toBe(false);
  expect(suitsPurpose('+8613800138000', 'phone_internal')).toBe(true);
  expect(suitsPurpose('+12025550123', 'phone_foreign')).toBe(true);
  expect(suitsPurpose('+12025550123', 'password_forget_phone')).toBe(true);
  expect(suitsPurpose('+8613800138000', 'password_forget_phone')).toBe(true);
});
