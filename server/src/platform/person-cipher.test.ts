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

describe('a sealed value', () => {
  const { dataKey, wrapped } = cipher.newDataKey('person-1');
  const sealed = cipher.seal(dataKey, place, name);

  test('opens where it was sealed', () => {
    expect(cipher.open(cipher.unwrap('person-1', wrapped), place, sealed).reveal()).toBe(name);
    expect(cipher.open(dataKey, place, cipher.seal(dataKey, place, '')).reveal()).toBe('');
  });

  test('is another one each time, and shows nothing of what is inside', () => {
    expect(cipher.seal(dataKey, place, name).equals(sealed)).toBe(false);
    expect(sealed.includes(Buffer.from('张'))).toBe(false);
    expect(sealed.length).toBe(1 + 12 + Buffer.byteLength(name) + 16);
  });

  test.each([
    ['column', { ...place, column: 'address' }],
    ['person', { ...place, personId: 'person-2' }],
    ['table', { ...place, table: 'accounts' }],
  ])('does not open in another %s', (_, elsewhere) => {
    expect(() => cipher.open(dataKey, elsewhere, sealed)).toThrow();
  });

  test('does not open once any bit of it is another', () => {
    for (let index = 0; index < sealed.length * 8; index += 1) {
      const flipped = Buffer.from(sealed);
      flipped[index >> 3] = flipped.readUInt8(index >> 3) ^ (1 << (index & 7));
      expect(() => cipher.open(dataKey, place, flipped)).toThrow();
    }
  });

  test('does not open once it is shorter or longer, at either end', () => {
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => cipher.open(dataKey, place, sealed.subarray(0, length))).toThrow();
      expect(() => cipher.open(dataKey, place, sealed.subarray(sealed.length - length))).toThrow();
    }
    expect(() => cipher.open(dataKey, place, Buffer.concat([sealed, Buffer.of(0)]))).toThrow();
  });

  test("does not open with another person's key", () => {
    const other = cipher.newDataKey('person-2');
    expect(() => cipher.open(other.dataKey, place, sealed)).toThrow();
  });
});

describe('the key of a person', () => {
  const { dataKey, wrapped } = cipher.newDataKey('person-1');
  const sealed = cipher.seal(dataKey, place, name);

  test('serves nobody else', () => {
    expect(() => cipher.unwrap('person-2', wrapped)).toThrow();
  });

  test('is not taken for one that another key has wrapped', () => {
    const both = openPersonCipher({ keys: [{ id: 'k2', key: oldKey.key }, oldKey], indexKey });
    expect(() => both.unwrap('person-1', { ...wrapped, keyId: 'k2' })).toThrow();
  });

  test('is rewrapped while both keys live, and needs the old one no more', () => {
    const both = openPersonCipher({ keys: [newKey, oldKey], indexKey });
    const rewrapped = both.rewrap('person-1', wrapped);
    expect(rewrapped.keyId).toBe('k2');

    const afterwards = openPersonCipher({ keys: [newKey], indexKey });
    expect(afterwards.open(afterwards.unwrap('person-1', rewrapped), place, sealed).reveal()).toBe(
      name,
    );
    expect(() => afterwards.unwrap('person-1', wrapped)).toThrow('no key for persons is called k1');
  });

  test('is needed', () => {
    expect(() => openPersonCipher({ keys: [], indexKey })).toThrow('there is no key');
  });
});

test('a blind index is the same for the same value only, in its column, under its key', () => {
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
