import { type Only, type PageRequest, pageOf } from '../platform/pages.ts';
import { nullable, object, type ReadBy, type Reader, text, whole } from '../platform/shape.ts';
import type { CallName } from './calls.ts';
import type { Game } from './game.ts';
import { type Given, givenRow } from './giving.ts';
import { findRevocation, type RevocationRow, revocationRow } from './revocations.ts';

const callRow = object({
  id: whole,
  at: text,
  call: text,
  payment_id: nullable(text),
  status: nullable(whole),
  body: (value, at) => parsed(text(value, at)),
  reply: (value, at) => (value === null ? null : parsed(text(value, at))),
});

const grantRow = object({
  id: whole,
  payment_id: text,
  game_id: text,
  game_account_id: text,
  server_id: text,
  role_id: text,
  sku: text,
  quantity: whole,
  at: text,
});

export const recordKinds = ['calls', 'grants', 'revocations'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** A null answer means that the connection was cut after the commit. */
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

/** The newest records of each kind up to the limit, with the counts of all records. */
export function allRecords(game: Game, limit: number) {
  return {
    counts: {
      calls: countOf(game, 'calls'),
      grants: countOf(game, 'grants'),
      revocations: countOf(game, 'revocations'),
    },
    calls: newestCalls(game, limit),
    grants: newestGrants(game, limit),
    revocations: newest(game, revocationRow, 'revocations', limit).map(revocationOf),
  };
}

/** A page of records of one kind, oldest first. */
export function recordPage(
  game: Game,
  input: { kind: RecordKind; page: PageRequest },
): { records: object[]; next: number | null } {
  const page = <Row>(reader: Reader<Row>, shown: (row: Row) => object) => {
    const { rows, next } = pageOf(game.db, { table: input.kind, reader, page: input.page });
    return { records: rows.map(({ seq, row }) => ({ seq, ...shown(row) })), next };
  };
  switch (input.kind) {
    case 'calls':
      return page(callRow, callOf);
    case 'grants':
      return page(grantRow, (row) => grantOf(game, row));
    case 'revocations':
      return page(revocationRow, revocationOf);
  }
}

export function newestCalls(game: Game, limit: number) {
  return newest(game, callRow, 'calls', limit).map(callOf);
}

export function newestGrants(game: Game, limit: number) {
  return newest(game, grantRow, 'grants', limit).map((row) => grantOf(game, row));
}

export function grantsOf(game: Game, paymentId: string) {
  return game.db
    .all(grantRow, 'select * from grants where payment_id = ? order by id limit 1000', paymentId)
    .map((row) => grantOf(game, row));
}

/** The grants summed up by item and role. */
export function givenOf(game: Game, input: { only: Only; page: PageRequest }) {
  const { rows, next } = pageOf(game.db, { table: 'given', reader: givenRow, ...input });
  return { grants: rows.map(({ row }) => lineOf(game, row)), next };
}

export function revocationsOf(game: Game, input: { only: Only; page: PageRequest }) {
  const { rows, next } = pageOf(game.db, { table: 'revocations', reader: revocationRow, ...input });
  return { revocations: rows.map(({ row }) => revocationOf(row)), next };
}

export function countOf(game: Game, table: RecordKind): number {
  const row = game.db.one(object({ n: whole }), `select count(*) as n from ${table}`);
  return row?.n ?? 0;
}

function newest<Row>(game: Game, reader: Reader<Row>, table: RecordKind, limit: number): Row[] {
  return game.db.all(reader, `select * from ${table} order by rowid desc limit ?`, limit);
}

function callOf({ payment_id, ...row }: ReadBy<typeof callRow>) {
  return { ...row, paymentId: payment_id };
}

function grantOf(game: Game, row: ReadBy<typeof grantRow>) {
  const { id, quantity, at } = row;
  return { id, ...whatAndWho(row), quantity, at, revoked: isRevoked(game, row) };
}

function lineOf(game: Game, row: Given) {
  const { quantity, times, at } = row;
  return { ...whatAndWho(row), quantity, times, at, revoked: isRevoked(game, row) };
}

function revocationOf({ payment_id, result, reason, times, at }: RevocationRow) {
  return { paymentId: payment_id, result, reason, times, at };
}

function whatAndWho(row: Omit<Given, 'quantity' | 'times' | 'at'>) {
  return {
    paymentId: row.payment_id,
    gameId: row.game_id,
    gameAccountId: row.game_account_id,
    serverId: row.server_id,
    roleId: row.role_id,
    sku: row.sku,
  };
}

function isRevoked(game: Game, row: { payment_id: string }): boolean {
  return findRevocation(game, row.payment_id)?.result === 'revoked';
}

/** Bodies may be malformed: those that are not JSON are shown as text. */
function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return sent;
  }
}
