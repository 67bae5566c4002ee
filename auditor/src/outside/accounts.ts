import type { Charge } from './captures.ts';
import type { TheirRefund } from './refunds.ts';

/** A time range in milliseconds; the end is excluded. */
export interface Span {
  fromMs: number;
  untilMs: number;
}

/** An account with a payment provider that can list its charges and refunds. */
export interface Account {
  /** The name of the merchant account in the shop's tables. */
  name: string;
  /** The charges of a time range, page by page. */
  charges(span: Span): AsyncGenerator<Charge[]>;
  /** The charges of the capture that our tables have under this id. */
  chargesOf(captureId: string): Promise<Charge[]>;
  refunds(span: Span): AsyncGenerator<TheirRefund[]>;
  refundsOf(captureId: string): Promise<TheirRefund[]>;
}
