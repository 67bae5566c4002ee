/** The values of a bill line by column name; each value has a backtick in front. */
export function cellsOf(head: string, line: string): Record<string, string> | undefined {
  const names = head.split(',');
  const values = line.startsWith('`') ? line.slice(1).split(',`') : [];
  if (values.length !== names.length) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/** The lines between the column names and the two lines of totals; `undefined` without totals. */
export function partsOfBill(
  text: string,
): { head: string; lines: string[]; sums: Record<string, string> | undefined } | undefined {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const [sumValues, sumNames] = [lines.pop(), lines.pop()];
  if (sumValues === undefined || sumNames === undefined) return undefined;
  return { head, lines, sums: cellsOf(sumNames, sumValues) };
}

/** Parses `2026-11-15 21:30:00` in Beijing time; `undefined` if it is malformed. */
export function readBillTime(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return undefined;
  const at = new Date(`${text.replace(' ', 'T')}+08:00`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
