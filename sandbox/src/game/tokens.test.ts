import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { createTokenKeys, publicKeysOf, signToken, tokenAlgs } from './tokens.ts';

const player = { gameId: 'solmere', gameAccountId: 'ga_1', seconds: 60 };

test.each(tokenAlgs)(
  'a sign-in token that the game sandbox signs with %s is verified by its published keys',
  async (alg) => {
    const keys = createTokenKeys();
    const published = publicKeysOf(keys) as JSONWebKeySet; // as: jose validates the key set
    const token = signToken(keys, { ...player, alg });
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(published));
    expect(protectedHeader.alg).toBe(alg);
    expect(payload).toMatchObject({ iss: 'solmere', aud: 'portal', sub: 'ga_1' });
    expect(JSON.stringify(published)).not.toContain('"d"');

    const others = publicKeysOf(createTokenKeys()) as JSONWebKeySet; // as: validated by jose
    await expect(jwtVerify(token, createLocalJWKSet(others))).rejects.toThrow();
  },
);

test('two sign-in tokens that the game sandbox signs for one game account differ', () => {
  const keys = createTokenKeys();
  const tokens = [1, 2].map(() => signToken(keys, { ...player, alg: 'EdDSA' }));
  expect(new Set(tokens).size).toBe(2);
});
