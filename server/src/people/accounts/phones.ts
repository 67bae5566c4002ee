import type { PhoneCodeRequest } from '@pointgate/contract/codes.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface Phone {
  number: string;
  country: string;
}

/**
 * Reads a number that can receive texts, in a country that the shop sends to. A valid number may
 * still be a landline or a satellite phone, to which a text is expensive.
 */
export function readPhone(text: string, countries: readonly string[]): Phone | undefined {
  const phone = parsePhoneNumberFromString(text);
  if (phone === undefined || phone.country === undefined || !phone.isValid()) return undefined;
  const type = phone.getType();
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return undefined;
  // Only the canonical spelling is accepted, so that a phone cannot have two spellings.
  if (phone.number !== text || !countries.includes(phone.country)) return undefined;
  return { number: phone.number, country: phone.country };
}

const isMainland = (number: string) => number.startsWith('+86');

export function suitsPurpose(number: string, purpose: PhoneCodeRequest['purpose']): boolean {
  return purpose === 'password_forget_phone' || purpose === signInPurposeOf(number);
}

export function signInPurposeOf(number: string): 'phone_internal' | 'phone_foreign' {
  return isMainland(number) ? 'phone_internal' : 'phone_foreign';
}
