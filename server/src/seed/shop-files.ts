import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { parseCsv } from '../money/psp/csv.ts';

/** A document of a shop folder that cannot be used; the message names file and field. */
export class WrongDocument extends Error {}

/** The documents of a shop folder. Paths are relative to it. */
export interface ShopFiles {
  now: Date;
  /** Throws `WrongDocument` if the file is missing or does not match. */
  json<T>(schema: z.ZodType<T>, path: string): T;
  /** The lines of a table whose first line names the columns. */
  csv<T>(line: z.ZodType<T>, path: string): T[];
  text(path: string): string;
  /** The names in a folder, in alphabetical order; none if it does not exist. */
  list(path: string): string[];
}

/** Relative times such as `+7d` count from `now`. */
export function openShopFiles(folder: string, now: Date): ShopFiles {
  const text = (path: string) => readText(folder, path);
  return {
    now,
    json: (schema, path) => checked(schema, withTimes(parseJson(text(path), path), now), path),
    csv: (line, path) =>
      linesOf(text(path), path).map((value, index) =>
        // The first line names the columns.
        checked(line, withTimes(value, now), `${path} line ${index + 2}`),
      ),
    text,
    list: (path) => listFolder(join(folder, path)),
  };
}

/** Parses a value read from a file; `place` is the file, for a table with the line. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map(({ path, message }) =>
    [place, ...(path.length === 0 ? [] : [path.join('.')])].join(' ').concat(`: ${message}`),
  );
  throw new WrongDocument(complaints.join('\n'));
}

function readText(folder: string, path: string): string {
  try {
    return readFileSync(join(folder, path), 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new WrongDocument(`${path}: cannot be read`, { cause: error });
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WrongDocument(`${path}: is not JSON`, { cause: error });
  }
}

function linesOf(text: string, path: string): object[] {
  const [columns, ...lines] = parseCsv(text) ?? [];
  if (columns === undefined) throw new WrongDocument(`${path}: is not CSV`);
  return lines.map((cells, index) => {
    if (cells.length !== columns.length) {
      throw new WrongDocument(
        `${path} line ${index + 2}: has ${cells.length} of ${columns.length} cells`,
      );
    }
    return objectOf(columns, cells);
  });
}

/**
 * An empty cell is null. Columns such as `name:de-DE` together are one object `name`, from which
 * empty cells are missing.
 */
function objectOf(columns: readonly string[], cells: readonly string[]): object {
  const single = new Map<string, string | null>();
  const joint = new Map<string, Map<string, string>>();
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    const [name = '', key] = column.split(':');
    if (key === undefined) {
      single.set(name, cell === '' ? null : cell);
      continue;
    }
    const entries = joint.get(name) ?? new Map<string, string>();
    joint.set(name, entries);
    if (cell !== '') entries.set(key, cell);
  }
  const objects = [...joint].map(([name, entries]) => [name, Object.fromEntries(entries)]);
  return Object.fromEntries([...single, ...objects]);
}

const dayMs = 86_400_000;

export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * dayMs);
}

/** Replaces texts such as `+7d` and `-1d` by the time so many days from now. */
function withTimes(value: unknown, now: Date): unknown {
  if (typeof value === 'string') {
    const [, days] = /^([+-]\d{1,4})d$/.exec(value) ?? [];
    return days === undefined ? value : daysFrom(now, Number(days)).toISOString();
  }
  if (Array.isArray(value)) return value.map((entry) => withTimes(entry, now));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, withTimes(entry, now)]),
  );
}
