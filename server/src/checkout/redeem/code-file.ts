import { canonicalCode } from '../../platform/typed-codes.ts';
import { codesMax } from './batch-rules.ts';
import { bitsOf } from './code-text.ts';

const bitsMin = 64;
const lengthMax = 100;

/**
 * Reads externally generated codes, one per line. A single error rejects the file; complaints name
 * the line and never the code.
 */
export function readCodeFile(text: string): { codes: string[]; complaints: string[] } {
  const codes = text.split(/\r?\n/);
  if (codes.at(-1) === '') codes.pop();
  if (codes.length === 0) return { codes, complaints: ['there is no code in it'] };
  if (codes.length > codesMax) return { codes, complaints: [`more than ${codesMax} codes`] };

  const spelled = codes.map((code) => canonicalCode(code));
  // A shared prefix is no secret: everyone who has one code knows it.
  const known = codes.length === 1 ? 0 : sharedLength(spelled);
  const lineOf = new Map<string, number>();
  const complaints = spelled.flatMap((code, index) => {
    const line = index + 1;
    const twin = lineOf.get(code);
    lineOf.set(code, twin ?? line);
    if (code === '') return [`line ${line} is empty`];
    if (!/^[\x21-\x7e]+$/.test(code) || code.length > lengthMax) {
      return [`line ${line} is not up to ${lengthMax} plain letters and digits`];
    }
    if (bitsOf(code.slice(known)) < bitsMin) {
      return [`line ${line} can be guessed: less than ${bitsMin} bits are its own`];
    }
    return twin === undefined ? [] : [`line ${line} is the code of line ${twin}`];
  });
  return { codes, complaints };
}

function sharedLength(codes: readonly string[]): number {
  const [first = ''] = codes;
  let shared = first.length;
  for (const code of codes) {
    let length = 0;
    while (length < shared && code.charAt(length) === first.charAt(length)) length += 1;
    shared = length;
  }
  return shared;
}
