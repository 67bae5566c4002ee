import type { Price } from '@pointgate/contract/money.ts';

/**
 * `house:psp` is what providers hold for us, `player:deposit` what a player has paid and not yet
 * received, `house:sales` what was paid for and has arrived. `player:basic` and `player:present` are
 * a wallet's two buckets, `house:points` where points come from and end. `house:disputed` is money
 * that a bank holds back until a dispute is decided.
 */
type Book =
  | 'house:disputed'
  | 'house:points'
  | 'house:psp'
  | 'house:sales'
  | 'player:basic'
  | 'player:deposit'
  | 'player:present';

/** An entry of the ledger, with both its sides. */
export interface Transfer {
  accountId: string;
  /** What caused it, an order's payment id for example. */
  originId: string;
  /** Names this transfer among those of its origin; the same name twice is one transfer. */
  posting: string;
  debit: Book;
  credit: Book;
  money: Price;
  /** The contract with a provider, if one side is `house:psp` and it is known. */
  psp?: string | null;
}
