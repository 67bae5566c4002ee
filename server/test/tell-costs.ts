import { afterAll } from 'vitest';
import { type Cost, takeCosts } from './costs.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds; `npm run ci -- --times` prints them. */
    costs?: Partial<Record<Cost, number>>;
  }
}

// A setup file: it runs around every test file, and its hooks end last.
takeCosts();
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads here what a hook needs.
afterAll(({}, file) => {
  file.meta.costs = takeCosts();
});
