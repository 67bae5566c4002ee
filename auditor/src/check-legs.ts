import type { Violation } from './invariant.ts';
import type { EntryRow, OrderRows, TransferRow } from './order-rows.ts';

// I1: the ledger and the statements move the same points.

const walletBooks = ['player:basic', 'player:present'];

/** Whether a transfer moves points of a wallet and is therefore checked against its statement. */
export function isLeg({ debit, credit }: TransferRow): boolean {
  return walletBooks.includes(debit) || walletBooks.includes(credit);
}

/** Points that move into a wallet's book, or out of it if negative. */
interface Leg {
  book: string;
  counterBook: string;
  change: bigint;
  unit: string;
}

export function checkLegs({ paymentId, transfers, entries }: OrderRows): Violation[] {
  const moved = new Map(transfers.filter(isLeg).map((one) => [one.posting, legOf(one)]));
  const expected = new Map(entries.flatMap(expectedLegs));
  const violations: Violation[] = [];
  for (const posting of new Set([...moved.keys(), ...expected.keys()])) {
    const [is, should] = [moved.get(posting), expected.get(posting)];
    const either = is ?? should;
    const isSame =
      is?.change === should?.change &&
      is?.book === should?.book &&
      is?.counterBook === should?.counterBook &&
      is?.unit === should?.unit;
    if (isSame || either === undefined) continue;
    const { book, counterBook, unit } = either;
    violations.push({
      id: 'I1',
      text:
        `transfer ${posting} of ${paymentId} moves ${is?.change ?? 0} ${unit} between ${book} and ` +
        `${counterBook}, its entry ${should?.change ?? 0}`,
    });
  }
  return violations;
}

function legOf({ debit, credit, unit, amountMinor }: TransferRow): Leg {
  return walletBooks.includes(credit)
    ? { book: credit, counterBook: debit, change: amountMinor, unit }
    : { book: debit, counterBook: credit, change: -amountMinor, unit };
}

/** The transfers that each statement entry requires in the ledger, by book. */
function expectedLegs({ kind, posting, basic, present }: EntryRow): [string, Leg][] {
  const counterBook = kind === 'spend' || kind === 'refund' ? 'player:deposit' : 'house:points';
  return Object.entries({ basic, present })
    .filter(([, change]) => change !== 0n)
    .map(([bucket, change]) => [
      `${posting}:${bucket}`,
      { book: `player:${bucket}`, counterBook, change, unit: 'EPOINT' },
    ]);
}
