import { parseCsv } from '../csv.ts';

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
  const isWhole = records.every((cells) => cells.length === names.length);
  if (!isWhole) return undefined;
  return { rows: records.map((cells) => named(names, cells)), sums: all.slice(end + 1) };
}

/** Long numbers end with a tab, so that spreadsheets do not round them. */
function named(names: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name.trim(), (cells[index] ?? '').trim()]));
}

/** The number of lines according to a total at the end. */
export function countedIn(sums: readonly string[], name: string): number {
  const found = sums.find((line) => line.startsWith(`#${name}合计：`)) ?? '';
  return Number(/^#..合计：(\d+)笔/.exec(found)?.[1] ?? Number.NaN);
}
