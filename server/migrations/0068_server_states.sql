-- What operators and games say about game servers, each with an optional end. The word of an operator counts before that
-- of the game, which counts before game_servers.status.
create table server_states (
  game_id   text        not null,
  server_id text        not null,
  told_by   text        not null
    constraint told_by_operator_or_game check (told_by in ('operator', 'game')),
  status    smallint    not null
    constraint state_is_open_or_maintenance check (status in (0, 1)),
  until     timestamptz,
  told_at   timestamptz not null,
  primary key (game_id, server_id, told_by),
  foreign key (game_id, server_id) references game_servers
);

-- Kept apart from the catalogue: a report of a game reloads only these rows.
insert into content_versions (topic) values ('servers');

-- Runs as the owner, because the api writes what games report and may not write content_versions.
create function note_server_states() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update content_versions set version = version + 1 where topic = 'servers';
  perform pg_notify('content_changed', 'servers');
  return null;
end
$$;
create trigger content_changed after insert or update or delete or truncate on server_states
  for each statement execute function note_server_states();

-- By whom a change was told: an operator's name, or `game:` and its id.
alter table server_status_changes add column until timestamptz;
