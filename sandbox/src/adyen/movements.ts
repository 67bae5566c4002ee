import type { Provider } from './provider.ts';
import type { ChargeRow } from './rows.ts';

/** As the settlement details report calls what moves the merchant's balance. */
export type MovementType =
  | 'Settled'
  | 'Refunded'
  | 'RefundedReversed'
  | 'Chargeback'
  | 'ChargebackReversed'
  | 'SecondChargeback';

/** Writes what came or went; what left the merchant is negative. */
export function book(
  provider: Provider,
  input: {
    type: MovementType;
    charge: ChargeRow;
    /** What it was called by the provider, and by the merchant if it was asked for. */
    modification: string;
    modificationReference?: string | null;
    amount: number;
    currency?: string;
  },
): void {
  const { type, charge, modification, amount } = input;
  provider.db.insert('movements', {
    ...{ created: provider.clock.nowSeconds(), type, charge: charge.id, modification, amount },
    modification_reference: input.modificationReference ?? charge.reference,
    currency: input.currency ?? charge.currency,
    ...costsOf(type, amount),
  });
}

/** A payment costs what card schemes and banks take and a part on top, a chargeback a sum. */
function costsOf(type: MovementType, amount: number) {
  const share = (perMille: number) => Math.floor((amount * perMille + 500) / 1000);
  const isPayment = type === 'Settled';
  return {
    commission: type === 'Chargeback' || type === 'SecondChargeback' ? 750 : 0,
    markup: isPayment ? share(6) : 0,
    scheme_fees: isPayment ? share(2) : 0,
    interchange: isPayment ? share(3) : 0,
  };
}
