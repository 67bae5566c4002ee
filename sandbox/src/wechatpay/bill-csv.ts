/**
 * A bill in the format of the provider: a byte order mark, a header line, a line for each entry
 * with a backtick before every value, and two summary lines.
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

// The provider, too, removes commas from values, because it does not quote them.
function quoted(values: readonly string[]): string {
  return values.map((value) => `\`${value.replaceAll(/[,\r\n`]/g, ' ')}`).join(',');
}
