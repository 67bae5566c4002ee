import { PhoneNumber } from '@pointgate/contract/accounts.ts';
import * as z from 'zod/mini';
import { keepText, readText } from '../../shared/browser/kept.ts';
import { type Country, countries } from './dial-codes.ts';

/** The values of the two parts of a phone field. */
export interface TypedPhone {
  region: string;
  /** As typed, with spaces and dashes. */
  number: string;
}

// In these regions the leading zero is part of the number.
const zeroKept = ['IT', 'SM', 'VA'];

/** The number in E.164 format, `+8613800138000`; `null` if it is malformed. */
export function toPhoneNumber({ region, number }: TypedPhone): string | null {
  const digits = digitsOf(number);
  const national = zeroKept.includes(region) ? digits : digits.replace(/^0+/, '');
  const phone = z.safeParse(PhoneNumber, `+${dialCodeOf(region)}${national}`);
  return phone.success && national !== '' ? phone.data : null;
}

/**
 * Reads a typed or pasted number. A number with its own country code, as copied from an address
 * book, changes the country instead of getting a second code.
 */
export function readTypedPhone(typed: string, before: TypedPhone): TypedPhone {
  const text = typed.normalize('NFKC').replace(/[^\d\s()+.\-/]/g, '');
  const international = /^\s*(?:\+|00)/.test(text);
  if (!international) return { region: before.region, number: text.replaceAll('+', '') };

  const digits = digitsOf(text).replace(/^00/, '');
  const country = countryOf(digits, before.region);
  // Too few digits for a country code: the plus is kept, so that typing can continue.
  if (country === null) return { region: before.region, number: text };
  return { region: country.region, number: digits.slice(country.dialCode.length) };
}

export function dialCodeOf(region: string): string {
  return countries.find((country) => country.region === region)?.dialCode ?? '';
}

/** The longest dial code that matches; among countries with the same code, the chosen one. */
function countryOf(digits: string, region: string): Country | null {
  const fitting = countries.filter(({ dialCode }) => digits.startsWith(dialCode));
  const longest = Math.max(0, ...fitting.map(({ dialCode }) => dialCode.length));
  // Further digits may still make a longer code, as 1 may become 1868.
  if (digits.length <= longest + 3) return null;
  const precise = fitting.filter(({ dialCode }) => dialCode.length === longest);
  return precise.find((country) => country.region === region) ?? precise[0] ?? null;
}

function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/\D/g, '');
}

const regionKey = 'pointgate.phone-region';

/** The country chosen last on this device, or else the country of the language. */
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
