import { describe, expect, test } from 'vitest';
import { type Budget, budgetAt, changeBudget, noBudget } from './budget.ts';

const start = new Date('2026-11-15T10:00:00Z');
const hours = (count: number) => new Date(start.getTime() + count * 60 * 60_000);
const of100: Budget = { amountMinor: 100n, pending: null };

describe('budgets', () => {
  test('the first spending budget that a player sets takes effect at once, even a budget of zero', () => {
    expect(changeBudget(noBudget, 100n, start)).toEqual(of100);
    expect(changeBudget(noBudget, 0n, start)).toEqual({ amountMinor: 0n, pending: null });
    expect(changeBudget(noBudget, null, start)).toEqual(noBudget);
  });

  test('a lower spending budget that a player sets takes effect at once', () => {
    expect(changeBudget(of100, 99n, start)).toEqual({ amountMinor: 99n, pending: null });
  });

  test.each([[101n], [null]])(
    "a raise of the player's own spending budget to %s takes effect after exactly 24 hours",
    (amountMinor) => {
      const raised = changeBudget(of100, amountMinor, start);
      expect(raised).toEqual({ amountMinor: 100n, pending: { amountMinor, from: hours(24) } });
      expect(budgetAt(raised, new Date(hours(24).getTime() - 1))).toEqual(raised);
      expect(budgetAt(raised, hours(24))).toEqual({ amountMinor, pending: null });
    },
  );

  test('a raise of the spending budget that a player requests again does not restart its wait of 24 hours', () => {
    const raised = changeBudget(of100, 200n, start);
    expect(changeBudget(raised, 200n, hours(23))).toEqual(raised);
  });

  test('a request for a different raise of the spending budget restarts its wait of 24 hours', () => {
    const raised = changeBudget(changeBudget(of100, 200n, start), 300n, hours(23));
    expect(raised).toEqual({ amountMinor: 100n, pending: { amountMinor: 300n, from: hours(47) } });
  });

  test.each([[50n], [100n]])(
    "a pending raise of a player's spending budget is dropped when the player sets the budget to %i meanwhile",
    (amountMinor) => {
      const raised = changeBudget(of100, 200n, start);
      expect(changeBudget(raised, amountMinor, hours(1))).toEqual({ amountMinor, pending: null });
    },
  );

  test('a change of the spending budget is compared with a raise that has taken effect meanwhile, not with the budget before the raise', () => {
    const raised = changeBudget(of100, 200n, start);
    expect(changeBudget(raised, 150n, hours(25))).toEqual({ amountMinor: 150n, pending: null });
    expect(changeBudget(raised, 250n, hours(25))).toEqual({
      amountMinor: 200n,
      pending: { amountMinor: 250n, from: hours(49) },
    });
  });
});
