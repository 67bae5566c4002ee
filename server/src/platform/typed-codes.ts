import { randomBytes } from 'node:crypto';

// Codes are read aloud, copied from a card and typed on a phone, so they contain no similar-looking
// characters, and typed codes are normalised.

/** Excludes 0, O, Q, 1, I, L, 8 and B; of the pairs 2/Z, 5/S and V/U only one each is used. */
export const alphabet = '2345679ACDEFGHJKMNPRTVWXY';
const groups = 4;
const groupLength = 4;

/** Sixteen characters out of 25 are 74 bits. */
const codeLength = groups * groupLength;

/** Larger random bytes are discarded, because some characters would otherwise be more frequent. */
const bytesBelow = 256 - (256 % alphabet.length);

/**
 * New codes as printed. A duplicate is practically impossible and would violate the table's key.
 */
export function newCodes(count: number): string[] {
  return Array.from({ length: count }, () => newCode());
}

let pool = Buffer.alloc(0);
let position = 0;

function newCode(): string {
  let code = '';
  for (let index = 0; index < codeLength; index += 1) {
    if (index > 0 && index % groupLength === 0) code += '-';
    code += alphabet.charAt(nextByte() % alphabet.length);
  }
  return code;
}

/** Random bytes are requested in bulk, because single requests would take most of the time. */
function nextByte(): number {
  for (;;) {
    if (position >= pool.length) {
      pool = randomBytes(64 * 1024);
      position = 0;
    }
    const byte = pool.readUInt8(position);
    position += 1;
    if (byte < bytesBelow) return byte;
  }
}

const lookAlikes: Record<string, string> = {
  O: '0',
  Q: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  U: 'V',
};

/**
 * Normalises a typed code: full-width letters, lower case, spaces, dashes and similar-looking
 * characters. Imported codes are stored in the same form. Decimal and hexadecimal codes stay
 * distinct.
 */
export function canonicalCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\sー\p{Dash}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[OQILZSU]/g, (letter) => lookAlikes[letter] ?? letter);
}
