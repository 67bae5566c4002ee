import { createHash } from 'node:crypto';
import { object, text, whole } from '../platform/shape.ts';
import { StripeFailure } from './failure.ts';
import { canonicalForm } from './form.ts';
import type { Provider } from './provider.ts';

/** The lifetime of an idempotency key, by the sandbox clock. */
const keptSeconds = 24 * 3600;

export type StoredReply = { requestId: string; status: number; body: string };

const keyRow = object({
  key: text,
  created: whole,
  fingerprint: text,
  request_id: text,
  status: whole,
  body: text,
});

/** A fingerprint of the request, independent of the order of its parameters. */
export function fingerprintOf(input: { method: string; path: string; body: string }): string {
  const whole = `${input.method} ${input.path}\n${canonicalForm(input.body)}`;
  return createHash('sha256').update(whole).digest('hex');
}

/** The stored reply of this key; throws if the key was used with other parameters. */
export function findReply(
  provider: Provider,
  input: { key: string; fingerprint: string },
): StoredReply | undefined {
  const row = provider.db.one(keyRow, 'select * from idempotency_keys where key = ?', input.key);
  if (row === undefined) return undefined;
  if (row.created <= provider.clock.nowSeconds() - keptSeconds) return undefined;
  if (row.fingerprint !== input.fingerprint) {
    throw new StripeFailure({
      status: 400,
      isStored: false,
      error: {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were ' +
          `first used with. Try using a key other than '${input.key}' if you meant to execute ` +
          'a different request.',
      },
    });
  }
  return { requestId: row.request_id, status: row.status, body: row.body };
}

/** Runs in the transaction of the work, so that no work is committed without its stored reply. */
export function storeReply(
  provider: Provider,
  input: { key: string; fingerprint: string; reply: StoredReply },
): void {
  const { key, fingerprint, reply } = input;
  provider.db.run(
    `insert or replace into idempotency_keys (key, created, fingerprint, request_id, status, body)
     values (?, ?, ?, ?, ?, ?)`,
    key,
    provider.clock.nowSeconds(),
    fingerprint,
    reply.requestId,
    reply.status,
    reply.body,
  );
}

export function keyInUse(key: string): StripeFailure {
  return new StripeFailure({
    status: 409,
    isStored: false,
    error: {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message:
        'There is currently another in-progress request using this Idempotent Key ' +
        `(that probably means you submitted twice, and the other request is still going ` +
        `through): ${key}. Please try again later.`,
    },
  });
}
