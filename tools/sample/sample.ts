import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** The commit that selects the samples; without SAMPLE_COMMIT everything is run. */
export const askedSample = process.env.SAMPLE_COMMIT || 'all';

/** The commit that is checked out; SAMPLE_COMMIT selects another one. */
export function sampleCommit(): string {
  if (process.env.SAMPLE_COMMIT) return process.env.SAMPLE_COMMIT;
  return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
}

/**
 * The sample of a commit, in the original order. Each item is selected by the given share of all
 * commits, independently of other commits: a half is missed by ten commits in a row with a
 * probability of one in a thousand.
 */
export function sampleOf<T>(
  items: readonly T[],
  { commit, share, nameOf }: { commit: string; share: number; nameOf: (item: T) => string },
): T[] {
  if (commit === 'all') return [...items];
  const rankOf = (item: T) =>
    createHash('sha256')
      .update(`${commit} ${nameOf(item)}`)
      .digest('hex');
  const ranked = items.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
  const taken = new Set(ranked.slice(0, Math.ceil(items.length * share)));
  return items.filter((item) => taken.has(item));
}
