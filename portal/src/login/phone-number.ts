import { PhoneNumber } from '@pointgate/contract/accounts.ts';
import * as z from 'zod/mini';
import { keepText, readText } from '../session/kept.ts';
import { type Country, countries } from './dial-codes.ts';

/** What stands in the two parts of a phone field. */
export interface TypedPhone {
  region: string;
  /** As typed, with spaces and dashes. */
  number: string;
}

// There the leading zero is a part of the number.
const zeroKept = ['IT', 'SM', 'VA'];

/** The number as the shop takes it, `+8613800138000`; `null` while it cannot be one. */
export function toPhoneNumber({ region, number }: TypedPhone): string | null {
  const digits = digitsOf(number);
  const national = zeroKept.includes(region) ? digits : digits.replace(/^0+/, '');
  const phone = z.safeParse(PhoneNumber, `+${dialCodeOf(region)}${national}`);
  return phone.success && national !== '' ? phone.data : null;
}

/**
 * What is typed or pasted into the field. A number that brings its own country code, as address
 * books give it, changes the country instead of being dialled with two codes.
 */
export function readTypedPhone(typed: string, before: TypedPhone): TypedPhone {
  const text = typed.normalize('NFKC').replace(/[^\d\s()+.\-/]/g, '');
  const international = /^\s*(?:\+|00)/.test(text);
  if (!international) return { region: before.region, number: text.replaceAll('+', '') };

  const digits = digitsOf(text).replace(/^00/, '');
  const country = countryOf(digits, before.region);
  // Not enough digits yet to know: the plus stays, so that typing can go on.
  if (country === null) return { region: before.region, number: text };
  return { region: country.region, number: digits.slice(country.dialCode.length) };
}

export function dialCodeOf(region: string): string {
  return countries.find((country) => country.region === region)?.dialCode ?? '';
}

/** The most precise code that the digits begin with; of those alike, the one chosen before. */
function countryOf(digits: string, region: string): Country | null {
  const fitting = countries.filter(({ dialCode }) => digits.startsWith(dialCode));
  const longest = Math.max(0, ...fitting.map(({ dialCode }) => dialCode.length));
  // One that is still longer may be on its way, as 1 may become 1868.
  if (digits.length <= longest + 3) return null;
  const precise = fitting.filter(({ dialCode }) => dialCode.length === longest);
  return precise.find((country) => country.region === region) ?? precise[0] ?? null;
}

function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/\D/g, '');
}

const regionKey = 'pointgate.phone-region';

/** The country chosen last on this device, else the one of the language. */
export function startRegion(locale: string): string {
  const isKnown = (region: string) => countries.some((country) => country.region === region);
  const chosen = readText('localStorage', regionKey);
  if (chosen !== null && isKnown(chosen)) return chosen;
  const region = locale.slice(3);
  return isKnown(region) ? region : 'US';
}

export function rememberRegion(region: string): void {
  keepText('localStorage', regionKey, region);
}
