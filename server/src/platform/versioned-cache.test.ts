import { expect, test } from 'vitest';
import { cacheByVersion } from './versioned-cache.ts';

/** A versioned value in a database that can be slow, down, or changed during a read. */
function givenContent() {
  const state = {
    now: 0,
    version: 1n,
    looks: 0,
    loads: 0,
    isAway: false,
    /** Called while the value is being loaded. */
    meanwhile: () => {},
    line: Promise.resolve(),
  };
  const cached = cacheByVersion({
    readVersion: async () => {
      state.looks += 1;
      await state.line;
      if (state.isAway) throw new Error('the database is away');
      return state.version;
    },
    load: async () => {
      state.loads += 1;
      const { version } = state;
      state.meanwhile();
      return `version ${version}`;
    },
    now: () => state.now,
  });
  return { state, ...cached };
}

test('a database value cached in memory is loaded once for a thousand concurrent reads', async () => {
  const { state, read } = givenContent();
  const found = await Promise.all(Array.from({ length: 1_000 }, () => read()));
  expect(new Set(found)).toEqual(new Set(['version 1']));
  expect(state).toMatchObject({ loads: 1, looks: 2 });
  state.now = 1_000;
  await read();
  expect(state.looks).toBe(2);
});

test('a database value cached in memory shows a change within two seconds, and reads before that do not wait for the reload', async () => {
  const { state, read } = givenContent();
  await read();
  state.version = 2n;
  state.now = 1_001;
  const slow = Promise.withResolvers<void>();
  state.line = slow.promise;
  expect(await read()).toBe('version 1');
  state.now = 2_000;
  expect(await read()).toBe('version 1');
  state.now = 2_001;
  const late = Promise.all([read(), read()]);
  slow.resolve();
  expect(await late).toEqual(['version 2', 'version 2']);
  expect(state.loads).toBe(2);
});

test('a database value cached in memory that the server marks as outdated is reloaded at once', async () => {
  const { state, read, invalidate } = givenContent();
  await read();
  state.version = 2n;
  state.now = 5;
  expect(await read()).toBe('version 1');
  invalidate();
  expect(await read()).toBe('version 1');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await read()).toBe('version 2');
});

test('a database value cached in memory whose version is unchanged is not loaded again', async () => {
  const { state, read } = givenContent();
  await read();
  state.now = 10_000;
  expect(await read()).toBe('version 1');
  expect(state.loads).toBe(1);
});

test('a database value cached in memory that changes while it is loaded is loaded again', async () => {
  const { state, read } = givenContent();
  state.meanwhile = () => {
    if (state.loads === 1) state.version = 2n;
  };
  expect(await read()).toBe('version 2');
  expect(state.loads).toBe(2);
});

test('a read of a database value cached in memory throws an error if the value changes during every attempt to load it', async () => {
  const { state, read } = givenContent();
  state.meanwhile = () => {
    state.version += 1n;
  };
  await expect(read()).rejects.toThrow('faster than it can be read');
});

test('a database value cached in memory is returned for two seconds of a database outage, then reads fail', async () => {
  const { state, read } = givenContent();
  await read();
  state.isAway = true;
  state.now = 1_500;
  expect(await read()).toBe('version 1');
  state.now = 2_001;
  await expect(read()).rejects.toThrow('away');
  state.isAway = false;
  expect(await read()).toBe('version 1');
});

test('a database value cached in memory that is read again was verified after that call, and concurrent calls share one check', async () => {
  const { state, read, readAgain } = givenContent();
  await read();
  const slow = Promise.withResolvers<void>();
  state.line = slow.promise;
  state.now = 1_001;
  // Begins a check, which reads the version before the change.
  expect(await read()).toBe('version 1');
  const again = Promise.all([readAgain(), readAgain(), readAgain()]);
  slow.resolve();
  await slow.promise;
  state.version = 2n;
  expect(await again).toEqual(['version 2', 'version 2', 'version 2']);
  expect(state.loads).toBe(2);
});

test('a database value cached in memory can be read again after a check that failed', async () => {
  const { state, read, readAgain } = givenContent();
  await read();
  state.isAway = true;
  await expect(readAgain()).rejects.toThrow('the database is away');
  state.isAway = false;
  expect(await readAgain()).toBe('version 1');
});
