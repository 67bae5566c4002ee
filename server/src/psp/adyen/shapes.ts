import type { Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';

export type Unknown = { outcome: 'unknown'; cause: string };

/** How Adyen calls a payment and everything that happens to it. */
export const PspReference = z.string().regex(/^[A-Z0-9]{16}$/);

/** Why a reply is not what it should be, in one line and without its values. */
export function misshapen(what: string, error: z.ZodError): Unknown {
  const [first] = error.issues;
  const where = first === undefined ? '' : `: ${first.path.join('.')} ${first.message}`;
  return { outcome: 'unknown', cause: `a reply that is no ${what}${where}` };
}

export function isSameMoney(left: Money, right: Money): boolean {
  return left.amountMinor === right.amountMinor && left.currency === right.currency;
}
