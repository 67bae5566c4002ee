import { majorAmount } from './money.ts';
import { findCharge } from './paying.ts';
import { balanceMovementsBetween } from './payouts.ts';
import type { Provider } from './provider.ts';
import { type BalanceMovementRow, type MovementRow, movementRow } from './rows.ts';

const columns =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,' +
  'TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),' +
  'Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),' +
  'Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,' +
  'Batch Number';

const daySeconds = 24 * 3600;
const linesMax = 100_000;

/**
 * The settlement details report of a day, with the planned errors. Undefined for another merchant,
 * for a day that is not over, and for an unknown file name.
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
  const others = balanceMovementsBetween(provider, { from, until });
  const otherCells = others.map((movement) => balanceCells(provider, movement, batch));
  return [columns, ...[...cells, ...otherCells].map((row) => row.map(quoted).join(',')), ''].join(
    '\n',
  );
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
    id: -index,
    created: from,
    type,
    charge: pspReference,
    modification: pspReference,
    commission: 0,
    markup: 0,
    scheme_fees: 0,
    interchange: 0,
    modification_reference: '',
    amount,
    currency,
    reference: 'invented',
  }));
  return [...lines, ...invented];
}

function cellsOf({ settings }: Provider, line: Line, batch: number): string[] {
  const { currency, commission, markup, scheme_fees, interchange } = line;
  const net = line.amount - commission - markup - scheme_fees - interchange;
  const costs = [commission, markup, scheme_fees, interchange].map((cost) =>
    cost === 0 ? '' : majorAmount(cost, currency),
  );
  return [
    ...['SandboxCompany', settings.merchantAccount, line.charge, line.reference, 'visa'],
    ...[timeOf(line.created), 'UTC', line.type, line.modification],
    ...[currency, ...sidesOf(line.amount, currency), '1', currency, ...sidesOf(net, currency)],
    ...[...costs, 'visaclassic', line.modification_reference, String(batch)],
  ];
}

/** Lines without a payment have no gross amount. */
function balanceCells(
  { settings }: Provider,
  { created, type, name, amount, currency }: BalanceMovementRow,
  batch: number,
): string[] {
  return [
    ...['SandboxCompany', settings.merchantAccount, '', '', '', timeOf(created), 'UTC', type],
    ...[`${name} batch ${batch}, ${settings.merchantAccount}`, '', '', '', ''],
    ...[currency, ...sidesOf(amount, currency), '', '', '', '', '', '', String(batch)],
  ];
}

/** The debit and the credit column. */
function sidesOf(amount: number, currency: string): [debit: string, credit: string] {
  const text = majorAmount(Math.abs(amount), currency);
  return amount < 0 ? [text, ''] : ['', text];
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
