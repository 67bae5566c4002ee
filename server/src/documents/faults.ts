import { z } from 'zod';
import { nearestNames } from '../platform/nearest-names.ts';
import type { Complaint, Said } from './places.ts';

/** Checks a value and adds what is wrong with it to the complaints; undefined if anything is. */
export function checked<T>(
  schema: z.ZodType<T>,
  said: Said<unknown>,
  complaints: Complaint[],
): T | undefined {
  const parsed = schema.safeParse(said.value, { error: faultOf });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    for (const { path, problem } of partsOf(issue)) {
      const value = issue.code === 'unrecognized_keys' ? undefined : valueAt(said.value, path);
      const field = path.join('.');
      const shown = isShort(value) && !/^write /.test(problem) ? `${JSON.stringify(value)} ` : '';
      complaints.push({ ...said.at(path), field, problem: `${shown}${problem}` });
    }
  }
  return undefined;
}

/** An issue about several keys is several complaints. */
function partsOf({ path, message, ...issue }: z.core.$ZodIssue) {
  if (issue.code !== 'unrecognized_keys') return [{ path, problem: message }];
  const known: readonly string[] = JSON.parse(message);
  return issue.keys.map((key) => ({ path: [...path, key], problem: unknownField(key, known) }));
}

function unknownField(key: string, known: readonly string[]): string {
  const nearest = nearestNames(key, known);
  return nearest.length === 0
    ? `is no field here: there are ${known.join(', ')}`
    : `is no field here: the nearest is ${nearest.join(', ')}`;
}

/** What is wrong with a value, in words that follow it. Messages of schemas come before this. */
function faultOf(issue: z.core.$ZodRawIssue): string {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return `is missing: write ${wantedFor(issue.expected)}`;
      if (issue.expected === 'string' && typeof input !== 'object') {
        return `is no text: write it in quotation marks, "${String(input)}"`;
      }
      return typeof input === 'string' && spreadsheetNumber.test(input)
        ? fromSpreadsheet
        : `is no ${wantedFor(issue.expected).replace(/^an? | in digits.*|,.*/g, '')}: write ${wantedFor(issue.expected)}`;
    case 'invalid_value': {
      if (input === undefined) return `is missing: write one of ${issue.values.join(', ')}`;
      const nearest = nearestNames(String(input), issue.values.map(String));
      const all = issue.values.join(', ');
      return `is not one of ${all}${nearest.length === 0 ? ': write one of them' : `: write ${nearest[0]}`}`;
    }
    case 'unrecognized_keys':
      return JSON.stringify(fieldsOf(issue.inst));
    case 'invalid_key':
      return 'is no name for this: write an id, such as gems_300';
    case 'too_small':
      return boundOf(issue.origin, `at least ${issue.minimum}`, 'too short');
    case 'too_big':
      return boundOf(issue.origin, `at most ${issue.maximum}`, 'too long');
    case 'invalid_format':
      return `is not in the form of ${issue.format}: write it in that form`;
    case 'invalid_union':
      return 'is none of the forms that are allowed here: write one that the schema names';
    default:
      return 'cannot be used: write a value that the schema allows';
  }
}

const spreadsheetNumber = /^\d+([.,]\d+)?E\+\d+$/i;
const fromSpreadsheet =
  'is what a spreadsheet makes of a long number: write it in full, in a column formatted as text';
const swappedDate = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/;

/** Complaints about texts that only a spreadsheet writes, which say more than those of schemas. */
export function spreadsheetFault(cell: string): string | undefined {
  if (spreadsheetNumber.test(cell)) return fromSpreadsheet;
  return swappedDate.test(cell)
    ? 'is a date whose day and month may be swapped: write it as 2026-12-01T10:00:00+01:00'
    : undefined;
}

const wanted: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number in digits alone, such as 60',
  int: 'a whole number, such as 60',
  boolean: 'a word, true or false',
  array: 'a list, such as [a, b]',
  object: 'an object of fields',
  record: 'an object of fields',
};

function wantedFor(expected: string): string {
  return wanted[expected] ?? `a value of the kind ${expected}`;
}

function boundOf(origin: string, bound: string, length: string): string {
  if (origin === 'string') return `is ${length}: write ${bound} letters`;
  if (origin === 'array' || origin === 'set') return `is ${length}: write ${bound} entries`;
  return `is out of range: write ${bound}`;
}

/** The names that an object or record allows. */
function fieldsOf(schema: unknown): string[] {
  const known = Described.safeParse(schema).data?._zod.def;
  return Object.keys(known?.shape ?? known?.keyType?._zod.def.entries ?? {});
}

const Described = z.object({
  _zod: z.object({
    def: z.object({
      shape: z.record(z.string(), z.unknown()).optional(),
      keyType: z
        .object({
          _zod: z.object({
            def: z.object({ entries: z.record(z.string(), z.unknown()).optional() }),
          }),
        })
        .optional(),
    }),
  }),
});

const shownMax = 60;

function isShort(value: unknown): boolean {
  if (value === undefined) return false;
  if (value !== null && typeof value === 'object') return false;
  return String(value).length <= shownMax;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = Reflect.get(inner, key);
  }
  return inner;
}
