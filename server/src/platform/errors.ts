import { type ErrorCode, errorCodes } from '@pointgate/contract/errors.ts';

/** A refusal with a code: rolls back the transaction and is returned to the caller. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Additional data for the caller, as sent in the reply. */
  readonly data: object | null;
  /** When a retry may succeed, if known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    data: object | null = null,
    { retryAfterSeconds }: { retryAfterSeconds?: number } = {},
  ) {
    super(errorCodes[code].meaning);
    this.name = 'AppError';
    this.code = code;
    this.data = data;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
