import { z } from 'zod';
import type { PaymentReference } from '../psp.ts';
import { joinedReference } from '../references.ts';

/** PayPal's ids of orders, captures and refunds. They are put into URL paths, so the form is strict. */
export const Id = z.string().regex(/^[A-Z0-9]{10,24}$/);

export function isSameReference(left: PaymentReference, right: PaymentReference): boolean {
  return joinedReference(left) === joinedReference(right);
}
