import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { cachedFor } from './cache.ts';

function givenCache() {
  const state = { now: 0, reads: [] as string[], fail: false };
  const read = cachedFor(
    2_000,
    async (key: string) => {
      state.reads.push(key);
      if (state.fail) throw new Error('the database is away');
      return `${key} at ${state.now}`;
    },
    () => state.now,
  );
  return { state, read };
}

test('a cached value is loaded once within its cache time, also by concurrent reads', async () => {
  const { state, read } = givenCache();
  expect(await Promise.all([read('a'), read('a')])).toEqual(['a at 0', 'a at 0']);
  state.now = 2_000;
  expect(await read('a')).toBe('a at 0');
  expect(state.reads).toEqual(['a']);
});

test('a cached value is loaded again once its cache time is over', async () => {
  const { state, read } = givenCache();
  await read('a');
  state.now = 2_001;
  expect(await read('a')).toBe('a at 2001');
});

test('the in-memory cache holds a separate value for each cache key', async () => {
  const { read } = givenCache();
  expect([await read('a'), await read('b')]).toEqual(['a at 0', 'b at 0']);
});

test('a cached value whose load fails is not cached', async () => {
  const { state, read } = givenCache();
  state.fail = true;
  await expect(read('a')).rejects.toThrow('away');
  state.fail = false;
  expect(await read('a')).toBe('a at 0');
});

// Players choose the keys, so without this, invented game ids would fill the memory.
test('the in-memory cache removes expired entries when any key is read', async () => {
  const held: WeakRef<object>[] = [];
  let now = 0;
  const read = cachedFor(
    2_000,
    async (_key: number) => {
      const value = {};
      held.push(new WeakRef(value));
      return value;
    },
    () => now,
  );
  for (let key = 0; key < 100; key += 1) await read(key);
  now = 2_001;
  await read(-1);

  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  expect(held.filter((reference) => reference.deref() !== undefined)).toHaveLength(1);
});
