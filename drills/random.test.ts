import { expect, test } from 'vitest';
import { randomOf } from './random.ts';

test('the random generator of the drills makes the same choices for the same seed and others for another seed', () => {
  const choices = (seed: string) => {
    const random = randomOf(seed);
    return [random.shuffle([1, 2, 3, 4, 5, 6, 7, 8]), random.below(1_000_000)];
  };

  expect(choices('7')).toEqual(choices('7'));
  expect(choices('7')).not.toEqual(choices('8'));
});

test('a random generator that a drill forks from another one does not depend on how often the other was used before', () => {
  const busy = randomOf('7');
  busy.below(10);

  expect(busy.fork('mira').below(1_000_000)).toBe(randomOf('7').fork('mira').below(1_000_000));
});

test('a list shuffled by the drills keeps its elements, and each element comes first in some shuffle', () => {
  const random = randomOf('7');
  const firsts = new Set<number>();
  for (let round = 0; round < 200; round += 1) {
    const [first = 0, ...rest] = random.shuffle([1, 2, 3, 4]);
    expect([first, ...rest].sort()).toEqual([1, 2, 3, 4]);
    firsts.add(first);
  }
  expect(firsts.size).toBe(4);
});
