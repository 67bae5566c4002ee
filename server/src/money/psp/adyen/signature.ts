import { timingSafeEqual } from 'node:crypto';
import { HmacValidator } from './sdk.ts';

/** The signed fields of a notification item; the others are not trusted. */
export interface SignedItem {
  pspReference: string;
  originalReference?: string | null | undefined;
  merchantAccountCode: string;
  merchantReference: string;
  amount: { value: number; currency: string };
  eventCode: string;
  success: 'true' | 'false';
}

const validator = new HmacValidator();

export function isSigned(keys: readonly string[], item: SignedItem, signature: string): boolean {
  const sent = Buffer.from(signature);
  return keys.some((key) => {
    const signed = Buffer.from(validator.calculateHmac(signedText(item), key));
    return signed.length === sent.length && timingSafeEqual(signed, sent);
  });
}

/** The reason, the payment method and the additional data are not signed. */
function signedText(item: SignedItem): string {
  return [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':');
}
