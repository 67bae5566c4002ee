import { AsyncLocalStorage } from 'node:async_hooks';
import { type LoggerOptions, pino } from 'pino';

/** Context ids of all log lines of a call or job. No other fields are added automatically. */
export interface LogFields {
  requestId?: string;
  accountId?: string;
  paymentId?: string;
  job?: string;
  jobId?: string;
}

const fields = new AsyncLocalStorage<LogFields>();

const secretNames = [
  ...['password', 'token', 'ticket', 'data', 'secret', 'cookie', 'authorization'],
  ...['phone', 'email', 'fullName', 'identityNumber'],
];

let destination = pino.destination(1);

/** For programs whose standard output is read by another program. */
export function logToStandardError(): void {
  destination = pino.destination(2);
}

/**
 * One JSON line per event. Callers pass named values, never whole requests, bodies or headers. The
 * redaction paths below are a second safeguard.
 */
const options: LoggerOptions = {
  base: null,
  formatters: { level: (label) => ({ level: label }) },
  mixin: () => ({ ...fields.getStore() }),
  serializers: { err: wordsOf },
  redact: {
    paths: secretNames.flatMap((name) => [name, `*.${name}`]),
    censor: '[redacted]',
  },
};
export const log = pino(options, { write: (line) => void destination.write(line) });

/**
 * The loggable properties of an error. Others are dropped: PostgreSQL errors contain the violating
 * row, and errors of outbound calls contain the request.
 */
function wordsOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return { type: typeof error };
  // The job engine reports errors as plain objects.
  const said: Words = error instanceof Error ? pino.stdSerializers.err(error) : error;
  const { type = typeof error, message, stack, code, table, constraint } = said;
  // An AggregateError often has no message, for example if all addresses of a host name refuse.
  const several = error instanceof AggregateError ? { errors: error.errors.map(wordsOf) } : {};
  return { type, message, stack, code, table, constraint, ...several };
}

type Words = Partial<
  Record<'type' | 'message' | 'stack' | 'code' | 'table' | 'constraint', unknown>
>;

export function withLogFields<T>(added: LogFields, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...added }, work);
}

/** Adds ids that become known during a call, such as that of the order. */
export function addLogFields(added: LogFields): void {
  const current = fields.getStore();
  if (current !== undefined) Object.assign(current, added);
}
