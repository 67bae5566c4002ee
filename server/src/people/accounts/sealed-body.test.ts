import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Forgery, newPublicPoint, noiseWith, sealAs } from '../../../test/sealing.ts';
import { newSealingKey } from '../../../test/shop.ts';
import { openSealedBodies } from './sealed-body.ts';

const path = '/api/user/login';
const payload = { loginName: 'aveline', password: 'Dawn-58' };
const [first, second, stranger] = ['first', 'second', 'first'].map(newSealingKey) as [
  ReturnType<typeof newSealingKey>,
  ReturnType<typeof newSealingKey>,
  ReturnType<typeof newSealingKey>,
]; // as: map loses the length of the tuple
const bodies = await openSealedBodies([first, second]);

const now = () => Math.floor(Date.now() / 1000);
const refused = { code: 'InvalidParams' };
const refusalOf = (data: string) => expect(bodies.open(data, path)).rejects;

/** Nested lists of this depth. */
function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

describe('valid sealed bodies', () => {
  test('an encrypted sign-in request is decrypted with either live key, for the API call that it was encrypted for', async () => {
    for (const key of [first, second]) {
      const jti = crypto.randomUUID();
      const data = await sealAs(key, path, payload, { claims: { jti } });
      expect(await bodies.open(data, path)).toEqual({ jti, payload });
    }
  });

  test('an encrypted sign-in request is accepted for five minutes, with half a minute of clock tolerance', async () => {
    for (const iat of [now() - 300, now() - 325, now() + 25]) {
      const data = await sealAs(first, path, payload, { claims: { iat } });
      expect(await bodies.open(data, path)).toMatchObject({ payload });
    }
  });
});

describe('refused sealed bodies', () => {
  test.each<[string, Forgery]>([
    ['that is stale', { claims: { iat: now() - 335 } }],
    ['from the future', { claims: { iat: now() + 90 } }],
    ['without a creation time', { claims: { iat: undefined } }],
    ['with a text as creation time', { claims: { iat: 'now' } }],
    ['for another call', { claims: { aud: '/api/user/phone/code/send' } }],
    ['for several calls', { claims: { aud: [path, '/api/other'] } }],
    ['for no call', { claims: { aud: undefined } }],
    ['without an id', { claims: { jti: undefined } }],
    ['with an id that is no UUID', { claims: { jti: 'once' } }],
    ['with an expired exp claim', { claims: { exp: now() - 60 } }],
    ['with an unknown key id', { kid: 'third' }],
    ['without a key id', { kid: null }],
    ['with a wrapped key', { alg: 'ECDH-ES+A256KW' }],
    ['encrypted with A128GCM', { enc: 'A128GCM' }],
    ['encrypted with A256CBC-HS512', { enc: 'A256CBC-HS512' }],
    ['with a shared key', { alg: 'dir' }],
    ['that is not JSON', { plaintext: 'loginName=aveline' }],
    ['that is a list', { plaintext: '[]' }],
    ['that is empty', { plaintext: '' }],
    ['with a NUL character in a text', { claims: { loginName: 'a\0b' } }],
    ['with half a surrogate pair in a text', { claims: { loginName: 'a\ud83d' } }],
    ['that is compressed', { zip: 'DEF' }],
    ['that is compressed and large', { zip: 'DEF', claims: { note: 'a'.repeat(200_000) } }],
    ['that is nested too deep', { claims: { note: nested(600) } }],
  ])('an encrypted sign-in request %s is refused', async (_what, forgery) => {
    await refusalOf(await sealAs(first, path, payload, forgery)).toMatchObject(refused);
  });

  test('a sign-in request encrypted for a foreign key under the key id of the shop is refused', async () => {
    expect(stranger.kid).toBe(first.kid);
    await refusalOf(await sealAs(stranger, path, payload)).toMatchObject(refused);
  });

  test('an encrypted sign-in request with one changed character in any part is refused', async () => {
    const data = await sealAs(first, path, payload);
    const dots = [...data.matchAll(/\./g)].map(({ index }) => index);
    // Not the last character of a part: some of its bits are padding.
    const places = [5, ...dots.slice(1, 4).map((index) => index + 2)];
    for (const place of places) {
      const other = data[place] === 'A' ? 'B' : 'A';
      const tampered = data.slice(0, place) + other + data.slice(place + 1);
      await refusalOf(tampered).toMatchObject(refused);
    }
  });

  const header = { alg: 'ECDH-ES', enc: 'A256GCM', kid: 'first' };
  const point = newPublicPoint();
  test.each<[string, object]>([
    ['no public point', header],
    ['a text as its public point', { ...header, epk: 'point' }],
    ['an empty public point', { ...header, epk: {} }],
    ['a public point without y', { ...header, epk: { ...point, y: undefined } }],
    ['a public point off the curve', { ...header, epk: { ...point, x: point.y } }],
    ['a public point of another curve', { ...header, epk: { ...point, crv: 'P-384' } }],
    ['a symmetric key as its public point', { ...header, epk: { kty: 'oct', k: 'AAAA' } }],
    ['an RSA key as its public point', { ...header, epk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } }],
    ['a number as its apu', { ...header, epk: point, apu: 1 }],
    ['an unknown crit extension', { ...header, epk: point, crit: ['exp'], exp: 1 }],
    ['the key id "constructor"', { ...header, epk: point, kid: 'constructor' }],
    ['a list in place of its fields', []],
  ])('an encrypted sign-in request whose header has %s is refused', async (_what, forged) => {
    await refusalOf(noiseWith(forged)).toMatchObject(refused);
  });

  test('random noise sent as an encrypted sign-in request is refused', async () => {
    const part = fc.base64String({ maxLength: 80 }).map((text) => text.replace(/[+/=]/g, '-'));
    const headers = fc
      .record(
        {
          alg: fc.constantFrom('ECDH-ES', 'dir', 'none', 'RSA-OAEP', 1, null),
          enc: fc.constantFrom('A256GCM', 'none', 1, null),
          kid: fc.constantFrom('first', 'second', '', 1, null),
          epk: fc.oneof(fc.constant(point), fc.jsonValue()),
          apu: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((forged) => noiseWith(forged));
    const noise = fc.array(part, { minLength: 5, maxLength: 5 }).map((parts) => parts.join('.'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(headers, noise), async (data) => {
        await refusalOf(data).toMatchObject(refused);
      }),
      { numRuns: 300 },
    );
  });
});

test('the shop publishes the public keys for encrypted sign-in requests without their private part', () => {
  const keys = bodies.publicKeys();
  expect(keys.map(({ kid }) => kid)).toEqual(['first', 'second']);
  for (const key of keys) expect(Object.keys(key)).toEqual(['kty', 'crv', 'x', 'y', 'kid']);
});
