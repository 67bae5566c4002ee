import { playerFields } from '@pointgate/contract/player-line.ts';

/** Columns by their place, and what separates them. */
export interface CsvHeader {
  columns: readonly string[];
  separator: string;
}

/** Spreadsheets outside of the English-speaking world write semicolons. */
const separators = [',', ';', '\t'];

/** The header, or the place of the first column that is no field of a player. */
export function readCsvHeader(text: string): CsvHeader | { unknownColumn: number } {
  const unknown = separators.map((separator) => {
    const columns = readCsvLine(text, separator) ?? [''];
    const isField = (name: string) => playerFields.some((field) => field === name);
    const index = columns.findIndex(
      (name, place) => !isField(name) || columns.indexOf(name) !== place,
    );
    return { columns, separator, index };
  });
  const found = unknown.find(({ index }) => index < 0);
  if (found !== undefined) return { columns: found.columns, separator: found.separator };
  return { unknownColumn: 1 + Math.max(...unknown.map(({ index }) => index)) };
}

/**
 * The fields of a line as in RFC 4180, but for line breaks, which no field of a player contains.
 * Undefined if a quote is in a wrong place.
 */
export function readCsvLine(text: string, separator: string): string[] | undefined {
  const fields: string[] = [];
  const field = new RegExp(`"([^"]*(?:""[^"]*)*)"|([^"${separator}]*)`, 'y');
  for (let at = 0; ; at += 1) {
    field.lastIndex = at;
    const [whole = '', quoted, plain = ''] = field.exec(text) ?? [];
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (at >= text.length) return fields;
    if (text[at] !== separator) return undefined;
  }
}
