import { z } from 'zod';
import type { SettlementLine } from '../psp.ts';
import { isOurId } from '../replies.ts';
import { WireMoney } from './shapes.ts';

/** `2026-11-15T21:00:00+0000`, which is not quite how others write it. */
const WireTime = z
  .string()
  .transform((time) => time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  .pipe(z.iso.datetime({ offset: true }))
  .transform((time) => new Date(time));

const TransactionInfo = z.object({
  transaction_id: z.string().min(1),
  transaction_event_code: z.string().regex(/^T\d{4}$/),
  transaction_status: z.string(),
  transaction_initiation_date: WireTime,
  transaction_amount: z.object({ currency_code: z.string(), value: z.string() }),
  paypal_reference_id: z.string().optional(),
  paypal_reference_id_type: z.string().optional(),
  custom_field: z.string().optional(),
});
type TransactionInfo = z.output<typeof TransactionInfo>;

export const SearchPage = z.object({
  transaction_details: z.array(z.object({ transaction_info: TransactionInfo })).default([]),
  last_refreshed_datetime: WireTime,
  page: z.int(),
  total_pages: z.int().nonnegative(),
});

// Each kind with what undoes it; the sign of the money tells which of the two it was.
const kinds = new Map<string, SettlementLine['kind']>([
  ['T1107', 'refund'],
  // Taken back by PayPal, by a bank, and given back by it.
  ['T1106', 'dispute'],
  ['T1201', 'dispute'],
  ['T1202', 'dispute'],
]);

/** One line; `nothing` where no money moved, and undefined where it cannot be read. */
export function readLine(info: TransactionInfo): SettlementLine | 'nothing' | undefined {
  // Denied, or still waiting.
  if (info.transaction_status === 'D' || info.transaction_status === 'P') return 'nothing';
  if (info.transaction_status !== 'S' && info.transaction_status !== 'V') return undefined;
  const money = WireMoney.safeParse(info.transaction_amount);
  if (!money.success) return undefined;
  const kind = kindOf(info.transaction_event_code);
  const { transaction_id: id, paypal_reference_id: about = null } = info;
  const isAboutPayment = info.paypal_reference_id_type === 'TXN';
  return {
    // One id may have several lines.
    lineId: `${id}:${info.transaction_event_code}:${info.transaction_initiation_date.toISOString()}`,
    kind,
    subjectId: kind === 'refund' ? (ourRefund(info) ?? id) : id,
    captureId: kind === 'capture' ? id : isAboutPayment ? about : null,
    money: money.data,
    at: info.transaction_initiation_date,
  };
}

function kindOf(code: string): SettlementLine['kind'] {
  return code.startsWith('T00') ? 'capture' : (kinds.get(code) ?? 'other');
}

function ourRefund({ custom_field }: TransactionInfo): string | undefined {
  return custom_field !== undefined && isOurId(custom_field) ? custom_field : undefined;
}
