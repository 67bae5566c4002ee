import type { ErrorCode } from './errors.ts';

/** The form of every reply on the wire, as the specification has it. */
export interface Envelope {
  isSuccess: boolean;
  data: unknown;
  msg: string;
  /** `null` on success. */
  code: ErrorCode | null;
  /** The HTTP status again: some webviews hide it from scripts. */
  status: number;
}

/**
 * What a player can quote to customer service; the log carries the same id. In a header, so that the
 * same call twice is answered alike to the last byte.
 */
export const requestIdHeader = 'x-request-id';
