import type { PaymentReference } from '../psp.ts';

/**
 * Adyen signs only one text of ours, of 80 letters: the merchant's reference. Our three ids fit into it
 * as their bytes.
 */
export function packed({ accountId, paymentId, attemptId }: PaymentReference): string {
  return [accountId, paymentId, attemptId].map(shortened).join('.');
}

/** Nothing where it is not a reference of ours, letter by letter. */
export function unpacked(text: string): PaymentReference | undefined {
  if (!/^[\w-]{22}\.[\w-]{22}\.[\w-]{22}$/.test(text)) return undefined;
  const [accountId = '', paymentId = '', attemptId = ''] = text.split('.').map(lengthened);
  const reference = { accountId, paymentId, attemptId };
  // The last letter holds bits that count for nothing.
  return packed(reference) === text ? reference : undefined;
}

function shortened(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function lengthened(short: string): string {
  const hex = Buffer.from(short, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
