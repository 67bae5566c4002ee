import { z } from 'zod';
import { type CsvCell, readCsv } from '../platform/csv.ts';
import { nearestNames } from '../platform/nearest-names.ts';
import { spreadsheetFault } from './faults.ts';
import type { Complaint, Place, Said } from './places.ts';

type ColumnKind = 'text' | 'count' | 'flag' | 'list' | 'texts';

/** The lines of a table, whose first line names the columns. None if the table is no such one. */
export function readTable(
  schema: z.ZodType,
  { file, text }: { file: string; text: string },
  complaints: Complaint[],
): Said<object>[] {
  const complain = (place: Omit<Place, 'file'>, problem: string, field = '') =>
    void complaints.push({ file, line: place.line, column: place.column, field, problem });
  const start = { line: 1, column: 1 };
  if (text.startsWith('\uFEFF')) {
    complain(start, 'begins with a byte order mark: save it as UTF-8 without one');
    return [];
  }
  const read = readCsv(text);
  if ('fault' in read) {
    complain(
      read.fault,
      `${read.fault.what}: write quotation marks around a text, and two for one inside`,
    );
    return [];
  }
  const [columns, ...lines] = read.records;
  if (columns === undefined) {
    complain(start, 'is empty: write a first line with the names of the columns');
    return [];
  }
  const kinds = columnKinds(schema);
  const faults = headerFaults(columns, kinds);
  for (const { cell, problem } of faults) complain(cell, problem);
  if (faults.length > 0) return [];
  return lines.flatMap((cells) => {
    const [first] = cells;
    if (first === undefined || (cells.length === 1 && first.value === '')) return [];
    if (cells.length !== columns.length) {
      const { cell, problem } = countFault(cells, columns);
      complain(cell ?? first, problem);
      return [];
    }
    const wrong = cells.flatMap((cell, index) => {
      const problem = spreadsheetFault(cell.value);
      return problem === undefined ? [] : [{ cell, problem, column: columns[index] }];
    });
    for (const { cell, problem, column } of wrong) {
      complain(cell, `${JSON.stringify(cell.value)} ${problem}`, column?.value);
    }
    return wrong.length > 0 ? [] : [saidBy(cells, { file, columns, kinds })];
  });
}

function countFault(cells: readonly CsvCell[], columns: readonly CsvCell[]) {
  const split = cells.findIndex(
    ({ value }, index) => /^\d+$/.test(value) && /^\d{1,2}$/.test(cells[index + 1]?.value ?? ''),
  );
  const [whole, part] = split < 0 ? [] : cells.slice(split, split + 2);
  const instead =
    split >= 0 && cells.length > columns.length
      ? `write ${whole?.value}.${part?.value} with a point`
      : 'write a comma between two cells, and texts with commas in quotation marks';
  const problem = `has ${cells.length} cells for ${columns.length} columns: ${instead}`;
  return { cell: cells.length > columns.length ? whole : undefined, problem };
}

function headerFaults(columns: readonly CsvCell[], kinds: Kinds) {
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0 && only.value.includes(';')) {
    return [{ cell: only, problem: 'separates columns by semicolons: write commas' }];
  }
  const names = columns.map(({ value }) => value);
  const strange = columns.flatMap((cell, index) => {
    const { value } = cell;
    const [name = '', locale] = value.split(':');
    const kind = kinds.byName.get(name);
    if (names.indexOf(value) < index) {
      return [{ cell, problem: `${value} is there twice: keep one of the two columns` }];
    }
    if (kind !== undefined && (kind === 'texts') === (locale !== undefined)) return [];
    const all = [...kinds.byName].map(([each, of]) => (of === 'texts' ? `${each}:en-US` : each));
    const nearest = nearestNames(value, all);
    const instead = nearest.length === 0 ? `there are ${all.join(', ')}` : `write ${nearest[0]}`;
    return [{ cell, problem: `${JSON.stringify(value)} is no column of this table: ${instead}` }];
  });
  const missing = kinds.needed.filter((name) => !names.some((each) => each.split(':')[0] === name));
  return [
    ...strange,
    ...(strange.length > 0 || only === undefined
      ? []
      : missing.map((name) => ({
          cell: only,
          problem: `has no column ${name}: write ${kinds.byName.get(name) === 'texts' ? `${name}:en-US` : name} into the first line`,
        }))),
  ];
}

/**
 * Columns such as `name:de-DE` together are one object `name`. An empty cell says nothing, so that
 * its default counts.
 */
function saidBy(
  cells: readonly CsvCell[],
  { file, columns, kinds }: { file: string; columns: readonly CsvCell[]; kinds: Kinds },
): Said<object> {
  const fields = new Map<string, unknown>();
  const texts = new Map<string, Map<string, string>>();
  const places = new Map<string, CsvCell>();
  for (const [index, { value: column }] of columns.entries()) {
    const cell = cells[index];
    const [name = '', locale] = column.split(':');
    if (cell === undefined) continue;
    places.set(column, cell);
    if (!places.has(name)) places.set(name, cell);
    const kind = kinds.byName.get(name);
    if (kind === 'texts' && locale !== undefined) {
      const those = texts.get(name) ?? new Map<string, string>();
      texts.set(name, those);
      if (cell.value !== '') those.set(locale, cell.value);
    } else if (cell.value !== '') {
      fields.set(name, typed(cell.value, kind));
    }
  }
  const [first] = cells;
  const joint = [...texts].map(([name, those]) => [name, Object.fromEntries(those)] as const);
  return {
    value: Object.fromEntries([...fields, ...joint]),
    at: (path = []) => {
      const [name = '', locale] = path.map(String);
      const cell = places.get(`${name}:${locale}`) ?? places.get(name) ?? first;
      return { file, line: cell?.line ?? 1, column: cell?.column ?? 1 };
    },
  };
}

function typed(cell: string, kind: ColumnKind | undefined): unknown {
  if (kind === 'count' && /^-?\d{1,15}$/.test(cell)) return Number(cell);
  if (kind === 'flag' && (cell === 'true' || cell === 'false')) return cell === 'true';
  return kind === 'list' ? cell.split(' ') : cell;
}

interface Kinds {
  byName: ReadonlyMap<string, ColumnKind>;
  needed: readonly string[];
}

const Property = z.object({ type: z.string().optional() });
const Line = z.object({
  properties: z.record(z.string(), Property.extend({ anyOf: z.array(Property).optional() })),
  required: z.array(z.string()).default([]),
});

const known = new WeakMap<z.ZodType, Kinds>();

/** The columns follow from the shape of a line. */
function columnKinds(schema: z.ZodType): Kinds {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const { properties, required } = Line.parse(z.toJSONSchema(schema, { io: 'input' }));
  const byName = new Map(
    Object.entries(properties).map(([name, { type, anyOf }]): [string, ColumnKind] => {
      const each = type ?? anyOf?.find((choice) => choice.type !== 'null')?.type ?? 'string';
      return [name, kindsByType[each] ?? 'text'];
    }),
  );
  const kinds = { byName, needed: required };
  known.set(schema, kinds);
  return kinds;
}

const kindsByType: Readonly<Record<string, ColumnKind>> = {
  integer: 'count',
  boolean: 'flag',
  array: 'list',
  object: 'texts',
};
