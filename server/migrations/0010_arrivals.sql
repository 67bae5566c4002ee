-- Players who come from a game, with a ticket of ours or a token of the game's.
set local lock_timeout = '5s';

-- Where a game publishes the keys that its tokens are signed with.
alter table games add column jwks_url text;

-- A ticket is as good as a password while it lives, so only its hash is kept; using it deletes the
-- row, so that of two who use it at once one finds nothing.
create table arrival_tickets (
  ticket_hash     bytea       primary key constraint ticket_is_hashed check (length(ticket_hash) = 32),
  account_id      uuid        not null,
  game_id         text        not null,
  game_account_id text        not null,
  site_id         text        not null references sites,
  expires_at      timestamptz not null,
  constraint tickets_end_soon check (expires_at <= now() + interval '120 seconds'),
  -- A game account that is taken from a player takes its tickets along.
  foreign key (account_id, game_id, game_account_id) references game_accounts on delete cascade
);
create index on arrival_tickets (account_id, game_id, game_account_id);
create index on arrival_tickets (site_id);
create index on arrival_tickets (expires_at);

-- Tokens and signed requests of games that were used once. PostgreSQL and not Redis, because
-- forgetting one would let it be replayed; the worker deletes what is too old to be accepted anyway.
create table used_arrivals (
  game_id    text        not null,
  digest     bytea       not null constraint arrival_is_hashed check (length(digest) = 32),
  expires_at timestamptz not null,
  primary key (game_id, digest)
);
create index on used_arrivals (expires_at);
