import { expect } from 'vitest';
import { reportOf } from '../auditor/src/report.ts';
import { checkBooks } from '../tools/books/check-books.ts';
import type { AcknowledgementLog } from './acknowledgements.ts';
import { logProgress } from './progress.ts';
import type { Shop } from './shop.ts';

/**
 * For a shop without work in progress: all invariants hold, all acknowledgements are true, and
 * every order is in a final state except those expected to stay unpaid.
 */
export async function expectConsistent(
  shop: Shop,
  told: { acknowledgements: AcknowledgementLog; unpaid: ReadonlySet<string> },
): Promise<void> {
  const { file } = told.acknowledgements;
  const findings = await checkBooks(shop.stack, Date.now() + 10 * 60_000, file);
  const books = reportOf(findings);
  logProgress(books.text);
  expect(books.isGreen).toBe(true);
  // The settlement of a day arrives on the next day, so I14 and I15 may be empty; all others must
  // have been checked.
  const empty = findings.filter(({ checked }) => checked === 0);
  expect(empty.map(({ id }) => id)).toEqual(['I14', 'I15']);
  expect(await ordersLeftOpen(shop, told.unpaid)).toEqual([]);
}

/**
 * Orders that are not in a final state, except those expected to stay unpaid and those with an open
 * case.
 */
async function ordersLeftOpen(shop: Shop, unpaid: ReadonlySet<string>): Promise<string[]> {
  const rows = await shop.query<{ payment_id: string; state: string }>(
    `select payment_id, state from orders
     where state not in ('arrived', 'refunded')
       and not exists (select from cases
         where cases.payment_id = orders.payment_id and resolved_at is null)`,
  );
  return rows
    .filter(({ payment_id }) => !unpaid.has(payment_id))
    .map(({ payment_id, state }) => `order ${payment_id} is ${state}`);
}
