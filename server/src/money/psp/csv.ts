/**
 * Parses CSV as in RFC 4180, or returns `undefined`: a misplaced quote means that fields were cut or
 * merged, so none of them can be trusted.
 */
export function parseCsv(text: string): string[][] | undefined {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length || record.length > 0) {
    const field = readField(text, at);
    if (field === undefined) return undefined;
    record.push(field.value);
    at = field.end;
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    const lineEnd = lineEndAt(text, at);
    if (lineEnd === undefined) return undefined;
    records.push(record);
    record = [];
    at += lineEnd;
  }
  return records;
}

/** Reads one field up to a comma, a line end or the end of the text. */
function readField(text: string, start: number): { value: string; end: number } | undefined {
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
