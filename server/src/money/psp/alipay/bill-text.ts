import { parseCsv } from '../../../platform/csv.ts';
import { byColumn } from '../settlement-rows.ts';

/**
 * The rows of a bill by column name. They stand between two rulers, after a line of column names and
 * before the totals. `undefined` if the text is not a bill or is a bill of another account.
 */
export function rowsOfBill(
  text: string,
  { list, sellerId }: { list: '业务明细列表' | '账务明细列表'; sellerId: string },
): { rows: Record<string, string>[]; sums: string[] } | undefined {
  const all = text.split(/\r?\n/);
  const start = all.findIndex((line) => new RegExp(`^#-+${list}-+$`).test(line));
  const end = all.findIndex((line) => new RegExp(`^#-+${list}结束-+$`).test(line));
  if (start === -1 || end <= start + 1) return undefined;
  if (!all.slice(0, start).some((line) => line.startsWith(`#账号：[${sellerId}`))) return undefined;
  const [names, ...records] = parseCsv(all.slice(start + 1, end).join('\n')) ?? [];
  if (names === undefined) return undefined;
  const columns = trimmed(names);
  const rows = records.map((cells) => byColumn(columns, trimmed(cells)));
  const read = rows.filter((row) => row !== undefined);
  return read.length === rows.length ? { rows: read, sums: all.slice(end + 1) } : undefined;
}

/** Long numbers end with a tab, so that spreadsheets do not round them. */
function trimmed(cells: readonly string[]): string[] {
  return cells.map((cell) => cell.trim());
}

/** The number of lines according to a total at the end. */
export function countedIn(sums: readonly string[], name: string): number {
  const found = sums.find((line) => line.startsWith(`#${name}合计：`)) ?? '';
  return Number(/^#..合计：(\d+)笔/.exec(found)?.[1] ?? Number.NaN);
}
