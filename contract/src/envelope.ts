import type { ErrorCode } from './errors.ts';

/** The envelope of every reply, as the specification defines it. */
export interface Envelope {
  isSuccess: boolean;
  data: unknown;
  msg: string;
  /** `null` on success. */
  code: ErrorCode | null;
  /** The HTTP status again, because some webviews hide it from scripts. */
  status: number;
}

/**
 * The id that a player can quote to customer service; the log contains the same id. It is a header,
 * so that a repeated call has a byte-identical body.
 */
export const requestIdHeader = 'x-request-id';
