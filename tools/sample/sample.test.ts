import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sampleOf } from './sample.ts';

const parts = Array.from({ length: 22 }, (_, index) => `part ${index}`);
const commitAt = (index: number) => createHash('sha1').update(String(index)).digest('hex');
const half = (commit: string) => sampleOf(parts, { commit, share: 0.5, nameOf: (part) => part });

test('a commit always gets the same sample of CI checks, in the order of all checks', () => {
  const sample = half(commitAt(1));

  expect(sample).toHaveLength(11);
  expect(half(commitAt(1))).toEqual(sample);
  expect(parts.filter((part) => sample.includes(part))).toEqual(sample);
});

test('different commits get different samples of CI checks', () => {
  expect(
    new Set(Array.from({ length: 20 }, (_, index) => half(commitAt(index)).join())),
  ).toHaveLength(20);
});

test('the sampler of CI checks takes a given check for at least one of ten commits in more than 195 of 200 trials', () => {
  let missed = 0;
  for (let run = 0; run < 200; run += 1) {
    const taken = Array.from({ length: 10 }, (_, index) => half(commitAt(run * 10 + index)));
    if (!taken.some((sample) => sample.includes('part 0'))) missed += 1;
  }
  expect(missed).toBeLessThan(5);
});

test('the sample named "all" contains every CI check', () => {
  expect(half('all')).toEqual(parts);
});
