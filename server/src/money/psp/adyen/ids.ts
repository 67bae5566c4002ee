import { z } from 'zod';
import type { PaymentReference } from '../psp.ts';

/** Adyen's id of a payment or of a modification of it. */
export const PspReference = z.string().regex(/^[A-Z0-9]{16}$/);

/**
 * The merchant reference is the only signed field that the shop can choose, with at most 80 characters.
 * The three ids fit into it as base64url of their bytes.
 */
export function packed({ accountId, paymentId, attemptId }: PaymentReference): string {
  return [accountId, paymentId, attemptId].map(shortened).join('.');
}

/** `undefined` unless the text is exactly a reference that `packed` makes. */
export function unpacked(text: string): PaymentReference | undefined {
  if (!/^[\w-]{22}\.[\w-]{22}\.[\w-]{22}$/.test(text)) return undefined;
  const [accountId = '', paymentId = '', attemptId = ''] = text.split('.').map(lengthened);
  const reference = { accountId, paymentId, attemptId };
  // base64url ignores some bits of the last character, so another text could have the same bytes.
  return packed(reference) === text ? reference : undefined;
}

function shortened(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function lengthened(short: string): string {
  const hex = Buffer.from(short, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
