import { AsyncLocalStorage } from 'node:async_hooks';
import { type LoggerOptions, pino } from 'pino';

/** The ids every line of a piece of work carries. Nothing else is added by itself. */
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

/** For programs whose standard output is an answer that another program reads. */
export function logToStandardError(): void {
  destination = pino.destination(2);
}

/**
 * One JSON line per event. Callers pass named values, never whole requests, bodies or headers: what
 * is not handed over cannot leak. The paths below are the second net.
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
 * What an error says of itself. What else hangs on it stays behind: PostgreSQL's errors carry the
 * whole row that broke a rule, those of calls what was sent.
 */
function wordsOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return { type: typeof error };
  // The job engine tells of errors by objects that are none.
  const said: Words = error instanceof Error ? pino.stdSerializers.err(error) : error;
  const { type = typeof error, message, stack, code, table, constraint } = said;
  // Several at once often have no words of their own, such as all addresses of a name that do not answer.
  const several = error instanceof AggregateError ? { errors: error.errors.map(wordsOf) } : {};
  return { type, message, stack, code, table, constraint, ...several };
}

type Words = Partial<
  Record<'type' | 'message' | 'stack' | 'code' | 'table' | 'constraint', unknown>
>;

export function withLogFields<T>(added: LogFields, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...added }, work);
}

/** Adds ids that become known in the middle of a piece of work, such as the order's. */
export function addLogFields(added: LogFields): void {
  const current = fields.getStore();
  if (current !== undefined) Object.assign(current, added);
}
