import type { WireObject } from './call.ts';
import { invalid, PaypalFailure } from './failure.ts';
import { newDebugId, newId } from './ids.ts';
import { wireMoney } from './money.ts';
import { merchantId, present } from './objects.ts';
import type { Provider } from './provider.ts';
import { type MovementRow, movementRow } from './rows.ts';
import type { InventedRow } from './settlement-plan.ts';

const rangeSecondsMax = 31 * 24 * 3600;
const itemsMax = 10_000;

/** One page of the balance transactions between two times, both inclusive. */
export function searchTransactions(provider: Provider, query: URLSearchParams): WireObject {
  const start = timeAt(query, 'start_date');
  const end = timeAt(query, 'end_date');
  if (end < start || end - start > rangeSecondsMax) {
    throw invalid('end_date', 'INVALID_PARAMETER_VALUE');
  }
  const size = numberAt(query, 'page_size', { usual: 100, max: 500 });
  const page = numberAt(query, 'page', { usual: 1, max: itemsMax });
  const lines = linesBetween(provider, start, end);
  if (lines.length > itemsMax) throw tooLarge();
  const { availableUntil } = provider.reportPlan;
  return {
    transaction_details: lines.slice((page - 1) * size, page * size).map(wireLine),
    account_number: merchantId,
    start_date: wireTime(start),
    end_date: wireTime(end),
    last_refreshed_datetime: wireTime(availableUntil ?? provider.clock.nowSeconds()),
    page,
    total_items: lines.length,
    total_pages: Math.max(1, Math.ceil(lines.length / size)),
    links: [],
  };
}

/** Applies the planned errors. */
function linesBetween(provider: Provider, start: number, end: number): MovementRow[] {
  const { omit = [], alter = {}, invent = [] } = provider.settlementPlan;
  const until = Math.min(end, provider.reportPlan.availableUntil ?? end);
  const lines = provider.db.all(
    movementRow,
    'select * from movements where created between ? and ? order by created, rowid limit ?',
    start,
    until,
    itemsMax + 1,
  );
  return [
    ...lines
      .filter(({ id }) => !omit.includes(id))
      .map((line) => ({ ...line, amount: alter[line.id] ?? line.amount })),
    ...invent
      .map((row) => invented(row, start))
      .filter(({ created }) => created >= start && created <= until),
  ];
}

function invented(row: InventedRow, start: number): MovementRow {
  return {
    id: row.id ?? newId(),
    created: row.created ?? start,
    event_code: row.eventCode ?? 'T0006',
    amount: row.amount,
    fee: 0,
    currency: row.currency.toUpperCase(),
    reference: row.reference ?? null,
    custom_field: row.customField ?? null,
    invoice_id: null,
  };
}

function wireLine(row: MovementRow): WireObject {
  const isPayment = row.event_code === 'T0006';
  return {
    transaction_info: {
      paypal_account_id: 'QYR5Z8XDVJNXQ',
      transaction_id: row.id,
      ...present({
        paypal_reference_id: row.reference,
        paypal_reference_id_type: row.reference === null ? null : isPayment ? 'ODR' : 'TXN',
      }),
      transaction_event_code: row.event_code,
      transaction_initiation_date: wireTime(row.created),
      transaction_updated_date: wireTime(row.created),
      transaction_amount: wireMoney(row.amount, row.currency),
      ...(row.fee === 0 ? {} : { fee_amount: wireMoney(-row.fee, row.currency) }),
      transaction_status: 'S',
      ...present({ invoice_id: row.invoice_id, custom_field: row.custom_field }),
      protection_eligibility: '02',
    },
  };
}

function timeAt(query: URLSearchParams, key: string): number {
  const sent = query.get(key) ?? '';
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/.test(sent);
  const milliseconds = isTime ? Date.parse(sent) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw invalid(key, 'INVALID_PARAMETER_SYNTAX', sent);
  return Math.floor(milliseconds / 1000);
}

function numberAt(
  query: URLSearchParams,
  key: string,
  { usual, max }: { usual: number; max: number },
): number {
  const sent = query.get(key);
  if (sent === null) return usual;
  const number = /^\d+$/.test(sent) ? Number(sent) : 0;
  if (number < 1 || number > max) throw invalid(key, 'INVALID_PARAMETER_VALUE', sent);
  return number;
}

function tooLarge(): PaypalFailure {
  const message =
    'Result set size is greater than the maximum limit. Change the filter criteria and try again.';
  return new PaypalFailure({
    status: 400,
    message,
    body: { name: 'RESULTSET_TOO_LARGE', message, debug_id: newDebugId() },
  });
}

function wireTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}+0000`;
}
