import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { NotOpened, openSealing, type Place } from './sealing.ts';

const older = { id: 'k1', key: randomBytes(32) };
const newer = { id: 'k2', key: randomBytes(32) };
const place: Place = ['secrets', 'game:solmere', 'signing', '1'];
const value = 'the value that nobody else may read';

describe('a sealed value', () => {
  test('a sealed value opens at the place that it was sealed for, and is redacted in every printed form', () => {
    const sealing = openSealing([older]);
    const opened = sealing.open(place, sealing.seal(place, value));
    expect(opened.reveal()).toBe(value);
    expect([`${opened}`, JSON.stringify(opened), inspect(opened)].join()).not.toContain(value);
  });

  test('a value sealed twice has two different ciphertexts', () => {
    const sealing = openSealing([older]);
    expect(sealing.seal(place, value).sealed).not.toEqual(sealing.seal(place, value).sealed);
  });

  test.each<[string, Place]>([
    ['purpose', ['passwords', 'game:solmere', 'signing', '1']],
    ['owner', ['secrets', 'game:other', 'signing', '1']],
    ['name', ['secrets', 'game:solmere', 'token-keys', '1']],
    ['version', ['secrets', 'game:solmere', 'signing', '2']],
    ['division of the same letters', ['secrets', 'game:solmere","signing', '1']],
  ])('a sealed value does not open at a place with another %s', (_what, elsewhere) => {
    const sealing = openSealing([older]);
    const sealed = sealing.seal(place, value);
    expect(() => sealing.open(elsewhere, sealed)).toThrow(NotOpened);
  });

  test('a sealed value with any changed, missing or added byte does not open', () => {
    const sealing = openSealing([older]);
    const { keyId, sealed } = sealing.seal(place, value);
    const open = (bytes: Buffer) => () => sealing.open(place, { keyId, sealed: bytes });
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(open(changed)).toThrow(NotOpened);
      expect(open(sealed.subarray(0, index))).toThrow(NotOpened);
    }
    expect(open(Buffer.concat([sealed, Buffer.of(0)]))).toThrow(NotOpened);
  });
});

describe('master keys', () => {
  test('the first master key seals, and the second one still opens', () => {
    const before = openSealing([older]).seal(place, value);
    const both = openSealing([newer, older]);
    expect(both.open(place, before).reveal()).toBe(value);
    const after = both.reseal(place, before);
    expect(after.keyId).toBe('k2');
    expect(openSealing([newer]).open(place, after).reveal()).toBe(value);
  });

  test('another master key of the same name does not open a sealed value, and the error does not contain the value', () => {
    const sealed = openSealing([older]).seal(place, value);
    const wrong = openSealing([{ ...older, key: randomBytes(32) }]);
    expect(() => wrong.open(place, sealed)).toThrow('the key k1 does not open it');
    expect(() => openSealing([newer]).open(place, sealed)).toThrow('there is no key k1');
  });
});
