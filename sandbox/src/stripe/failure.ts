export type FailureBody = {
  error: { type: string; message: string; code?: string; param?: string };
};

/** An error in the response format of the provider. */
export class StripeFailure extends Error {
  readonly status: number;
  readonly body: FailureBody;
  /** Whether the error is stored for the idempotency key; errors of invalid parameters are not. */
  readonly isStored: boolean;

  constructor(input: { status: number; isStored: boolean; error: FailureBody['error'] }) {
    super(input.error.message);
    this.status = input.status;
    this.isStored = input.isStored;
    this.body = { error: input.error };
  }
}

/** The parameters are invalid: the request was not executed. */
export function invalid(message: string, param: string, code?: string): StripeFailure {
  return new StripeFailure({
    status: 400,
    isStored: false,
    error: {
      type: 'invalid_request_error',
      message,
      param,
      ...(code === undefined ? {} : { code }),
    },
  });
}

/** The parameters are valid, but the current state forbids the request. */
export function refused(message: string, extra: { code?: string; param?: string }): StripeFailure {
  return new StripeFailure({
    status: 400,
    isStored: true,
    error: { type: 'invalid_request_error', message, ...extra },
  });
}

export function missing(input: { kind: string; id: string; param: string }): StripeFailure {
  return new StripeFailure({
    status: 404,
    isStored: false,
    error: {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${input.kind}: '${input.id}'`,
      param: input.param,
    },
  });
}

export function unauthorized(sentKey: string | undefined): StripeFailure {
  const message =
    sentKey === undefined
      ? 'You did not provide an API key. You need to provide your API key in the Authorization ' +
        "header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
      : `Invalid API Key provided: ${masked(sentKey)}`;
  return new StripeFailure({
    status: 401,
    isStored: false,
    error: { type: 'invalid_request_error', message },
  });
}

export const serverError: FailureBody = {
  error: {
    type: 'api_error',
    message: 'Sorry! There was an error while talking to the provider. We have been told about it.',
  },
};

function masked(key: string): string {
  return `${key.slice(0, 8)}${'*'.repeat(Math.max(0, key.length - 12))}${key.slice(-4)}`;
}
