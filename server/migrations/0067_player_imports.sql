-- Files of players that operators import. The transaction that inserts a batch of lines also moves next_byte, so a
-- killed import goes on where it was.
create table player_imports (
  id          uuid        primary key,
  file_digest bytea       not null constraint file_is_hashed check (length(file_digest) = 32),
  bytes       bigint      not null check (bytes >= 0),
  options     jsonb       not null,
  next_byte   bigint      not null default 0,
  lines       bigint      not null default 0,
  made        bigint      not null default 0,
  known       bigint      not null default 0,
  updated     bigint      not null default 0, -- of those that were known
  refused     bigint      not null default 0,
  by          text        not null check (by <> ''),
  started_at  timestamptz not null default now(),
  seen_at     timestamptz not null default now(),
  done_at     timestamptz,
  constraint import_stays_in_its_file check (next_byte between 0 and bytes),
  constraint each_line_has_one_end check (lines = made + known + refused),
  unique (file_digest, options)
);

-- Never what the line says.
create table player_import_refusals (
  import_id uuid   not null references player_imports,
  line      bigint not null,
  code      text   not null,
  field     text   not null,
  primary key (import_id, line)
);
