/** Settlement days of one provider that are read by one query. */
export interface DayGroup {
  psp: string;
  days: string[];
}

/**
 * Groups consecutive days up to the given number of rows; a day with more rows is a group of its
 * own. A quiet shop has a thousand days of a few rows each, a busy shop has a hundred thousand rows
 * a day.
 */
export function groupDays(
  counted: readonly (readonly string[])[],
  rowsMax: number = rowsOfGroup,
): DayGroup[] {
  const groups: (DayGroup & { rows: number })[] = [];
  for (const [psp = '', day = '', count] of counted) {
    const rows = Number(count);
    const last = groups.at(-1);
    if (last?.psp === psp && last.rows + rows <= rowsMax) {
      last.days.push(day);
      last.rows += rows;
    } else {
      groups.push({ psp, days: [day], rows });
    }
  }
  return groups;
}

const rowsOfGroup = 5_000;
