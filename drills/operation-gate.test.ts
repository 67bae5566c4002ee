import { expect, test } from 'vitest';
import { openGate } from './operation-gate.ts';

test('a drill delays each fault until enough money operations have followed the previous fault', async () => {
  const gate = openGate({ operationsMin: 2, patienceMs: 1_000 });
  let isThrough = false;
  const passing = gate.pass().then(() => {
    isThrough = true;
  });

  gate.count();
  await Promise.resolve();
  expect(isThrough).toBe(false);
  gate.count();
  await passing;
  for (let done = 0; done < 3; done += 1) gate.count();
  await gate.pass();

  expect(gate.faults()).toBe(2);
  expect(gate.operations()).toBe(5);
  expect(gate.fewest()).toBe(2);
});

test('a drill is declared invalid when too few money operations take place within the time limit before a fault', async () => {
  const gate = openGate({ operationsMin: 2, patienceMs: 20 });
  gate.count();

  await expect(gate.pass()).rejects.toThrow('Invalid: 1 operations in 20 ms.');
});
