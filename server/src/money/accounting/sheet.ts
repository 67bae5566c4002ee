/** A table of the report, written as one CSV file. */
export interface Sheet {
  file: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Formats CSV according to RFC 4180. */
export function csvOf({ columns, rows }: Sheet): string {
  return [columns, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Formats minor units exactly: `499` USD is `4.99`, and points have no decimals. */
export function decimalText(amountMinor: bigint, unit: string): string {
  const decimals = decimalsOf(unit);
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor)
    .toString()
    .padStart(decimals + 1, '0');
  const sign = amountMinor < 0n ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

function decimalsOf(unit: string): number {
  if (!currencies.has(unit)) return 0;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: unit });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
