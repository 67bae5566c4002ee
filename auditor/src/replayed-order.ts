import { deriveExpectedOrder, type ExpectedOrder } from './expected-order.ts';
import { type Fact, readFact } from './facts.ts';
import type { OrderRow, OrderRows } from './order-rows.ts';

/** An existing order with its rows and the state that its history leads to. */
export interface ReplayedOrder {
  rows: OrderRows;
  order: OrderRow;
  facts: Fact[];
  expectedOrder: ExpectedOrder;
  /** Events that cannot be parsed. */
  unreadable: number[];
}

export function replayOrder(rows: OrderRows, order: OrderRow): ReplayedOrder {
  const facts: Fact[] = [];
  const unreadable: number[] = [];
  for (const { seq, fact } of rows.events) {
    const read = readFact(fact);
    if (read === undefined) unreadable.push(seq);
    else facts.push(read);
  }
  return { rows, order, facts, expectedOrder: deriveExpectedOrder(order, facts), unreadable };
}
