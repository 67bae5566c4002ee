import { newId } from './ids.ts';
import { feeOf } from './objects.ts';
import type { Provider } from './provider.ts';

/** Event codes: payment, refund, chargeback, chargeback reversal, payment reversal, and fees. */
type EventCode = 'T0006' | 'T1107' | 'T1201' | 'T1202' | 'T1106' | 'T0106' | BankCode | 'T0101';

/** Event codes: withdrawal, pay-in, and returned withdrawal. */
type BankCode = 'T0403' | 'T0300' | 'T1101';

/** Writes a balance transaction; money that leaves the balance is negative. */
export function book(
  provider: Provider,
  code: EventCode,
  entry: {
    id?: string;
    amount: number;
    currency: string;
    /** The capture that it belongs to; for a capture, its order. */
    reference: string | null;
    customField?: string | null;
    invoiceId?: string | null;
  },
): string {
  const id = entry.id ?? newId();
  provider.db.insert('movements', {
    id,
    created: provider.clock.nowSeconds(),
    event_code: code,
    amount: entry.amount,
    fee: code === 'T0006' ? feeOf(entry.amount) : 0,
    currency: entry.currency,
    reference: entry.reference,
    custom_field: entry.customField ?? null,
    invoice_id: entry.invoiceId ?? null,
  });
  return id;
}
