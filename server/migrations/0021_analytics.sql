-- What browsers tell, and what is counted from it. In a schema of its own: its tables are cut by days
-- and not by the months of orders, and all of it may be lost without a player noticing.
set local lock_timeout = '5s';

create schema analytics;

create table analytics.events (
  id            uuid        not null, -- made by the browser: the same event twice is one
  happened_at   timestamptz not null,
  site_id       text        not null,
  game_id       text,
  device_id     uuid        not null,
  session_id    uuid        not null,
  session_index int         not null,
  batch_seq     int         not null,
  browser       text[]      not null,
  locale        text        not null,
  name          text        not null,
  params        jsonb       not null,
  -- Which step of the way to a purchase it is, if it is one.
  step          text        check (step in ('arrival', 'login', 'top_up')),
  received_at   timestamptz not null,
  -- Where a reader is. A sequence alone would not do: a number can be committed after a higher one, and
  -- who has read the higher one would never see it. Transactions are numbered too, and PostgreSQL
  -- knows up to which number all of them have ended.
  written_by    xid8        not null default pg_current_xact_id(),
  position      bigint      generated always as identity,
  primary key (id, happened_at)
) partition by range (happened_at);
create table analytics.events_default partition of analytics.events default;
create index events_to_read on analytics.events (written_by, position);
create index events_of_funnel on analytics.events (site_id, step, device_id) where step is not null;

-- What is no event as we know them. What looks like somebody's own is not kept.
create table analytics.quarantine (
  id          uuid        not null,
  received_at timestamptz not null,
  site_id     text        not null,
  device_id   uuid        not null,
  name        text,
  reason      text        not null check (reason in
                ('malformed', 'private_value', 'unknown_event', 'unknown_field', 'invalid_field', 'clock')),
  field       text,
  content     jsonb,
  primary key (id, received_at),
  constraint what_is_private_is_not_kept check (content is null or reason <> 'private_value')
) partition by range (received_at);
create table analytics.quarantine_default partition of analytics.quarantine default;

-- From arrival to fulfilled: devices for what events tell, orders made on that day for the rest.
create table analytics.funnel_days (
  site_id    text        not null references sites,
  day        date        not null, -- in UTC
  arrivals   int         not null,
  logins     int         not null,
  top_ups    int         not null,
  created    int         not null,
  paid       int         not null,
  fulfilled  int         not null,
  counted_at timestamptz not null,
  primary key (site_id, day)
);

-- Makes the tables of the days that events can fall into; run hourly by the worker. The default
-- partition catches what no day covers, and a day that begins there stays there.
create function analytics.ensure_days(parent regclass, first_day date, last_day date) returns void
language plpgsql as $$
declare
  day date := first_day;
  child text;
begin
  while day <= last_day loop
    child := format('%s_%s', (select relname from pg_class where oid = parent), to_char(day, 'YYYY_MM_DD'));
    if to_regclass(format('analytics.%I', child)) is null then
      begin
        execute format(
          'create table analytics.%I partition of %s for values from (%L) to (%L)',
          child, parent, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC'
        );
      exception when check_violation then
        raise warning '% stays in the default partition', child;
      end;
    end if;
    day := day + 1;
  end loop;
end
$$;

-- Forgets whole days: dropping a table costs the same whatever is in it.
create function analytics.drop_days_before(parent regclass, first_kept date) returns int
language plpgsql as $$
declare
  dropped int := 0;
  child record;
begin
  for child in
    select inhrelid::regclass as name, substring(relname from '\d{4}_\d\d_\d\d$') as day
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = parent
  loop
    if to_date(child.day, 'YYYY_MM_DD') < first_kept then
      execute format('drop table %s', child.name);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end
$$;

select analytics.ensure_days(parent, today - 1, today + 3)
from unnest(array['analytics.events', 'analytics.quarantine']::regclass[]) as parent,
     (select (now() at time zone 'UTC')::date as today) as clock;
