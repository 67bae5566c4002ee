-- Every change of a game server's status by an operator, for good: nobody can top up for a server in maintenance.
create table server_status_changes (
  id        uuid        primary key,
  game_id   text        not null,
  server_id text        not null,
  status    smallint    not null constraint changed_to_open_or_maintenance check (status in (0, 1)),
  by        text        not null,
  reason    text        not null,
  at        timestamptz not null,
  foreign key (game_id, server_id) references game_servers
);
create index on server_status_changes (game_id, server_id, at desc);
create trigger append_only before update or delete or truncate on server_status_changes
  for each statement execute function forbid_change();
