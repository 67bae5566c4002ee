export type FailureBody = {
  status: number;
  errorCode: string;
  message: string;
  errorType: 'validation' | 'security' | 'internal' | 'configuration';
  pspReference?: string;
};

/** An error in the response format of the provider. */
export class AdyenFailure extends Error {
  readonly status: number;
  readonly body: FailureBody;

  constructor(body: FailureBody) {
    super(body.message);
    this.status = body.status;
    this.body = body;
  }
}

/** The request is invalid, or the provider's rules forbid it. */
export function invalid(errorCode: string, message: string): AdyenFailure {
  return new AdyenFailure({ status: 422, errorCode, message, errorType: 'validation' });
}

export function notAllowed(status: 401 | 403, errorCode: string, message: string): AdyenFailure {
  return new AdyenFailure({ status, errorCode, message, errorType: 'security' });
}

/** Another request with the same idempotency key is in progress. */
export const inProgress: FailureBody = {
  status: 422,
  errorCode: '704',
  message: 'request already processed or in progress',
  errorType: 'validation',
};

export const internalError: FailureBody = {
  status: 500,
  errorCode: '000',
  message: 'Something went wrong',
  errorType: 'internal',
};
