import { object, type ReadBy, text, whole } from '../platform/shape.ts';
import type { RechargeBody } from './calls.ts';
import type { Game } from './game.ts';

export const givenRow = object({
  payment_id: text,
  game_id: text,
  server_id: text,
  role_id: text,
  game_account_id: text,
  sku: text,
  quantity: whole,
  times: whole,
  at: text,
});
export type Given = ReadBy<typeof givenRow>;

/** Writes a grant for each item, and updates the totals of the payment. */
export function give(game: Game, body: RechargeBody): void {
  const at = new Date().toISOString();
  for (const { sku, quantity } of body.items) {
    game.db.run(
      `insert into grants
         (payment_id, game_id, game_account_id, server_id, role_id, sku, quantity, at)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
      body.paymentId,
      body.gameId,
      body.gameAccountId,
      body.serverId,
      body.roleId,
      sku,
      quantity,
      at,
    );
  }
  // An item that the order lists twice counts as one delivery of the total quantity.
  for (const [sku, items] of Map.groupBy(body.items, (item) => item.sku)) {
    const quantity = items.reduce((sum, item) => sum + item.quantity, 0);
    addUp(game, body, { sku, quantity, at });
  }
}

function addUp(
  game: Game,
  body: RechargeBody,
  now: { sku: string; quantity: number; at: string },
): void {
  const key = [
    ...[body.paymentId, now.sku, body.gameId, body.serverId, body.roleId, body.gameAccountId],
  ];
  const before = game.db.one(
    givenRow,
    `select * from given where payment_id = ? and sku = ? and game_id = ? and server_id = ?
       and role_id = ? and game_account_id = ?`,
    ...key,
  );
  const quantity = (before?.quantity ?? 0) + now.quantity;
  const times = (before?.times ?? 0) + 1;
  game.db.run(
    `insert into given (payment_id, sku, game_id, server_id, role_id, game_account_id,
       quantity, times, at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict do update set quantity = excluded.quantity, times = excluded.times,
       at = excluded.at`,
    ...key,
    quantity,
    times,
    now.at,
  );
}
