/** A table for an accountant, as one file of comma-separated values. */
export interface Sheet {
  file: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** As RFC 4180 has it: what a spreadsheet opens without asking. */
export function csvOf({ columns, rows }: Sheet): string {
  return [columns, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** `499` USD is `4.99`, points are counted whole; exact in any currency. */
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
