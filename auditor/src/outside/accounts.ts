import type { Charge } from './captures.ts';
import type { TheirRefund } from './refunds.ts';

/** From one moment up to another, in milliseconds. */
export interface Span {
  fromMs: number;
  untilMs: number;
}

/** An account with a provider that says what it took and gave back. */
export interface Account {
  /** The contract, as the shop's tables call it. */
  name: string;
  /** What it took in a span of time, page by page. */
  charges(span: Span): AsyncGenerator<Charge[]>;
  /** What it took under the name that our tables have for it. */
  chargesOf(captureId: string): Promise<Charge[]>;
  refunds(span: Span): AsyncGenerator<TheirRefund[]>;
  refundsOf(captureId: string): Promise<TheirRefund[]>;
}
