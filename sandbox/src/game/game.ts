import { type Database, openDatabase } from '../platform/database.ts';
import { createFaultPlan, type FaultPlan } from '../platform/fault-plan.ts';
import { createHanging, type Hanging } from '../platform/hanging.ts';
import type { GameFault } from './calls.ts';
import { createTokenKeys, type TokenKeys } from './tokens.ts';

/** The state of one game: its records and its planned faults. */
export type Game = {
  db: Database;
  faults: FaultPlan<GameFault>;
  hanging: Hanging;
  /** The accepted HMAC secrets; two during a rotation. */
  secrets: readonly string[];
  /** The keys with which the game's SDK signs arrival tokens. */
  tokenKeys: TokenKeys;
  /** False for a game that delivers a repeated call again. */
  isDeduplicating: boolean;
  /** False for a game that delivers payments revoked before their delivery. */
  hasTombstones: boolean;
  /** Aborted when the program ends, so that hanging answers do not delay the exit. */
  ending: AbortController;
};

export function createGame(input: {
  secrets: readonly string[];
  dataFile: string | undefined;
}): Game {
  const ending = new AbortController();
  return {
    db: openDatabase({ file: input.dataFile, schema }),
    faults: createFaultPlan<GameFault>(),
    hanging: createHanging(ending.signal),
    secrets: input.secrets,
    tokenKeys: createTokenKeys(),
    isDeduplicating: true,
    hasTombstones: true,
    ending,
  };
}

/** The schema of the first version. */
const first = `
create table if not exists calls (
  id         integer primary key,
  at         text    not null,
  call       text    not null,
  payment_id text,
  -- Null if the connection was cut without an answer.
  status     integer,
  body       text    not null,
  reply      text
);
create index if not exists calls_by_payment on calls (payment_id);

-- The final decision of the game about each payment.
create table if not exists deliveries (
  payment_id text primary key,
  body       text not null,
  -- Null for a delivered payment.
  declined   text,
  revoked_at text
);

create table if not exists grants (
  id              integer primary key,
  payment_id      text    not null,
  game_id         text    not null,
  game_account_id text    not null,
  server_id       text    not null,
  role_id         text    not null,
  sku             text    not null,
  quantity        integer not null check (quantity > 0),
  at              text    not null
);
create index if not exists grants_by_payment on grants (payment_id);
create index if not exists grants_by_account on grants (game_account_id);
create trigger if not exists grants_never_change before update on grants
  begin select raise(abort, 'grants are append-only'); end;
create trigger if not exists grants_never_go before delete on grants
  begin select raise(abort, 'grants are append-only'); end;

create table if not exists roles_set (
  game_account_id text not null,
  server_id       text not null,
  roles           text not null,
  primary key (game_account_id, server_id)
);
`;

/** Adds revocations, roles of single games, and the checksums that an auditor compares. */
const second = `
-- The last answer to a revocation. A payment with any answer is never delivered again.
create table revocations (
  payment_id text    primary key,
  result     text    not null check (result in ('revoked', 'not_found')),
  reason     text    not null,
  times      integer not null,
  at         text    not null,
  bucket     integer not null,
  crc        integer not null
);
create index revocations_by_bucket on revocations (bucket, crc);

-- The grants of a payment summed up by item and role.
create table given (
  payment_id      text    not null,
  game_id         text    not null,
  server_id       text    not null,
  role_id         text    not null,
  game_account_id text    not null,
  sku             text    not null,
  quantity        integer not null,
  times           integer not null,
  at              text    not null,
  bucket          integer not null,
  crc             integer not null,
  primary key (payment_id, sku, game_id, server_id, role_id, game_account_id)
);
create index given_by_bucket on given (bucket, crc);

create table roles_by_game (
  -- Empty for roles in every game.
  game_id         text not null,
  game_account_id text not null,
  server_id       text not null,
  roles           text not null,
  primary key (game_account_id, server_id, game_id)
);

insert into roles_by_game select '', game_account_id, server_id, roles from roles_set;
drop table roles_set;
insert into revocations
  select payment_id, 'revoked', 'unknown', 1, revoked_at, bucket_of(payment_id),
    crc_of(payment_id || '|revoked')
  from deliveries where revoked_at is not null;
insert into given
  select payment_id, game_id, server_id, role_id, game_account_id, sku, sum(quantity), count(*),
    max(at), bucket_of(payment_id), crc_of(payment_id || '|' || game_id || '|' || server_id || '|' ||
    role_id || '|' || game_account_id || '|' || sku || '|' || sum(quantity) || '|' || count(*))
  from grants group by payment_id, sku, game_id, server_id, role_id, game_account_id;
`;

/** Recomputes the checksums with a new formula. */
const third = `
update revocations set crc = crc_of(payment_id || '|' || result);
update given set crc = crc_of(payment_id || '|' || game_id || '|' || server_id || '|' || role_id ||
  '|' || game_account_id || '|' || sku || '|' || quantity || '|' || times);
`;

/** Removes the checksums: auditors read the records themselves. */
const fourth = `
drop index revocations_by_bucket;
alter table revocations drop column bucket;
alter table revocations drop column crc;
drop index given_by_bucket;
alter table given drop column bucket;
alter table given drop column crc;
`;

/** The database schema of the game, one script for each version. */
export const schema = [first, second, third, fourth];
