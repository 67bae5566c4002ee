import type { z } from 'zod';

/** Somebody who could not be asked, and why. */
export interface NotAsked {
  party: string;
  reason: string;
}

/** Why somebody could not be asked: they do not answer, or in no way that can be read. */
export class Unasked extends Error {}

/** What was answered, if it is what it has to be. */
export function readAnswer<T>(schema: z.ZodType<T>, body: string): T {
  const read = schema.safeParse(parseJson(body));
  if (read.success) return read.data;
  // Where it is wrong, and never what it says.
  const where = read.error.issues.slice(0, 3).map(({ path }) => path.join('.') || 'all of it');
  throw new Unasked(`an answer outside the contract: ${where.join(', ')}`);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** So many pages of one list are read before it is taken for one without an end. */
export const pagesMax = 20_000;
