import { expect, test } from 'vitest';
import { clawBack, restore } from './claims.ts';
import { newLot } from './lots.ts';
import type { TopUp } from './top-up.ts';

const at = new Date('2030-01-01');
const cause = { originId: 'top-up', posting: 'restored' };

function givenTopUp(changes: Partial<TopUp>): TopUp {
  return {
    originId: 'top-up',
    basicGranted: 10n,
    presentGranted: 10n,
    basicKept: 10n,
    presentKept: 10n,
    presentClaimed: 0n,
    presentOwed: 0n,
    ...changes,
  };
}

const givenLot = (bucket: 'basic' | 'present', originId = 'top-up') =>
  newLot(
    {
      lotId: `${bucket} of ${originId}`,
      bucket,
      originId,
      expiresAt: null,
      createdAt: at,
      isFrozen: false,
    },
    { granted: 10n, claimed: 0n },
  );

test('a refund of a top-up takes its unspent points first, then points of other top-ups, and makes the balance negative by the rest', () => {
  const lots = [givenLot('basic', 'another'), givenLot('basic'), givenLot('present')];
  const spent = lots.map((lot) => ({ ...lot, remaining: 4n, spent: 6n }));
  const claim = clawBack({ basic: 8n, lots: spent, at }, givenTopUp({}), {
    basic: 0n,
    present: 0n,
  });
  expect(claim.basicChange).toBe(-16n);
  expect(claim.presentChange).toBe(-4n);
  expect(claim.presentClaimed).toBe(4n);
  expect(claim.presentOwed).toBe(6n);
  expect(claim.lots.map(({ lotId, remaining, claimed }) => [lotId, remaining, claimed])).toEqual([
    ['basic of top-up', 0n, 4n],
    ['basic of another', 0n, 4n],
    ['present of top-up', 0n, 4n],
  ]);
});

test('restoring a refunded top-up first returns points that have expired, which add nothing to the balance', () => {
  const steps = [
    givenTopUp({}),
    givenTopUp({ presentKept: 7n, presentOwed: 3n }),
    givenTopUp({ presentKept: 2n, presentOwed: 5n }),
  ];
  const topUp = givenTopUp({ presentKept: 2n, presentOwed: 5n });
  const wallet = { basic: -5n, lots: [], at };
  const restoredTo = (present: bigint) => {
    const kept = { basic: 10n, present };
    return restore(wallet, { topUp, steps, topUps: [] }, { kept, cause }).basicChange;
  };
  expect([2n, 3n, 5n, 6n, 7n, 8n, 10n].map(restoredTo)).toEqual([0n, 0n, 0n, 1n, 2n, 3n, 5n]);
});

// The next three cases cannot occur while claims and lots agree. If they ever disagree, a restore
// must fail instead of creating points.
test('restoring a refunded top-up is rejected if it would return more bought points than the refund took', () => {
  const [granted, topUp] = [givenTopUp({}), givenTopUp({ basicKept: 9n })];
  const steps = { topUp, steps: [granted, topUp], topUps: [] };
  const kept = { basic: 10n, present: 10n };
  const wallet = { basic: 10n, lots: [givenLot('basic')], at };
  expect(() => restore(wallet, steps, { kept, cause })).toThrow('more than was claimed');
});

test('restoring a refunded top-up is rejected if it would return more gift points than the refund took', () => {
  const [granted, topUp] = [givenTopUp({}), givenTopUp({ presentKept: 9n, presentClaimed: 1n })];
  const steps = { topUp, steps: [granted, topUp], topUps: [] };
  const kept = { basic: 10n, present: 10n };
  const wallet = { basic: 10n, lots: [givenLot('present')], at };
  expect(() => restore(wallet, steps, { kept, cause })).toThrow('more than was claimed');
});

test('restoring a refunded top-up is rejected if it would return more gift points than the top-up credited', () => {
  const topUp = givenTopUp({});
  const kept = { basic: 10n, present: 11n };
  const wallet = { basic: 10n, lots: [], at };
  expect(() => restore(wallet, { topUp, steps: [topUp], topUps: [] }, { kept, cause })).toThrow(
    'was never kept',
  );
});
