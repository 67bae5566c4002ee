import { type ErrorCode, errorCodes } from '@pointgate/contract/errors.ts';

/** A refusal by the rules: rolls back what was begun and is told to the caller. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** What the caller needs to know besides, as it goes over the wire. */
  readonly data: object | null;
  /** When the same call may work, where that is known. */
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
