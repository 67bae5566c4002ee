import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPasswordWellFormed } from '@pointgate/contract/passwords.ts';
import { expect, test } from 'vitest';
import {
  hashPassword,
  isRightPassword,
  readKnownPasswords,
  requireGoodPassword,
} from './passwords.ts';

const known = await readKnownPasswords(undefined);

test('a password is hashed with Argon2id and a new salt each time, and only the exact password matches', async () => {
  const [one, two] = [await hashPassword('Dawn-58'), await hashPassword('Dawn-58')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await isRightPassword(one, 'Dawn-58')).toBe(true);
  expect(await isRightPassword(one, 'dawn-58')).toBe(false);
});

test.each([null, undefined])(
  'an account whose password hash is %s accepts no password',
  async (nothing) => {
    expect(await isRightPassword(nothing, 'Dawn-58')).toBe(false);
  },
);

test('the built-in list has more than 3,000 known passwords, and all of them are well-formed', () => {
  expect(known.size).toBeGreaterThan(3_000);
  expect([...known].filter((password) => !isPasswordWellFormed(password))).toEqual([]);
});

test.each(['password1', 'Password123', 'P@ssw0rd', 'QWERTY123', '1q2w3e4r', 'woaini520'])(
  'the well-known password %s is refused',
  (password) => {
    expect(() => requireGoodPassword(password, known)).toThrow(
      expect.objectContaining({ code: 'PasswordKnown' }),
    );
  },
);

test('a new password is checked for its format first and then against the list of known passwords', () => {
  expect(() => requireGoodPassword('password', known)).toThrow(
    expect.objectContaining({ code: 'PasswordFormatMismatch' }),
  );
  expect(() => requireGoodPassword('Tide-41-hollow', known)).not.toThrow();
});

test('a configured file of the publisher replaces the built-in list of known passwords', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'pointgate-test-')), 'list.txt');
  writeFileSync(file, 'Tide-41-Hollow\r\n\r\nother-1\n');
  const longer = await readKnownPasswords(file);
  expect(longer.size).toBe(2);
  expect(() => requireGoodPassword('tide-41-hollow', longer)).toThrow(
    expect.objectContaining({ code: 'PasswordKnown' }),
  );
});
