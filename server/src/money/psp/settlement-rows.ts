import { z } from 'zod';
import type { SettlementLine } from './psp.ts';
import type { Unknown } from './replies.ts';

// Reads the rows of a provider's settlement files.

export type SettlementLines = { outcome: 'ok'; lines: SettlementLine[] } | Unknown;

/** One unreadable line makes the whole file unknown, because a missing line would look like missing money. */
export function unreadable(file: string, why: string): Unknown {
  return { outcome: 'unknown', cause: `a ${file} that cannot be read: ${why}` };
}

/** The values of a row by column name; `undefined` if it has another number of values. */
export function byColumn(
  columns: readonly string[],
  values: readonly string[],
): Record<string, string> | undefined {
  if (values.length !== columns.length) return undefined;
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']));
}

/** `2026-11-15 21:30:00` in UTC. */
export const UtcTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  .transform((time) => `${time.replace(' ', 'T')}Z`)
  .pipe(z.iso.datetime())
  .transform((time) => new Date(time));
