import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openPersonCipher } from './person-cipher.ts';

const [oldKey, newKey] = [
  { id: 'k1', key: randomBytes(32) },
  { id: 'k2', key: randomBytes(32) },
];
const indexKey = randomBytes(32);
const cipher = openPersonCipher({ keys: [oldKey], indexKey });
const place = { table: 'people', column: 'full_name', personId: 'person-1' };
const name = '张三丰 🐉';

describe('encrypted values', () => {
  const { dataKey, wrapped } = cipher.newDataKey('person-1');
  const sealed = cipher.seal(dataKey, place, name);

  test('an encrypted personal value is decrypted for its own table, column and person', () => {
    expect(cipher.open(cipher.unwrap('person-1', wrapped), place, sealed).reveal()).toBe(name);
    expect(cipher.open(dataKey, place, cipher.seal(dataKey, place, '')).reveal()).toBe('');
  });

  test('a personal value is encrypted differently each time, and its encrypted form reveals only its length', () => {
    expect(cipher.seal(dataKey, place, name).equals(sealed)).toBe(false);
    expect(sealed.includes(Buffer.from('张'))).toBe(false);
    expect(sealed.length).toBe(1 + 12 + Buffer.byteLength(name) + 16);
  });

  test.each([
    ['column', { ...place, column: 'address' }],
    ['person', { ...place, personId: 'person-2' }],
    ['table', { ...place, table: 'accounts' }],
  ])('an encrypted personal value is not decrypted for another %s', (_, elsewhere) => {
    expect(() => cipher.open(dataKey, elsewhere, sealed)).toThrow();
  });

  test('an encrypted personal value is not decrypted after any of its bits was flipped', () => {
    for (let index = 0; index < sealed.length * 8; index += 1) {
      const flipped = Buffer.from(sealed);
      flipped[index >> 3] = flipped.readUInt8(index >> 3) ^ (1 << (index & 7));
      expect(() => cipher.open(dataKey, place, flipped)).toThrow();
    }
  });

  test('an encrypted personal value is not decrypted after it was truncated or extended', () => {
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => cipher.open(dataKey, place, sealed.subarray(0, length))).toThrow();
      expect(() => cipher.open(dataKey, place, sealed.subarray(sealed.length - length))).toThrow();
    }
    expect(() => cipher.open(dataKey, place, Buffer.concat([sealed, Buffer.of(0)]))).toThrow();
  });

  test('an encrypted personal value is not decrypted with the data key of another person', () => {
    const other = cipher.newDataKey('person-2');
    expect(() => cipher.open(other.dataKey, place, sealed)).toThrow();
  });
});

describe('data keys', () => {
  const { dataKey, wrapped } = cipher.newDataKey('person-1');
  const sealed = cipher.seal(dataKey, place, name);

  test('the encrypted data key of a person cannot be decrypted for another person', () => {
    expect(() => cipher.unwrap('person-2', wrapped)).toThrow();
  });

  test('the encrypted data key of a person cannot be decrypted under the id of another master key', () => {
    const both = openPersonCipher({ keys: [{ id: 'k2', key: oldKey.key }, oldKey], indexKey });
    expect(() => both.unwrap('person-1', { ...wrapped, keyId: 'k2' })).toThrow();
  });

  test('the encrypted data key of a person can be encrypted anew under a new master key and then needs no old one', () => {
    const both = openPersonCipher({ keys: [newKey, oldKey], indexKey });
    const rewrapped = both.rewrap('person-1', wrapped);
    expect(rewrapped.keyId).toBe('k2');

    const afterwards = openPersonCipher({ keys: [newKey], indexKey });
    expect(afterwards.open(afterwards.unwrap('person-1', rewrapped), place, sealed).reveal()).toBe(
      name,
    );
    expect(() => afterwards.unwrap('person-1', wrapped)).toThrow(
      'there is no person key with the id k1',
    );
  });

  test('the encryption of personal data cannot be configured without any key', () => {
    expect(() => openPersonCipher({ keys: [], indexKey })).toThrow('there is no person key');
  });
});

test('the search hash (blind index) of a personal value is equal only for the same value, column and index key', () => {
  const index = cipher.blindIndex('phone', '+8613800138000');
  const others = [
    cipher.blindIndex('phone', '+8613800138001'),
    cipher.blindIndex('identity_number', '+8613800138000'),
    openPersonCipher({ keys: [oldKey], indexKey: randomBytes(32) }).blindIndex(
      'phone',
      '+8613800138000',
    ),
  ];
  expect(index.length).toBe(16);
  expect(cipher.blindIndex('phone', '+8613800138000').equals(index)).toBe(true);
  expect(others.some((other) => other.equals(index))).toBe(false);
});
