import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Lot, newLot, sumOf } from './lots.ts';
import { inSpendOrder, spend } from './spend-order.ts';

const day = (count: number) => new Date(Date.UTC(2030, 0, 1 + count));

function givenLot(changes: Partial<Lot> & { lotId: string }, granted = 10n): Lot {
  const lot = {
    bucket: 'present' as const,
    originId: 'top-up',
    expiresAt: null,
    createdAt: day(0),
    isFrozen: false,
    ...changes,
  };
  return newLot(lot, { granted, claimed: 0n });
}

const idsOf = (lots: readonly Lot[]) => lots.map(({ lotId }) => lotId);

const oneOfEach = [
  givenLot({ lotId: 'bought later', bucket: 'basic', createdAt: day(1) }),
  givenLot({ lotId: 'given, b of the same moment' }),
  givenLot({ lotId: 'given, ends late', expiresAt: day(9), createdAt: day(-5) }),
  givenLot({ lotId: 'given, a of the same moment' }),
  givenLot({ lotId: 'bought first', bucket: 'basic' }),
  givenLot({ lotId: 'given, ends soon', expiresAt: day(3), createdAt: day(2) }),
];
const given = [
  'given, ends soon',
  'given, ends late',
  'given, a of the same moment',
  'given, b of the same moment',
];
const bought = ['bought first', 'bought later'];

test('a payment in the spending order present_first spends gift points before bought points, the earliest expiry first', () => {
  expect(idsOf(inSpendOrder(oneOfEach, 'present_first'))).toEqual([...given, ...bought]);
});

test('bought points are spent before gift points where the site is configured so', () => {
  expect(idsOf(inSpendOrder(oneOfEach, 'basic_first'))).toEqual([...bought, ...given]);
});

test('a payment with points reports how many bought and gift points it took, and how many of each credit', () => {
  const movement = spend(oneOfEach, { points: 45n, spendOrder: 'present_first' });
  expect(movement).toMatchObject({ basicChange: -5n, presentChange: -40n });
  expect(movement?.lots.map(({ remaining, spent }) => [remaining, spent])).toEqual([
    [0n, 10n],
    [0n, 10n],
    [0n, 10n],
    [0n, 10n],
    [5n, 5n],
  ]);
});

const anyLot = fc
  .record({
    lotId: fc.uuid(),
    bucket: fc.constantFrom('basic' as const, 'present' as const),
    expiresAt: fc.option(fc.nat(9).map(day)),
    createdAt: fc.nat(9).map(day),
    isFrozen: fc.boolean(),
    granted: fc.bigInt({ min: 1n, max: 1_000_000_000_000_000n }),
  })
  .map(({ granted, ...lot }) => givenLot(lot, granted));

test('a payment with points spends exactly the requested points and uses up one credit of points before the next', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyLot, { selector: ({ lotId }) => lotId, maxLength: 12 }),
      fc.bigInt({ min: 1n, max: 4_000_000_000_000_000n }),
      fc.constantFrom('present_first' as const, 'basic_first' as const),
      (lots, points, spendOrder) => {
        const free = inSpendOrder(lots, spendOrder).filter(({ isFrozen }) => !isFrozen);
        const movement = spend(lots, { points, spendOrder });
        if (sumOf(free.map(({ remaining }) => remaining)) < points) {
          expect(movement).toBeUndefined();
          return;
        }
        expect(movement).toBeDefined();
        const drawn = movement?.lots ?? [];
        expect(idsOf(drawn)).toEqual(idsOf(free.slice(0, drawn.length)));
        expect(sumOf(drawn.map(({ spent }) => spent))).toBe(points);
        expect(drawn.every((lot) => lot.remaining + lot.spent === lot.granted)).toBe(true);
        expect(drawn.slice(0, -1).every(({ remaining }) => remaining === 0n)).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});
