import { expect, test } from 'vitest';
import { newSessionToken, readSessionToken } from './session-token.ts';

const accountId = '018f2a3b-4c5d-7e6f-8a9b-0c1d2e3f4a5b';

test('a session token contains its account id and is verified by a hash of its secret', () => {
  const { value, tokenHash } = newSessionToken(accountId);
  expect(readSessionToken(value)).toEqual({ accountId, tokenHash });
  expect(tokenHash).toHaveLength(32);
  const [, secret = ''] = value.split('.');
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(tokenHash.toString('latin1')).not.toContain(secret);
});

test('a hundred new session tokens are all different', () => {
  const values = Array.from({ length: 100 }, () => newSessionToken(accountId).value);
  expect(new Set(values).size).toBe(100);
});

test.each([
  '',
  '.',
  accountId,
  `${accountId}.`,
  `${accountId}.short`,
  `${accountId}.${'a'.repeat(44)}`,
  `${accountId}.${'a'.repeat(42)}!`,
  `${accountId.toUpperCase()}.${'a'.repeat(43)}`,
  `${'-'.repeat(36)}.${'a'.repeat(43)}`,
  `${accountId}.${'a'.repeat(43)}\n`,
  `' or 1=1 --.${'a'.repeat(43)}`,
])('the malformed session token "%s" is rejected', (value) => {
  expect(readSessionToken(value)).toBeUndefined();
});
