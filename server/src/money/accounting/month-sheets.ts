import { pointsUnit } from '@pointgate/contract/money.ts';
import type {
  BalanceRow,
  BookRow,
  FeeRow,
  PayoutRow,
  RefundRow,
  SaleRow,
} from './accounting.queries.ts';
import { decimalText, type Sheet } from './sheet.ts';

/** An amount in minor units and as a decimal number. */
const both = (amount: bigint, unit: string): string[] => [
  amount.toString(),
  decimalText(amount, unit),
];

const columnsOf = (...names: string[]) => names.flatMap((name) => [`${name}_minor`, name]);

/** Debit is positive, so the balances of all books in one unit add up to zero. */
export function trialBalanceSheet(rows: readonly BookRow[]): Sheet {
  return {
    file: 'trial-balance.csv',
    columns: ['unit', 'book', ...columnsOf('start', 'debit', 'credit', 'end')],
    rows: rows.map(({ unit, book, start, debit, credit }) => [
      ...[unit, book],
      ...[start, debit, credit, start + debit - credit].flatMap((amount) => both(amount, unit)),
    ]),
  };
}

export function balancesSheet(rows: readonly BalanceRow[]): Sheet {
  return {
    file: 'provider-balances.csv',
    columns: ['contract', 'currency', ...columnsOf('start', 'in', 'out', 'end')],
    rows: rows.map(({ psp, unit, start, debit, credit }) => [
      ...[psp ?? '(not noted)', unit],
      ...[start, debit, credit, start + debit - credit].flatMap((amount) => both(amount, unit)),
    ]),
  };
}

/**
 * The currency of orders paid with points is the point unit. Deferred means unused bought points.
 */
export function revenueSheet(rows: readonly SaleRow[]): Sheet {
  return {
    file: 'revenue.csv',
    columns: ['site', 'kind', 'currency', ...columnsOf('sold', 'reversed', 'deferred', 'revenue')],
    rows: rows.map(({ site, kind, unit, sold, reversed, deferred }) => [
      ...[site ?? '(archived)', kind ?? '(archived)', unit],
      ...[sold, reversed, deferred, sold - reversed - deferred].flatMap((amount) =>
        both(amount, unit),
      ),
    ]),
  };
}

/** Refunds in points have no contract. */
export function refundsSheet(rows: readonly RefundRow[]): Sheet {
  return {
    file: 'refunds.csv',
    columns: ['reason', 'contract', 'currency', ...columnsOf('refunded', 'returned', 'gone')],
    rows: rows.map(({ reason, psp, unit, refunded, returned }) => [
      ...[reason, psp ?? (unit === pointsUnit ? '' : '(not noted)'), unit],
      ...[refunded, returned, refunded - returned].flatMap((amount) => both(amount, unit)),
    ]),
  };
}

export function feesSheet(rows: readonly FeeRow[]): Sheet {
  return {
    file: 'fees.csv',
    columns: ['contract', 'book', 'currency', ...columnsOf('taken', 'given_back', 'cost')],
    rows: rows.map(({ psp, book, unit, taken, returned }) => [
      ...[psp, book, unit],
      ...[taken, returned, taken - returned].flatMap((amount) => both(amount, unit)),
    ]),
  };
}

export function payoutsSheet(rows: readonly PayoutRow[]): Sheet {
  return {
    file: 'payouts.csv',
    columns: ['day', 'contract', 'line', 'currency', ...columnsOf('paid_out')],
    rows: rows.map(({ day, psp, line_id, unit, paid_out }) => [
      ...[day, psp, line_id, unit],
      ...both(paid_out, unit),
    ]),
  };
}

/** The points that the shop owes players; a credit in the trial balance, shown here as positive. */
export function pointsSheet(rows: readonly BookRow[]): Sheet {
  const buckets = rows.filter(
    ({ unit, book }) => unit === pointsUnit && /^player:(basic|present)$/.test(book),
  );
  return {
    file: 'points-liability.csv',
    columns: ['bucket', 'start', 'came', 'went', 'end'],
    rows: buckets.map(({ book, start, debit, credit }) =>
      [book.slice('player:'.length), -start, credit, debit, credit - debit - start].map(String),
    ),
  };
}
