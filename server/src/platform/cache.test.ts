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

test('within its time an answer is read once, also by callers at the same moment', async () => {
  const { state, read } = givenCache();
  expect(await Promise.all([read('a'), read('a')])).toEqual(['a at 0', 'a at 0']);
  state.now = 2_000;
  expect(await read('a')).toBe('a at 0');
  expect(state.reads).toEqual(['a']);
});

test('after its time an answer is read again', async () => {
  const { state, read } = givenCache();
  await read('a');
  state.now = 2_001;
  expect(await read('a')).toBe('a at 2001');
});

test('every key has its own answer', async () => {
  const { read } = givenCache();
  expect([await read('a'), await read('b')]).toEqual(['a at 0', 'b at 0']);
});

test('a failed read is not kept', async () => {
  const { state, read } = givenCache();
  state.fail = true;
  await expect(read('a')).rejects.toThrow('away');
  state.fail = false;
  expect(await read('a')).toBe('a at 0');
});

// Players choose the keys: without this, each invented game id would stay in memory for ever.
test('what is past its time is forgotten, whoever asks for something next', async () => {
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
