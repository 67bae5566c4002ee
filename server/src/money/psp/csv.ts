/**
 * The records of a comma-separated file as RFC 4180 has them, or nothing where the text is not one:
 * a quote out of place means that a field was cut or glued, and then no field can be believed.
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

/** A field, and where it ends: at a comma, at the end of its line, or at that of the text. */
function readField(text: string, start: number): { value: string; end: number } | undefined {
  const pattern = text[start] === '"' ? /"([^"]*(?:""[^"]*)*)"/y : /([^",\r\n]*)/y;
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  const value = found?.[1];
  return value === undefined
    ? undefined
    : { value: value.replaceAll('""', '"'), end: pattern.lastIndex };
}

/** How long the end of the line is that stands here. */
function lineEndAt(text: string, at: number): number | undefined {
  if (at === text.length) return 0;
  if (text[at] === '\n') return 1;
  return text.startsWith('\r\n', at) ? 2 : undefined;
}
