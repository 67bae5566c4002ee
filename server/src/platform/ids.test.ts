import { expect, test } from 'vitest';
import { z } from 'zod';
import { derivedId, newId } from './ids.ts';

test('an id is a UUID of version 7 and says when it was made', () => {
  const moment = Date.UTC(2026, 6, 24, 12, 30);
  const id = newId(moment);
  expect(z.uuidv7().safeParse(id).success).toBe(true);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(moment);
});

test('ids sort in the order of their moments', () => {
  const moments = [0, 1, 255, 256, 65_536, Date.UTC(2026, 0, 1), Date.UTC(2200, 0, 1)];
  const ids = moments.map((moment) => newId(moment));
  expect(ids.toSorted()).toEqual(ids);
});

test('ids of one moment differ', () => {
  expect(new Set(Array.from({ length: 1000 }, () => newId(0))).size).toBe(1000);
});

test('a derived id is the same for the same parts and for no others', () => {
  const id = derivedId('order', 7);
  expect(z.uuid().safeParse(id).success).toBe(true);
  expect(derivedId('order', 7)).toBe(id);
  const others = [derivedId('order', 8), derivedId('order7'), derivedId('order', '7')];
  expect(new Set([id, ...others]).size).toBe(4);
});
