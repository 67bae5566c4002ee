import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { nearestNames } from '../platform/nearest-names.ts';
import { readTable } from './csv-file.ts';
import { checked } from './faults.ts';
import { type Complaint, inOrder, type Place, type Said } from './places.ts';
import { readYaml } from './yaml-file.ts';

/** Reads the documents of a folder and collects what is wrong with them. Paths are relative to it. */
export interface FolderReader {
  now: Date;
  /** Everything that counts will have been read, so that other files are complained of. */
  knowsAllFiles(): void;
  /** Allows relative times such as `+7d`, which count from `now`. */
  allowRelativeTimes(): void;
  /** The file `path.yaml` or `path.json`; undefined if it is missing or wrong, which is a complaint. */
  document<T>(schema: z.ZodType<T>, path: string): Said<T> | undefined;
  /** Whether there is such a document. */
  has(path: string): boolean;
  /** The lines of `path`, without those that are wrong. */
  table<T>(schema: z.ZodType<T>, path: string): Said<T>[];
  /** The text of a file; undefined if it is missing or not UTF-8. */
  text(path: string): string | undefined;
  /** The names in a folder, in alphabetical order; none if it does not exist. */
  list(path: string): string[];
  /** Checks a value that was put together from several files. */
  checked<T>(schema: z.ZodType<T>, said: Said<unknown>): Said<T> | undefined;
  complain(place: Place, problem: string, field?: string): void;
  /** All complaints in the order of their places, with those about files that nothing has read. */
  complaints(): Complaint[];
}

const endings = ['yaml', 'json'];
/** Files that say nothing to the shop. */
const isIgnored = (name: string) => name.startsWith('.') || /^(README|LICENSE)\b/i.test(name);

export function openFolder(folder: string, now: Date): FolderReader {
  const complaints: Complaint[] = [];
  const used = new Set<string>();
  let hasRelativeTimes = false;
  let isListed = false;

  const complain: FolderReader['complain'] = ({ file, line, column }, problem, field = '') =>
    void complaints.push({ file, line, column, field, problem });
  const text = (path: string) => {
    used.add(path);
    try {
      const bytes = readFileSync(join(folder, path));
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      const problem =
        error instanceof TypeError ? 'is not UTF-8: save it as UTF-8' : 'is missing: write it';
      complain(startOf(path), problem);
      return undefined;
    }
  };
  const list = (path: string) => namesIn(join(folder, path)).filter((name) => !isIgnored(name));
  const filesOf = (path: string) =>
    endings.map((ending) => `${path}.${ending}`).filter((file) => isFile(join(folder, file)));
  const withTimes = (value: unknown) => (hasRelativeTimes ? absolute(value, now) : value);
  const judged = <T>(schema: z.ZodType<T>, { value, at }: Said<unknown>) => {
    const good = checked(schema, { value: withTimes(value), at }, complaints);
    return good === undefined ? undefined : { value: good, at };
  };
  return {
    now,
    knowsAllFiles: () => {
      isListed = true;
    },
    allowRelativeTimes: () => {
      hasRelativeTimes = true;
    },
    has: (path) => filesOf(path).length > 0,
    document: (schema, path) => {
      const [file = `${path}.yaml`, twin] = filesOf(path);
      if (twin !== undefined) {
        used.add(twin);
        complain(startOf(twin), `says the same as ${file}: keep one of the two files`);
      }
      const source = text(file)?.replace(/^\uFEFF/, '');
      if (source === undefined) return undefined;
      const said = readYaml(file, source, complaints);
      return said === undefined ? undefined : judged(schema, said);
    },
    table: (schema, path) => {
      const source = text(path);
      if (source === undefined) return [];
      const lines = readTable(schema, { file: path, text: source }, complaints);
      return lines.flatMap((line) => judged(schema, line) ?? []);
    },
    text,
    list,
    checked: judged,
    complain,
    complaints: () => inOrder([...complaints, ...(isListed ? strangers(folder, used) : [])]),
  };
}

export function startOf(file: string): Place {
  return { file, line: 1, column: 1 };
}

/** Files that nothing has read, because a misnamed document would silently not count. */
function strangers(folder: string, used: ReadonlySet<string>): Complaint[] {
  return filesBelow(folder, '')
    .filter((file) => !used.has(file))
    .map((file) => {
      const siblings = [...used].filter((each) => folderOf(each) === folderOf(file));
      const nearest = nearestNames(file, siblings);
      const instead = nearest.length === 0 ? 'remove it' : `it may be meant as ${nearest[0]}`;
      return { ...startOf(file), field: '', problem: `is no document of a shop: ${instead}` };
    });
}

function folderOf(file: string): string {
  return file.split('/').slice(0, -1).join('/');
}

function filesBelow(folder: string, path: string): string[] {
  return namesIn(join(folder, path))
    .filter((name) => !isIgnored(name))
    .flatMap((name) => {
      const inner = path === '' ? name : `${path}/${name}`;
      return isFile(join(folder, inner)) ? [inner] : filesBelow(folder, inner);
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [];
    throw error;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

const dayMs = 86_400_000;

export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * dayMs);
}

/** Replaces texts such as `+7d` and `-1d` by the time so many days from now. */
function absolute(value: unknown, now: Date): unknown {
  if (typeof value === 'string') {
    const [, days] = /^([+-]\d{1,4})d$/.exec(value) ?? [];
    return days === undefined ? value : daysFrom(now, Number(days)).toISOString();
  }
  if (Array.isArray(value)) return value.map((entry) => absolute(entry, now));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, absolute(entry, now)]),
  );
}
