import type { PhoneCodeRequest } from '@pointgate/contract/codes.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface Phone {
  number: string;
  country: string;
}

/**
 * Reads a number that can get a text message, in a country that the shop sends to. A number can be
 * valid and still be a landline, or a satellite's without a country: each such text costs dearly.
 */
export function readPhone(text: string, countries: readonly string[]): Phone | undefined {
  const phone = parsePhoneNumberFromString(text);
  if (phone === undefined || phone.country === undefined || !phone.isValid()) return undefined;
  const type = phone.getType();
  if (type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE') return undefined;
  // What was typed has to be the number itself, so that one phone cannot have two spellings.
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
