import { expect, test } from 'vitest';
import { z } from 'zod';
import { derivedId, firstIdAt, isId, newId } from './ids.ts';

test('a new id is a UUID of version 7 that contains its creation time', () => {
  const moment = Date.UTC(2026, 6, 24, 12, 30);
  const id = newId(moment);
  expect(z.uuidv7().safeParse(id).success).toBe(true);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(moment);
});

test('generated ids of the shop (UUIDs) sort in the order of their creation times', () => {
  const moments = [0, 1, 255, 256, 65_536, Date.UTC(2026, 0, 1), Date.UTC(2200, 0, 1)];
  const ids = moments.map((moment) => newId(moment));
  expect(ids.toSorted()).toEqual(ids);
});

test('a thousand ids generated in the same millisecond are all different', () => {
  expect(new Set(Array.from({ length: 1000 }, () => newId(0))).size).toBe(1000);
});

test('an id that the shop derives from several parts is the same for the same parts and different for other parts', () => {
  const id = derivedId('order', 7);
  expect(z.uuid().safeParse(id).success).toBe(true);
  expect(derivedId('order', 7)).toBe(id);
  const others = [derivedId('order', 8), derivedId('order7'), derivedId('order', '7')];
  expect(new Set([id, ...others]).size).toBe(4);
});

test('the lowest id of a millisecond, used as a search bound, sorts before all ids of that millisecond and after all earlier ids', () => {
  for (const moment of [1, 255, 256, Date.UTC(2026, 6, 24), Date.UTC(9999, 11, 31)]) {
    const first = firstIdAt(new Date(moment));
    expect(z.uuidv7().safeParse(first).success).toBe(true);
    expect(first <= newId(moment)).toBe(true);
    expect(newId(moment - 1) < first).toBe(true);
  }
});

test('the lowest id of a time before 1970, used as a search bound, is that of 1970', () => {
  expect(firstIdAt(new Date(-1))).toBe(firstIdAt(new Date(0)));
});

test('an id of the shop is valid only in lower case, with dashes and without surrounding characters', () => {
  const id = newId();
  expect([id, derivedId('order')].map(isId)).toEqual([true, true]);
  const others = [
    id.toUpperCase(),
    id.replaceAll('-', ''),
    `${id} `,
    ` ${id}`,
    `${id}0`,
    '',
    're_1',
  ];
  expect(others.map(isId)).toEqual(others.map(() => false));
});
