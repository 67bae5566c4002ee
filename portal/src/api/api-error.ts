/** The code of a failure that no server explained. */
export const unexplained = -1;

/** Why a call failed. What the player reads comes from `code`; `message` is the last resort. */
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
