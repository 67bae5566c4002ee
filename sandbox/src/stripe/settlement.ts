import { nullable, object, text, whole } from '../platform/shape.ts';
import type { Provider } from './provider.ts';
import type { ReportParams } from './report-params.ts';
import type { InventedRow, SettlementPlan } from './settlement-plan.ts';
import { csvWriter, defaultColumns, type SettlementLine } from './settlement-text.ts';

/** The number of lines read at once: small enough that the program stays responsive. */
const linesInPart = 2000;

/**
 * Generates the settlement file in parts, from the data and the planned errors at its start. Other
 * work can run between two parts.
 */
export function* settlementParts(provider: Provider, params: ReportParams): Generator<string> {
  const { settlementPlan: plan, db } = provider;
  const writer = csvWriter(params.columns.length === 0 ? defaultColumns : params.columns);
  yield writer.head;

  const until = db.one(lastRow, 'select max(rowid) as seq from balance_transactions')?.seq ?? 0;
  let after: Place = { created: params.interval_start, seq: 0 };
  for (;;) {
    const lines = linesAfter(provider, { params, after, until });
    const last = lines.at(-1);
    if (last === undefined) break;
    after = last;
    yield lines
      .filter((line) => !isOmitted(line, plan))
      .map((line) => writer.line(altered(line, plan)))
      .join('');
  }
  const made = (plan.invent ?? []).map((row) => invented(row, params.interval_start));
  yield made
    .filter(({ created }) => created >= params.interval_start && created < params.interval_end)
    .map(writer.line)
    .join('');
}

type Place = { created: number; seq: number };

const lastRow = object({ seq: nullable(whole) });

const lineRow = object({
  seq: whole,
  id: text,
  created: whole,
  amount: whole,
  fee: whole,
  currency: text,
  reportingCategory: text,
  source: text,
  charge: text,
  chargeCreated: nullable(whole),
  paymentIntent: text,
  description: text,
  disputeReason: text,
  paymentMetadata: text,
  refundMetadata: text,
});

function linesAfter(
  provider: Provider,
  { params, after, until }: { params: ReportParams; after: Place; until: number },
): (SettlementLine & Place)[] {
  const { interval_end, currency, reporting_category } = params;
  return provider.db.all(
    lineRow,
    `select b.rowid as seq, b.id, b.created, b.amount, b.fee, b.currency,
       b.reporting_category as reportingCategory, b.source, coalesce(b.charge, '') as charge,
       c.created as chargeCreated, coalesce(c.payment_intent, '') as paymentIntent,
       coalesce(b.description, '') as description, coalesce(d.reason, '') as disputeReason,
       coalesce(c.metadata, '{}') as paymentMetadata, coalesce(r.metadata, '{}') as refundMetadata
     from balance_transactions b
       left join charges c on c.id = b.charge
       left join refunds r on r.id = b.source
       left join disputes d on d.id = b.source
     where b.reporting_category not like 'payout%' and (b.created, b.rowid) > (?, ?) and b.created < ? and b.rowid <= ?
       and (? is null or b.currency = ?) and (? is null or b.reporting_category = ?)
     order by b.created, b.rowid limit ?`,
    after.created,
    after.seq,
    interval_end,
    until,
    currency,
    currency,
    reporting_category,
    reporting_category,
    linesInPart,
  );
}

function isOmitted(line: SettlementLine, { omit = [] }: SettlementPlan): boolean {
  return omit.includes(line.id) || omit.includes(line.source);
}

function altered(line: SettlementLine, { alter = {} }: SettlementPlan): SettlementLine {
  const amount = alter[line.id] ?? alter[line.source];
  return amount === undefined ? line : { ...line, amount };
}

function invented(row: InventedRow, start: number): SettlementLine {
  const metadata = JSON.stringify(row.metadata ?? {});
  return {
    id: row.id ?? 'txn_invented',
    created: row.created ?? start,
    amount: row.amount,
    fee: row.fee ?? 0,
    currency: row.currency.toLowerCase(),
    reportingCategory: row.reportingCategory ?? 'charge',
    source: row.sourceId ?? row.chargeId ?? 'ch_invented',
    charge: row.chargeId ?? '',
    chargeCreated: null,
    paymentIntent: row.paymentIntentId ?? '',
    description: '',
    disputeReason: '',
    paymentMetadata: metadata,
    refundMetadata: metadata,
  };
}
