import { describe, expect, test } from 'vitest';
import { type Budget, budgetAt, changeBudget, noBudget } from './budget.ts';

const start = new Date('2026-11-15T10:00:00Z');
const hours = (count: number) => new Date(start.getTime() + count * 60 * 60_000);
const of100: Budget = { amountMinor: 100n, pending: null };

describe('a budget', () => {
  test('holds at once where there was none, even one of nothing', () => {
    expect(changeBudget(noBudget, 100n, start)).toEqual(of100);
    expect(changeBudget(noBudget, 0n, start)).toEqual({ amountMinor: 0n, pending: null });
    expect(changeBudget(noBudget, null, start)).toEqual(noBudget);
  });

  test('is lowered at once', () => {
    expect(changeBudget(of100, 99n, start)).toEqual({ amountMinor: 99n, pending: null });
  });

  test.each([[101n], [null]])('is raised to %s after a day, to the moment', (amountMinor) => {
    const raised = changeBudget(of100, amountMinor, start);
    expect(raised).toEqual({ amountMinor: 100n, pending: { amountMinor, from: hours(24) } });
    expect(budgetAt(raised, new Date(hours(24).getTime() - 1))).toEqual(raised);
    expect(budgetAt(raised, hours(24))).toEqual({ amountMinor, pending: null });
  });

  test('waits no longer because the same raise is asked for again', () => {
    const raised = changeBudget(of100, 200n, start);
    expect(changeBudget(raised, 200n, hours(23))).toEqual(raised);
  });

  test('waits a day from the last raise that was another', () => {
    const raised = changeBudget(changeBudget(of100, 200n, start), 300n, hours(23));
    expect(raised).toEqual({ amountMinor: 100n, pending: { amountMinor: 300n, from: hours(47) } });
  });

  test.each([[50n], [100n]])('forgets a raise when it is set to %i meanwhile', (amountMinor) => {
    const raised = changeBudget(of100, 200n, start);
    expect(changeBudget(raised, amountMinor, hours(1))).toEqual({ amountMinor, pending: null });
  });

  test('counts from what holds by now, not from what held when it was written', () => {
    const raised = changeBudget(of100, 200n, start);
    expect(changeBudget(raised, 150n, hours(25))).toEqual({ amountMinor: 150n, pending: null });
    expect(changeBudget(raised, 250n, hours(25))).toEqual({
      amountMinor: 200n,
      pending: { amountMinor: 250n, from: hours(49) },
    });
  });
});
