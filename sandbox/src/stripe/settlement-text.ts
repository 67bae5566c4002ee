import { textRecord } from '../platform/shape.ts';
import { majorAmount } from './money.ts';
import { availableOn } from './movements.ts';

/** One line of a settlement file before formatting. */
export type SettlementLine = {
  id: string;
  created: number;
  amount: number;
  fee: number;
  currency: string;
  reportingCategory: string;
  source: string;
  charge: string;
  chargeCreated: number | null;
  paymentIntent: string;
  description: string;
  disputeReason: string;
  /** JSON, parsed only if a requested column needs it. */
  paymentMetadata: string;
  refundMetadata: string;
};

export const defaultColumns = [
  'balance_transaction_id',
  'created',
  'available_on',
  'currency',
  'gross',
  'fee',
  'net',
  'reporting_category',
  'description',
];

const columns: Record<string, (line: SettlementLine) => string> = {
  balance_transaction_id: ({ id }) => id,
  created_utc: ({ created }) => timeOf(created),
  created: ({ created }) => timeOf(created),
  available_on_utc: ({ created }) => timeOf(availableOn(created)),
  available_on: ({ created }) => timeOf(availableOn(created)),
  currency: ({ currency }) => currency,
  gross: ({ amount, currency }) => majorAmount(amount, currency),
  fee: ({ fee, currency }) => majorAmount(fee, currency),
  net: ({ amount, fee, currency }) => majorAmount(amount - fee, currency),
  reporting_category: ({ reportingCategory }) => reportingCategory,
  source_id: ({ source }) => source,
  description: ({ description }) => description,
  // A fee without a charge has no customer-facing amount.
  customer_facing_amount: ({ amount, currency, charge }) =>
    charge === '' ? '' : majorAmount(amount, currency),
  customer_facing_currency: ({ currency, charge }) => (charge === '' ? '' : currency),
  charge_id: ({ charge }) => charge,
  payment_intent_id: ({ paymentIntent }) => paymentIntent,
  charge_created_utc: ({ chargeCreated }) => (chargeCreated === null ? '' : timeOf(chargeCreated)),
  charge_created: ({ chargeCreated }) => (chargeCreated === null ? '' : timeOf(chargeCreated)),
  payment_method_type: () => 'card',
  card_brand: () => 'Visa',
  card_funding: () => 'credit',
  card_country: () => 'US',
  dispute_reason: ({ disputeReason }) => disputeReason,
};

/** Columns that the sandbox knows but never fills. */
const alwaysEmpty = new Set([
  ...['regulatory_tag', 'statement_descriptor', 'is_link'],
  ...['automatic_payout_id', 'automatic_payout_effective_at', 'automatic_payout_effective_at_utc'],
  ...['customer_id', 'customer_email', 'customer_name', 'customer_description'],
  ...['invoice_id', 'invoice_number', 'subscription_id'],
]);

export function isColumn(column: string): boolean {
  return (
    Object.hasOwn(columns, column) || alwaysEmpty.has(column) || metadataColumn(column) !== null
  );
}

/** Formats lines with these columns as CSV, with every value quoted as Stripe does. */
export function csvWriter(names: readonly string[]): {
  head: string;
  line: (line: SettlementLine) => string;
} {
  const values = names.map(cellOf);
  return {
    head: row(names),
    line: (line) => row(values.map((value) => value(line))),
  };
}

function cellOf(column: string): (line: SettlementLine) => string {
  const metadata = metadataColumn(column);
  if (metadata === null) return columns[column] ?? (() => '');
  const { of, key } = metadata;
  return (line) => {
    const text = of === 'payment' ? line.paymentMetadata : line.refundMetadata;
    return textRecord(JSON.parse(text), column)[key] ?? '';
  };
}

function metadataColumn(column: string): { of: string; key: string } | null {
  const [, of, key] = /^(payment|refund)_metadata\[(.+)\]$/.exec(column) ?? [];
  return of === undefined || key === undefined ? null : { of, key };
}

function row(values: readonly string[]): string {
  return `"${values.map((value) => value.replaceAll('"', '""')).join('","')}"\n`;
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
