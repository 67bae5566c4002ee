/** The code of an error that came without a response code. */
export const unexplained = -1;

/**
 * The error of a failed call. The player's text is derived from `code`; `message` is the fallback.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | number;
  readonly data: unknown;

  constructor(failure: { status: number; code: string | number; message: string; data?: unknown }) {
    super(failure.message);
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.data = failure.data ?? null;
  }
}
