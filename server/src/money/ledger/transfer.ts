import type { Price } from '@pointgate/contract/money.ts';

/**
 * `house:psp` is the money that providers hold for the shop, `player:deposit` payments for goods
 * not yet delivered, `house:sales` payments for delivered goods. `player:basic` and
 * `player:present` are the two buckets of a wallet, and `house:points` is their opposite side.
 * `house:disputed` is money held back until a dispute is decided.
 */
type Book =
  | 'house:disputed'
  | 'house:points'
  | 'house:psp'
  | 'house:sales'
  | 'player:basic'
  | 'player:deposit'
  | 'player:present';

/** A ledger entry with both sides. */
export interface Transfer {
  accountId: string;
  /** The cause of the transfer, for example the payment id of an order. */
  originId: string;
  /** The name of the transfer within its origin, which makes posting idempotent. */
  posting: string;
  debit: Book;
  credit: Book;
  money: Price;
  /** The contract with a provider, if one side is `house:psp` and it is known. */
  psp?: string | null;
}
