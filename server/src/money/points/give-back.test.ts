import { expect, test } from 'vitest';
import { giveBack } from './give-back.ts';
import { isDue, newLot } from './lots.ts';

const at = new Date('2030-01-01');
const cause = { originId: 'order', posting: 'refund' };
const lot = {
  ...newLot(
    {
      lotId: 'lot',
      bucket: 'present',
      originId: 'top-up',
      expiresAt: new Date('2030-01-02'),
      createdAt: at,
      isFrozen: false,
    },
    { granted: 10n, claimed: 0n },
  ),
  remaining: 0n,
  spent: 10n,
};

test('a refund of an order paid with points cannot return more points than the order spent', () => {
  const wallet = { basic: 0n, at };
  const spent = { draws: [{ lot, points: 10n }], backAlready: 4n };
  expect(giveBack(wallet, spent, { points: 6n, cause }).presentChange).toBe(6n);
  expect(() => giveBack(wallet, spent, { points: 7n, cause })).toThrow('more than was spent');
});

test('points expire exactly at their expiry time, and points without an expiry time never', () => {
  expect(isDue(lot, new Date('2030-01-01T23:59:59.999Z'))).toBe(false);
  expect(isDue(lot, new Date('2030-01-02T00:00:00.000Z'))).toBe(true);
  expect(isDue({ ...lot, expiresAt: null }, at)).toBe(false);
});
