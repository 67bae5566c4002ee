import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bugs } from './bugs.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

test.each(bugs)(
  'the source text that a seeded bug replaces exists exactly once: $name',
  ({ file, from, test: proof }) => {
    expect(read(file).split(from)).toHaveLength(2);
    expect(read(proof.file)).toContain('test');
  },
);
