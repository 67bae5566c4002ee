import { majorAmount } from './money.ts';
import { findCharge } from './paying.ts';
import type { Provider } from './provider.ts';
import { type MovementRow, movementRow } from './rows.ts';

const columns =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,' +
  'TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),' +
  'Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),' +
  'Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,' +
  'Batch Number';

const daySeconds = 24 * 3600;
const linesMax = 100_000;

/**
 * The settlement details report of a day, with the errors that were planned. Nothing for a file that
 * there is not: of another merchant, of a day that is not over, or of another name.
 */
export function settlementReport(
  provider: Provider,
  { account, file }: { account: string; file: string },
): string | undefined {
  if (account !== provider.settings.merchantAccount) return undefined;
  const [, year, month, date] =
    /^settlement_detail_report_(\d{4})_(\d\d)_(\d\d)\.csv$/.exec(file) ?? [];
  const from = Date.parse(`${year}-${month}-${date}T00:00:00Z`) / 1000;
  if (Number.isNaN(from)) return undefined;
  const until = from + daySeconds;
  const isOver = provider.clock.nowSeconds() >= until;
  if (!isOver && provider.settlementPlan.isReady !== true) return undefined;
  const batch = Math.floor(from / daySeconds);
  const lines = linesBetween(provider, from, until);
  const cells = lines.map((line) => cellsOf(provider, line, batch));
  const payout = payoutCells(provider, { until, batch });
  return [columns, ...[...cells, payout].map((row) => row.map(quoted).join(',')), ''].join('\n');
}

type Line = MovementRow & { reference: string };

function linesBetween(provider: Provider, from: number, until: number): Line[] {
  const { omit = [], alter = {}, invent = [] } = provider.settlementPlan;
  const found = provider.db.all(
    movementRow,
    'select * from movements where created >= ? and created < ? order by created, id limit ?',
    from,
    until,
    linesMax,
  );
  const ids = ({ charge, modification }: MovementRow) => [modification, charge];
  const lines = found
    .filter((line) => !ids(line).some((id) => omit.includes(id)))
    .map((line) => {
      const amount = alter[line.modification] ?? line.amount;
      const reference = findCharge(provider, line.charge)?.reference ?? '';
      return { ...line, amount, reference };
    });
  const invented = invent.map(({ type, pspReference, amount, currency }, index) => ({
    ...{ id: -index, created: from, type, charge: pspReference, modification: pspReference },
    ...{ modification_reference: '', amount, currency, reference: 'invented' },
  }));
  return [...lines, ...invented];
}

function cellsOf({ settings }: Provider, line: Line, batch: number): string[] {
  const amount = majorAmount(Math.abs(line.amount), line.currency);
  const debit = line.amount < 0 ? amount : '';
  const credit = line.amount < 0 ? '' : amount;
  return [
    ...['SandboxCompany', settings.merchantAccount, line.charge, line.reference, 'visa'],
    ...[timeOf(line.created), 'UTC', line.type, line.modification],
    ...[line.currency, debit, credit, '1', line.currency, debit, credit],
    ...['', '0', '0', '0', 'visaclassic', line.modification_reference, String(batch)],
  ];
}

/** The end of each batch: what goes to the merchant's bank. */
function payoutCells(
  { settings }: Provider,
  { until, batch }: { until: number; batch: number },
): string[] {
  return [
    ...['SandboxCompany', settings.merchantAccount, '', '', '', timeOf(until - 1), 'UTC'],
    ...['MerchantPayout', `TX${batch}XT batch ${batch}`, 'EUR', '0.00', '', '1', 'EUR', '0.00', ''],
    ...['', '', '', '', '', '', String(batch)],
  ];
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
