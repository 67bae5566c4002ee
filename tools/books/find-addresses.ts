import { join } from 'node:path';
import { readRunningStack } from '../stack/stack-file.ts';
import type { BooksAddresses } from './check-books.ts';

/** The addresses of the running demo, or else of the running dev shop. */
export function findAddresses(home: string): BooksAddresses | undefined {
  return (
    readRunningStack(join(home, 'demo', 'stack.json')) ??
    readRunningStack(join(home, 'dev', 'stack.json'))
  );
}
