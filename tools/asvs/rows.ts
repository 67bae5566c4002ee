import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const verdicts = ['held', 'held in part', 'not held', 'does not apply'] as const;

const Row = z.strictObject({
  /** The requirement's number in the standard. */
  id: z.string(),
  /** The requirement in our own words, because the standard's text is under another license. */
  asks: z.string(),
  verdict: z.string(),
  /** A file, `file.md#heading`, or `file.test.ts > describe > title of a test`. */
  evidence: z.array(z.string()).default([]),
  /** What the evidence does not cover: what is missing, and what it would take. */
  why: z.string().optional(),
});

export type Row = z.output<typeof Row>;

/** All rows of `docs/asvs/`, a file for each chapter. */
export function readRows(root: string): Row[] {
  const folder = join(root, 'docs/asvs');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => z.array(Row).parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}
