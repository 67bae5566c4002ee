import { nullable, object, text, whole } from '../platform/shape.ts';
import type { CallName } from './calls.ts';
import type { Game } from './game.ts';

const callRow = object({
  id: whole,
  at: text,
  call: text,
  paymentId: nullable(text),
  status: nullable(whole),
  body: (value, at) => parsed(text(value, at)),
  reply: (value, at) => (value === null ? null : parsed(text(value, at))),
});
export type CallRecord = ReturnType<typeof callRow>;

const grantRow = object({
  id: whole,
  paymentId: text,
  gameId: text,
  gameAccountId: text,
  serverId: text,
  roleId: text,
  sku: text,
  quantity: whole,
  at: text,
});
export type Grant = ReturnType<typeof grantRow>;

const grantColumns = `id, payment_id as paymentId, game_id as gameId,
  game_account_id as gameAccountId, server_id as serverId, role_id as roleId, sku, quantity, at`;

const revocationRow = object({ paymentId: text, at: text });

/** A null answer means that the connection was cut after the work was done. */
export function recordCall(
  game: Game,
  input: {
    call: CallName;
    paymentId: string | null;
    body: string;
    answer: { status: number; body: object } | null;
  },
): void {
  game.db.run(
    'insert into calls (at, call, payment_id, status, body, reply) values (?, ?, ?, ?, ?, ?)',
    new Date().toISOString(),
    input.call,
    input.paymentId,
    input.answer?.status ?? null,
    input.body,
    input.answer === null ? null : JSON.stringify(input.answer.body),
  );
}

/** All that happened, newest first. The counts are of everything, the lists stop at the limit. */
export function allRecords(game: Game, limit: number) {
  return {
    counts: { calls: countOf(game, 'calls'), grants: countOf(game, 'grants') },
    calls: newestCalls(game, limit),
    grants: newestGrants(game, limit),
    revocations: game.db.all(
      revocationRow,
      `select payment_id as paymentId, revoked_at as at from deliveries
       where revoked_at is not null order by revoked_at desc limit ?`,
      limit,
    ),
  };
}

export function newestCalls(game: Game, limit: number): CallRecord[] {
  return game.db.all(
    callRow,
    `select id, at, call, payment_id as paymentId, status, body, reply
     from calls order by id desc limit ?`,
    limit,
  );
}

export function newestGrants(game: Game, limit: number): Grant[] {
  return game.db.all(
    grantRow,
    `select ${grantColumns} from grants order by id desc limit ?`,
    limit,
  );
}

export function grantsOf(game: Game, paymentId: string): Grant[] {
  return game.db.all(
    grantRow,
    `select ${grantColumns} from grants where payment_id = ? order by id limit 1000`,
    paymentId,
  );
}

export function countOf(game: Game, table: 'calls' | 'grants'): number {
  const row = game.db.one(object({ n: whole }), `select count(*) as n from ${table}`);
  return row?.n ?? 0;
}

/** What was sent may be anything; what is not JSON is shown as it came. */
function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return sent;
  }
}
