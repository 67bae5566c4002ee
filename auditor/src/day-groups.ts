/** Days of one provider that are gone through by one question. */
export interface DayGroup {
  psp: string;
  days: string[];
}

/**
 * Days that lie one after the other, with no more rows than that together unless one day alone has more: a
 * quiet shop has a thousand days of a few rows each, a busy one has a hundred thousand rows a day.
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
