import { byColumn } from '../settlement-rows.ts';

/** The values of a bill line by column name; each value has a backtick in front. */
export function cellsOf(head: string, line: string): Record<string, string> | undefined {
  const values = line.startsWith('`') ? line.slice(1).split(',`') : [];
  return byColumn(head.split(','), values);
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
