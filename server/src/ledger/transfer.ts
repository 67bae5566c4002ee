import type { Money } from '@pointgate/contract/money.ts';

/**
 * `house:psp` is what providers hold for us, `player:deposit` what a player has paid and not yet
 * received, `house:sales` what was paid for and has arrived.
 */
type Book = 'house:psp' | 'house:sales' | 'player:deposit';

/** An entry of the ledger, with both its sides. */
export interface Transfer {
  accountId: string;
  /** What caused it, an order's payment id for example. */
  originId: string;
  /** Names this transfer among those of its origin; the same name twice is one transfer. */
  posting: string;
  debit: Book;
  credit: Book;
  money: Money;
}
