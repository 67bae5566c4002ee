/**
 * A bill as the provider writes it: a mark of the byte order, a line of names, a line for each entry
 * with a backtick before every value, and two lines that sum up.
 */
export function billText(input: {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  summary: readonly (readonly [name: string, value: string])[];
}): string {
  const { columns, rows, summary } = input;
  return [
    `\uFEFF${columns.join(',')}`,
    ...rows.map(quoted),
    summary.map(([name]) => name).join(','),
    quoted(summary.map(([, value]) => value)),
    '',
  ].join('\r\n');
}

// A comma inside a value would look like the next one; the provider leaves it out too.
function quoted(values: readonly string[]): string {
  return values.map((value) => `\`${value.replaceAll(/[,\r\n`]/g, ' ')}`).join(',');
}
