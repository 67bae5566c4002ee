import { nullable, object, oneOf, text } from '../platform/shape.ts';
import { type Reason, type RechargeBody, type RevokeBody, reasons } from './calls.ts';
import type { Game } from './game.ts';
import { give } from './giving.ts';
import { findRevocation, recordRevocation } from './revocations.ts';
import { rolesAt } from './roles.ts';

export type Validation = { result: 'ok' } | { result: 'refused'; reason: Reason };

export type Delivery =
  | { result: 'delivered' | 'already_delivered' }
  | { result: 'declined'; reason: Reason }
  | { result: 'conflict' };

export type Revocation = { result: 'revoked' | 'already_revoked' | 'not_found' };

const deliveryRow = object({
  payment_id: text,
  body: text,
  declined: nullable(oneOf(reasons)),
  revoked_at: nullable(text),
});

export function validate(
  game: Game,
  body: RechargeBody,
  refuseWith: Reason | undefined,
): Validation {
  const reason = refuseWith ?? problemWith(game, body);
  return reason === undefined ? { result: 'ok' } : { result: 'refused', reason };
}

/**
 * Delivers the items of a payment once. A repeated call answers already_delivered, and a declined
 * payment stays declined even if the reason no longer holds. A revoked payment is never delivered,
 * so that a late delivery cannot overtake its refund.
 */
export function deliver(game: Game, body: RechargeBody, declineWith: Reason | undefined): Delivery {
  return game.db.transaction((): Delivery => {
    const before = findDelivery(game, body.paymentId);
    if (game.hasTombstones && findRevocation(game, body.paymentId) !== undefined) {
      if (before === undefined) remember(game, body, 'item_unavailable');
      return { result: 'declined', reason: 'item_unavailable' };
    }
    if (before !== undefined && game.isDeduplicating) {
      if (before.body !== canonical(body)) return { result: 'conflict' };
      if (before.declined !== null) return { result: 'declined', reason: before.declined };
      return { result: 'already_delivered' };
    }

    const reason = declineWith ?? problemWith(game, body);
    remember(game, body, reason ?? null);
    if (reason !== undefined) return { result: 'declined', reason };
    give(game, body);
    return { result: 'delivered' };
  });
}

/** Revokes the items of a payment. The grants stay on record. */
export function revoke(game: Game, body: RevokeBody): Revocation {
  return game.db.transaction((): Revocation => {
    const result = takeBack(game, body.paymentId);
    recordRevocation(game, { ...body, result: result === 'not_found' ? result : 'revoked' });
    return { result };
  });
}

/** The game and server that a payment was delivered to or was meant for. */
export function placeOf(
  game: Game,
  paymentId: string,
): { gameId: string; serverId: string } | undefined {
  return game.db.one(
    object({ gameId: text, serverId: text }),
    `select json_extract(body, '$[1]') as gameId, json_extract(body, '$[2]') as serverId
     from deliveries where payment_id = ?`,
    paymentId,
  );
}

function takeBack(game: Game, paymentId: string): Revocation['result'] {
  const delivery = findDelivery(game, paymentId);
  if (delivery === undefined || delivery.declined !== null) return 'not_found';
  if (delivery.revoked_at !== null) return 'already_revoked';
  game.db.run(
    'update deliveries set revoked_at = ? where payment_id = ?',
    new Date().toISOString(),
    paymentId,
  );
  return 'revoked';
}

function remember(game: Game, body: RechargeBody, declined: Reason | null): void {
  game.db.run(
    'insert or replace into deliveries (payment_id, body, declined) values (?, ?, ?)',
    body.paymentId,
    canonical(body),
    declined,
  );
}

function problemWith(game: Game, body: RechargeBody): Reason | undefined {
  const isThere = rolesAt(game, body).some(({ roleId }) => roleId === body.roleId);
  return isThere ? undefined : 'role_not_found';
}

function findDelivery(game: Game, paymentId: string) {
  return game.db.one(deliveryRow, 'select * from deliveries where payment_id = ?', paymentId);
}

/** A canonical form of the body, independent of the order of its fields. */
function canonical(body: RechargeBody): string {
  const { sandbox, gameId, serverId, roleId, gameAccountId, items } = body;
  const pairs = items.map(({ sku, quantity }) => [sku, quantity]);
  return JSON.stringify([sandbox, gameId, serverId, roleId, gameAccountId, pairs]);
}
