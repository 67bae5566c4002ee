import { expect, test } from 'vitest';
import { isPasswordWellFormed } from './passwords.ts';

test.each([
  'dawn58',
  'dawn-reach',
  '58-58-58',
  'Dawn-58-reach-16',
  'пароль1',
  '密码密码密码1',
  'dawn 58',
])(
  '[S5.01] a password of 6 to 16 characters of at least two kinds is accepted: "%s"',
  (password) => {
    expect(isPasswordWellFormed(password)).toBe(true);
  },
);

test.each([
  ['too short', 'dwn58'],
  ['too long', 'Dawn-58-reach-161'],
  ['letters only', 'dawnreach'],
  ['letters only, of both cases', 'DawnReach'],
  ['digits only', '19820711'],
  ['special characters only', '-_-_-_-'],
  ['too short, although longer in bytes', '😀😀a'],
  ['empty', ''],
])('[S5.01] a malformed password is refused: %s, "%s"', (_what, password) => {
  expect(isPasswordWellFormed(password)).toBe(false);
});
