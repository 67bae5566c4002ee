import { object, oneOf, text, whole } from '../platform/shape.ts';
import type { ListBody } from './calls.ts';
import type { Game } from './game.ts';

const entriesMax = 1_000;

const entryRow = object({
  payment_id: text,
  what: oneOf(['given', 'revoked']),
  nth: whole,
  game_id: text,
  server_id: text,
  role_id: text,
  game_account_id: text,
  items: text,
  at: text,
});

// Groups grants by their time: items of one delivery share it. Two deliveries of one payment within
// the same millisecond would be merged, which the sandbox accepts.
const entries = `
  select payment_id, 'given' as what, min(id) as nth, game_id, server_id, role_id, game_account_id,
    json_group_array(json_object('sku', sku, 'quantity', quantity)) as items, at
  from grants where payment_id >= ? and payment_id < ? group by payment_id, game_id, server_id, role_id, game_account_id, at
  union all
  select payment_id, 'revoked', 0, body ->> 1, body ->> 2, body ->> 3, body ->> 4,
    (select json_group_array(json_object('sku', value ->> 0, 'quantity', value ->> 1))
     from json_each(body, '$[5]')), revoked_at
  from deliveries where revoked_at is not null and payment_id >= ? and payment_id < ?`;

/**
 * One page of deliveries and revocations by payment id; the cursor is the last entry already read.
 */
export function listRecharges(game: Game, body: ListBody) {
  const [paymentId = '', what = '', nth] = body.cursor?.split('|') ?? [body.from];
  const range = [paymentId, body.until];
  const limit = Math.min(body.limit, entriesMax);
  const found = game.db.all(
    entryRow,
    `select * from (${entries}) as entries
     where game_id = ? and (payment_id, what, nth) > (?, ?, ?)
       and (select body ->> 0 from deliveries where deliveries.payment_id = entries.payment_id) = ?
     order by payment_id, what, nth limit ?`,
    ...[...range, ...range, body.gameId, paymentId, what, Number(nth ?? 0)],
    ...[body.sandbox ? 1 : 0, limit + 1],
  );
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const isLast = found.length <= limit || last === undefined;
  return {
    entries: shown.map((row) => ({
      paymentId: row.payment_id,
      gameId: row.game_id,
      serverId: row.server_id,
      roleId: row.role_id,
      gameAccountId: row.game_account_id,
      items: JSON.parse(row.items),
      what: row.what,
      at: row.at,
    })),
    next: isLast ? null : [last.payment_id, last.what, last.nth].join('|'),
  };
}
