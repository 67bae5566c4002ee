import { object, oneOf, type ReadBy, text, whole } from '../platform/shape.ts';
import type { Game } from './game.ts';

export const revocationRow = object({
  payment_id: text,
  result: oneOf(['revoked', 'not_found']),
  reason: text,
  times: whole,
  at: text,
});
export type RevocationRow = ReadBy<typeof revocationRow>;

export function findRevocation(game: Game, paymentId: string): RevocationRow | undefined {
  return game.db.one(revocationRow, 'select * from revocations where payment_id = ?', paymentId);
}

/** Keeps the last answer to a revocation for each payment. */
export function recordRevocation(
  game: Game,
  input: { paymentId: string; result: RevocationRow['result']; reason: string },
): void {
  const { paymentId, result, reason } = input;
  game.db.run(
    `insert into revocations (payment_id, result, reason, times, at)
     values (?, ?, ?, 1, ?)
     on conflict do update set result = excluded.result, reason = excluded.reason,
       times = times + 1, at = excluded.at`,
    paymentId,
    result,
    reason,
    new Date().toISOString(),
  );
}
