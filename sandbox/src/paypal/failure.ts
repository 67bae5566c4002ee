import { newDebugId } from './ids.ts';

type Detail = {
  issue: string;
  description: string;
  field?: string;
  value?: string;
  location?: string;
};

/** An error in the response format of the provider. */
export class PaypalFailure extends Error {
  readonly status: number;
  readonly body: object;
  /** Whether the work before the error is committed. */
  readonly isKept: boolean;

  constructor(input: { status: number; body: object; message: string; isKept?: boolean }) {
    super(input.message);
    this.status = input.status;
    this.body = input.body;
    this.isKept = input.isKept ?? false;
  }
}

/** The request is malformed. */
export function invalid(field: string, issue: string, value?: string): PaypalFailure {
  const description = invalidDescriptions[issue] ?? 'The value of a field is wrong.';
  return envelope(400, 'INVALID_REQUEST', [
    { field, ...(value === undefined ? {} : { value }), location: 'body', issue, description },
  ]);
}

/** The request is well formed, but the current state or the provider's rules forbid it. */
export function unprocessable(issue: string, description: string, field?: string): PaypalFailure {
  const place = field === undefined ? {} : { field };
  return envelope(422, 'UNPROCESSABLE_ENTITY', [{ ...place, issue, description }]);
}

/** The payer's bank declined: the order stays open for another instrument. */
export function declined(): PaypalFailure {
  const { status, body, message } = unprocessable(
    'INSTRUMENT_DECLINED',
    'The instrument presented was either declined by the processor or bank, or it cannot be used for this payment.',
  );
  return new PaypalFailure({ status, body, message, isKept: true });
}

export function missing(): PaypalFailure {
  return envelope(404, 'RESOURCE_NOT_FOUND', [
    {
      issue: 'INVALID_RESOURCE_ID',
      description:
        'Specified resource ID does not exist. Please check the resource ID and try again.',
    },
  ]);
}

export function inProgress(): PaypalFailure {
  return envelope(409, 'RESOURCE_CONFLICT', [
    {
      issue: 'PREVIOUS_REQUEST_IN_PROGRESS',
      description: 'A previous request on this resource is currently in progress.',
    },
  ]);
}

export function tooMany(): PaypalFailure {
  return envelope(429, 'RATE_LIMIT_REACHED', []);
}

/** An unknown or expired token. */
export function badToken(): PaypalFailure {
  const error_description = 'Token signature verification failed';
  return new PaypalFailure({
    status: 401,
    message: error_description,
    body: { error: 'invalid_token', error_description },
  });
}

export function badClient(): PaypalFailure {
  const error_description = 'Client Authentication failed';
  return new PaypalFailure({
    status: 401,
    message: error_description,
    body: { error: 'invalid_client', error_description },
  });
}

export function serverError(): object {
  return envelope(500, 'INTERNAL_SERVER_ERROR', []).body;
}

const messages: Record<string, string> = {
  INVALID_REQUEST: 'Request is not well-formed, syntactically incorrect, or violates schema.',
  UNPROCESSABLE_ENTITY:
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  RESOURCE_NOT_FOUND: 'The specified resource does not exist.',
  RESOURCE_CONFLICT: 'The server has detected a conflict while processing this request.',
  RATE_LIMIT_REACHED: 'Too many requests. Blocked due to rate limiting.',
  INTERNAL_SERVER_ERROR: 'An internal server error has occurred.',
};

const invalidDescriptions: Record<string, string> = {
  MISSING_REQUIRED_PARAMETER: 'A required field / parameter is missing.',
  INVALID_PARAMETER_SYNTAX: 'The value of a field does not conform to the expected format.',
  INVALID_PARAMETER_VALUE: 'The value of a field is invalid.',
  INVALID_STRING_LENGTH: 'The value of a field is either too short or too long.',
  MALFORMED_REQUEST_JSON: 'The request JSON is not well formed.',
};

function envelope(status: number, name: string, details: Detail[]): PaypalFailure {
  const message = messages[name] ?? name;
  const [first] = details;
  const links =
    first === undefined
      ? []
      : [
          {
            href: `https://developer.paypal.com/api/rest/reference/orders/v2/errors/#${first.issue}`,
            rel: 'information_link',
            method: 'GET',
          },
        ];
  const body = {
    name,
    ...(details.length === 0 ? {} : { details }),
    message,
    debug_id: newDebugId(),
    links,
  };
  return new PaypalFailure({ status, body, message: first?.issue ?? message });
}
