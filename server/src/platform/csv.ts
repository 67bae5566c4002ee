/** A cell of a table with the place of its first letter; lines and columns count from 1. */
export interface CsvCell {
  value: string;
  line: number;
  column: number;
}

interface CsvFault {
  what: string;
  line: number;
  column: number;
}

/**
 * Parses CSV as in RFC 4180. A misplaced quote means that cells were cut or merged, so none of them
 * can be trusted.
 */
export function readCsv(text: string): { records: CsvCell[][] } | { fault: CsvFault } {
  const records: CsvCell[][] = [];
  let record: CsvCell[] = [];
  let [line, lineStart] = [1, 0];
  let at = 0;
  while (at < text.length || record.length > 0) {
    const place = { line, column: at - lineStart + 1 };
    const cell = readCell(text, at);
    if (cell === undefined)
      return { fault: { what: 'has a quotation mark without its end', ...place } };
    record.push({ value: cell.value, ...place });
    const inside = cell.value.split('\n').length - 1;
    if (inside > 0) {
      line += inside;
      lineStart = text.lastIndexOf('\n', cell.end - 1) + 1;
    }
    at = cell.end;
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    const lineEnd = lineEndAt(text, at);
    if (lineEnd === undefined) {
      const what = 'has a quotation mark or a line end in the middle of a cell';
      return { fault: { what, line, column: at - lineStart + 1 } };
    }
    records.push(record);
    record = [];
    at += lineEnd;
    line += 1;
    lineStart = at;
  }
  return { records };
}

/** The values alone, or `undefined` if they cannot be trusted. */
export function parseCsv(text: string): string[][] | undefined {
  const read = readCsv(text);
  return 'fault' in read ? undefined : read.records.map((cells) => cells.map(({ value }) => value));
}

/** Reads one cell up to a comma, a line end or the end of the text. */
function readCell(text: string, start: number): { value: string; end: number } | undefined {
  const pattern = text[start] === '"' ? /"([^"]*(?:""[^"]*)*)"/y : /([^",\r\n]*)/y;
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  const value = found?.[1];
  return value === undefined
    ? undefined
    : { value: value.replaceAll('""', '"'), end: pattern.lastIndex };
}

/** The length of the line end at this position. */
function lineEndAt(text: string, at: number): number | undefined {
  if (at === text.length) return 0;
  if (text[at] === '\n') return 1;
  return text.startsWith('\r\n', at) ? 2 : undefined;
}
