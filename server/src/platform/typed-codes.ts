import { randomBytes } from 'node:crypto';

// A code is read aloud, copied from a card and typed on a phone. So it has no character that looks like
// another one, and what is typed is read kindly.

/** Neither 0, O, Q nor 1, I, L nor 8, B; of 2 and Z, 5 and S, V and U there is one each. */
export const alphabet = '2345679ACDEFGHJKMNPRTVWXY';
const groups = 4;
const groupLength = 4;

/** Sixteen characters out of 25 are 74 bits. */
const codeLength = groups * groupLength;

/** Random bytes from here on are thrown away, or some characters would come more often. */
const bytesBelow = 256 - (256 % alphabet.length);

/** New codes as they are printed. Two of them alike would be a wonder, and stop the table's key. */
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

/** Asked for in bulk: a call for each byte would take longer than all the rest. */
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
 * One spelling for all that a player may have typed: wide letters of an Asian keyboard, small ones,
 * spaces, dashes and look-alikes. Codes from elsewhere are kept in the same spelling. Decimal and
 * hexadecimal ones lose nothing by it.
 */
export function canonicalCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\sー\p{Dash}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[OQILZSU]/g, (letter) => lookAlikes[letter] ?? letter);
}
