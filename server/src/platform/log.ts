import { AsyncLocalStorage } from 'node:async_hooks';
import { pino } from 'pino';

/** The ids every line of a piece of work carries. Nothing else is added by itself. */
export interface LogFields {
  requestId?: string;
  accountId?: string;
  paymentId?: string;
  job?: string;
  jobId?: string;
}

const fields = new AsyncLocalStorage<LogFields>();

/**
 * One JSON line per event. Callers pass named values, never whole requests, bodies or headers: what
 * is not handed over cannot leak. The paths below are the second net.
 */
export const log = pino({
  base: null,
  formatters: { level: (label) => ({ level: label }) },
  mixin: () => ({ ...fields.getStore() }),
  redact: {
    paths: ['password', 'token', 'data', 'secret', 'cookie', 'authorization'].flatMap((name) => [
      name,
      `*.${name}`,
    ]),
    censor: '[redacted]',
  },
});

export function withLogFields<T>(added: LogFields, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...added }, work);
}

/** Adds ids that become known in the middle of a piece of work, such as the order's. */
export function addLogFields(added: LogFields): void {
  const current = fields.getStore();
  if (current !== undefined) Object.assign(current, added);
}
