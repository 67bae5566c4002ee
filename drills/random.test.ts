import { expect, test } from 'vitest';
import { randomOf } from './random.ts';

test('the same seed makes the same choices, another seed others', () => {
  const choices = (seed: string) => {
    const random = randomOf(seed);
    return [random.shuffle([1, 2, 3, 4, 5, 6, 7, 8]), random.below(1_000_000)];
  };

  expect(choices('7')).toEqual(choices('7'));
  expect(choices('7')).not.toEqual(choices('8'));
});

test('what one does leaves the choices of another as they are', () => {
  const busy = randomOf('7');
  busy.below(10);

  expect(busy.fork('mira').below(1_000_000)).toBe(randomOf('7').fork('mira').below(1_000_000));
});

test('a shuffled list holds what it held, and every place comes up', () => {
  const random = randomOf('7');
  const firsts = new Set<number>();
  for (let round = 0; round < 200; round += 1) {
    const [first = 0, ...rest] = random.shuffle([1, 2, 3, 4]);
    expect([first, ...rest].sort()).toEqual([1, 2, 3, 4]);
    firsts.add(first);
  }
  expect(firsts.size).toBe(4);
});
