import type { z } from 'zod';

/** An external party that could not be asked, and the reason. */
export interface NotAsked {
  party: string;
  reason: string;
}

/** Thrown if an external party does not answer, or not in the expected form. */
export class NoAnswer extends Error {}

/** Parses an answer; throws `Unasked` if it does not match the schema. */
export function readAnswer<T>(schema: z.ZodType<T>, body: string): T {
  const read = schema.safeParse(parseJson(body));
  if (read.success) return read.data;
  // The paths of wrong fields, without their values.
  const where = read.error.issues.slice(0, 3).map(({ path }) => path.join('.') || 'all of it');
  throw new NoAnswer(`an answer outside the contract: ${where.join(', ')}`);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A list with more pages is considered endless. */
export const pagesMax = 20_000;
