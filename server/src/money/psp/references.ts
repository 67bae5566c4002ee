import { z } from 'zod';
import type { PaymentReference } from './psp.ts';

// For providers that return one text of the shop with every answer: 110 characters that need no URL
// encoding.

export function joinedReference({ accountId, paymentId, attemptId }: PaymentReference): string {
  return [accountId, paymentId, attemptId].join('.');
}

export const JoinedReference = z
  .string()
  .transform((text) => text.split('.'))
  .pipe(z.tuple([z.uuid(), z.uuid(), z.uuid()]))
  .transform(
    ([accountId, paymentId, attemptId]): PaymentReference => ({ accountId, paymentId, attemptId }),
  );

/** For providers whose order numbers have at most 32 letters and digits: the attempt id without dashes. */
export function orderNumberOf({ attemptId }: PaymentReference): string {
  return attemptId.replaceAll('-', '');
}

/** The reference of a payment; `undefined` if it is foreign or does not match the order number. */
export function referenceOfOrder(input: {
  returned: string | undefined;
  orderNumber: string;
}): PaymentReference | undefined {
  const reference = JoinedReference.safeParse(input.returned);
  if (!reference.success) return undefined;
  return orderNumberOf(reference.data) === input.orderNumber ? reference.data : undefined;
}
