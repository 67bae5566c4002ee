import type { Provider } from './provider.ts';
import type { ChargeRow } from './rows.ts';

/** The names of balance movements in the settlement details report. */
export type MovementType =
  | 'Settled'
  | 'Refunded'
  | 'RefundedReversed'
  | 'Chargeback'
  | 'ChargebackReversed'
  | 'SecondChargeback';

/** Writes a balance movement; money that leaves the merchant is negative. */
export function book(
  provider: Provider,
  input: {
    type: MovementType;
    charge: ChargeRow;
    /** The provider's reference, and the merchant's if the merchant requested the movement. */
    modification: string;
    modificationReference?: string | null;
    amount: number;
    currency?: string;
  },
): void {
  const { type, charge, modification, amount } = input;
  provider.db.insert('movements', {
    created: provider.clock.nowSeconds(),
    type,
    charge: charge.id,
    modification,
    amount,
    modification_reference: input.modificationReference ?? charge.reference,
    currency: input.currency ?? charge.currency,
    ...costsOf(type, amount),
  });
}

/** Books the costs of a movement: interchange, scheme fee and markup, or a fixed chargeback fee. */
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
