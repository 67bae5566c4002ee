import { type ErrorCode, errorCodes } from '@pointgate/contract/errors.ts';

/** A refusal by the rules: rolls back what was begun and is told to the caller. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode) {
    super(errorCodes[code].meaning);
    this.name = 'AppError';
    this.code = code;
  }
}
