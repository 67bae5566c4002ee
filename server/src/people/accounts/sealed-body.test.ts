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
]; // as: map forgets how many there are
const bodies = await openSealedBodies([first, second]);

const now = () => Math.floor(Date.now() / 1000);
const refused = { code: 'InvalidParams' };
const refusalOf = (data: string) => expect(bodies.open(data, path)).rejects;

/** Lists in lists, this many. */
function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

describe('a sealed body opens', () => {
  test('when it was sealed for this call, with either live key', async () => {
    for (const key of [first, second]) {
      const jti = crypto.randomUUID();
      const data = await sealAs(key, path, payload, { claims: { jti } });
      expect(await bodies.open(data, path)).toEqual({ jti, payload });
    }
  });

  test('up to five minutes later, with half a minute for clocks that differ', async () => {
    for (const iat of [now() - 300, now() - 325, now() + 25]) {
      const data = await sealAs(first, path, payload, { claims: { iat } });
      expect(await bodies.open(data, path)).toMatchObject({ payload });
    }
  });
});

describe('a sealed body is refused, always in the same way,', () => {
  test.each<[string, Forgery]>([
    ['when it is stale', { claims: { iat: now() - 335 } }],
    ['when it comes from the future', { claims: { iat: now() + 90 } }],
    ['when it does not say when it was made', { claims: { iat: undefined } }],
    ['when its time is text', { claims: { iat: 'now' } }],
    ['when it was made for another call', { claims: { aud: '/api/user/phone/code/send' } }],
    ['when it was made for several calls', { claims: { aud: [path, '/api/other'] } }],
    ['when it was made for no call', { claims: { aud: undefined } }],
    ['when it cannot be told from its repetition', { claims: { jti: undefined } }],
    ['when its id is no UUID', { claims: { jti: 'once' } }],
    ['when it has expired by its own word', { claims: { exp: now() - 60 } }],
    ['when it names a key we do not have', { kid: 'third' }],
    ['when it names no key', { kid: null }],
    ['when its key was wrapped', { alg: 'ECDH-ES+A256KW' }],
    ['when its content is enciphered in another way', { enc: 'A128GCM' }],
    ['when its content is enciphered in an older way', { enc: 'A256CBC-HS512' }],
    ['when it uses a shared key', { alg: 'dir' }],
    ['when it is no JSON', { plaintext: 'loginName=aveline' }],
    ['when it is a list', { plaintext: '[]' }],
    ['when it is empty', { plaintext: '' }],
    ['when a text in it cannot be stored', { claims: { loginName: 'a\0b' } }],
    ['when a text in it is half a character', { claims: { loginName: 'a\ud83d' } }],
    ['when it is compressed', { zip: 'DEF' }],
    ['when it is compressed and large', { zip: 'DEF', claims: { note: 'a'.repeat(200_000) } }],
    ['when it is nested too deep', { claims: { note: nested(600) } }],
  ])('%s', async (_when, forgery) => {
    await refusalOf(await sealAs(first, path, payload, forgery)).toMatchObject(refused);
  });

  test('when it was sealed to a stranger who took the name of our key', async () => {
    expect(stranger.kid).toBe(first.kid);
    await refusalOf(await sealAs(stranger, path, payload)).toMatchObject(refused);
  });

  test('when one character of it was changed, wherever', async () => {
    const data = await sealAs(first, path, payload);
    const dots = [...data.matchAll(/\./g)].map(({ index }) => index);
    // Not the last character of a part: some of its bits say nothing.
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
    ['no point', header],
    ['text for a point', { ...header, epk: 'point' }],
    ['an empty point', { ...header, epk: {} }],
    ['half a point', { ...header, epk: { ...point, y: undefined } }],
    ['a point off the curve', { ...header, epk: { ...point, x: point.y } }],
    ['a point of another curve', { ...header, epk: { ...point, crv: 'P-384' } }],
    ['a symmetric key for a point', { ...header, epk: { kty: 'oct', k: 'AAAA' } }],
    ['a key of numbers for a point', { ...header, epk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } }],
    ['a number for a party', { ...header, epk: point, apu: 1 }],
    ['a demand we do not know', { ...header, epk: point, crit: ['exp'], exp: 1 }],
    ['a key name that every object has', { ...header, epk: point, kid: 'constructor' }],
    ['no header', []],
  ])('when its header has %s', async (_what, forged) => {
    await refusalOf(noiseWith(forged)).toMatchObject(refused);
  });

  test('when it is any noise at all', async () => {
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

test('the public keys are told without their private part', () => {
  const keys = bodies.publicKeys();
  expect(keys.map(({ kid }) => kid)).toEqual(['first', 'second']);
  for (const key of keys) expect(Object.keys(key)).toEqual(['kty', 'crv', 'x', 'y', 'kid']);
});
