-- A month of orders is a set of tables that belong together and to nobody else: it is attached without
-- waiting for readers, and can be detached, archived and restored. So a foreign key leads from a table of
-- a month to the orders of that month, and no table catches what has no month.

-- The tables that are cut by the month of an id. Most have rows of orders. The ledger has rows of whatever
-- caused them, and may get one of a lot of points that expires long after it came.
create view monthly_tables as
  select pg_class.oid::regclass as parent, relname as name, attname as id_column,
         attname = 'payment_id' as is_of_orders
  from pg_partitioned_table
  join pg_class on pg_class.oid = partrelid
  join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
  where relnamespace = 'public'::regnamespace;

-- What orders_2026_11 ends with.
create function month_suffix(month timestamptz) returns text language sql stable
return to_char(month at time zone 'UTC', '_YYYY_MM');

-- Whatever time zone a session has.
create function month_after(month timestamptz, months int default 1) returns timestamptz
language sql stable
return (month at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC';

-- Makes the tables of a month, by themselves and without foreign keys. Those that are there stay.
create function create_month_tables(month timestamptz) returns void language plpgsql as $$
declare
  part record;
begin
  for part in
    select parent, name || month_suffix(month) as child from monthly_tables
    where to_regclass(name || month_suffix(month)) is null
  loop
    execute format('create table %I (like %s including all)', part.child, part.parent);
    -- Rows guard themselves in every partition, but emptying one is a statement of its own.
    if exists (select from pg_trigger where tgrelid = part.parent and tgname = 'append_only_whole') then
      execute format(
        'create trigger append_only_whole before truncate on %I
         for each statement execute function forbid_change()', part.child);
    end if;
  end loop;
end
$$;

-- Leads foreign keys from a table of a month to its orders and to whatever its parent refers to. Rows
-- that are there are not looked at: that is what validate_month_keys does, and it lets others write.
create function add_month_keys(month timestamptz) returns void language plpgsql as $$
declare
  part record;
  key record;
begin
  for part in
    select parent, is_of_orders, name || month_suffix(month) as child from monthly_tables
    where to_regclass(name || month_suffix(month)) is not null
  loop
    if part.is_of_orders and part.parent <> 'orders'::regclass and not exists (
      select from pg_constraint where conrelid = part.child::regclass and conname = 'is_of_an_order'
    ) then
      execute format(
        'alter table %I add constraint is_of_an_order foreign key (account_id, payment_id)
         references %I not valid', part.child, 'orders' || month_suffix(month));
    end if;
    for key in
      select conname, pg_get_constraintdef(oid) as definition from pg_constraint as theirs
      where conrelid = part.parent and contype = 'f' and not exists (
        select from pg_constraint as ours
        where ours.conrelid = part.child::regclass and ours.conname = theirs.conname)
    loop
      execute format('alter table %I add constraint %I %s not valid', part.child, key.conname, key.definition);
    end loop;
  end loop;
end
$$;

create function validate_month_keys(month timestamptz) returns void language plpgsql as $$
declare
  key record;
begin
  for key in
    select conrelid::regclass as child, conname from pg_constraint
    join monthly_tables on conrelid = to_regclass(name || month_suffix(month))
    where contype = 'f' and not convalidated
  loop
    execute format('alter table %s validate constraint %I', key.child, key.conname);
  end loop;
end
$$;

-- Says which ids tables of a month have that are not attached yet, so that attaching need not read them
-- while it holds locks. It stays: to take it away again would lock a table that the shop reads.
create function add_month_bounds(month timestamptz) returns void language plpgsql as $$
declare
  part record;
begin
  for part in
    select id_column, name || month_suffix(month) as child from monthly_tables
    where to_regclass(name || month_suffix(month)) is not null and not exists (
      select from pg_inherits where inhrelid = to_regclass(name || month_suffix(month)))
  loop
    execute format(
      'alter table %I add constraint is_of_this_month check (%I >= %L and %I < %L)', part.child,
      part.id_column, uuid_v7_floor(month), part.id_column, uuid_v7_floor(month_after(month)));
  end loop;
end
$$;

-- Orders come last: an order whose other tables are missing would be taken and then be stuck.
create function attach_month(month timestamptz) returns void language plpgsql as $$
declare
  part record;
begin
  for part in
    select parent, name || month_suffix(month) as child from monthly_tables
    where not exists (
      select from pg_inherits
      where inhparent = parent and inhrelid = to_regclass(name || month_suffix(month)))
    order by name = 'orders', name
  loop
    execute format(
      'alter table %s attach partition %I for values from (%L) to (%L)', part.parent, part.child,
      uuid_v7_floor(month), uuid_v7_floor(month_after(month)));
  end loop;
end
$$;

-- Makes a month that has nothing in it yet.
create function make_month(month timestamptz) returns void language plpgsql as $$
begin
  perform create_month_tables(month);
  perform add_month_keys(month);
  perform validate_month_keys(month);
  perform attach_month(month);
end
$$;

-- Makes what this month and the next ones lack; run when the shop is upgraded and hourly by the worker.
create function ensure_months(months_ahead int) returns void language plpgsql as $$
declare
  month timestamptz;
begin
  for month in
    select month_after(date_trunc('month', now(), 'UTC'), ahead)
    from generate_series(0, months_ahead) as ahead
  loop
    continue when not exists (
      select from monthly_tables where to_regclass(name || month_suffix(month)) is null);
    perform make_month(month);
  end loop;
end
$$;

-- Workers of the release before this one still ask for months in this way, once for each table.
create or replace function ensure_month_partitions(parent regclass, months_ahead int) returns void
language sql begin atomic
  select ensure_months(months_ahead);
end;

-- Moves what no month had a table for to a month of its own. Usually there is nothing.
create function give_up_default_partitions() returns void language plpgsql as $$
declare
  part record;
  month timestamptz;
  columns text;
begin
  for part in select * from monthly_tables where to_regclass(name || '_default') is not null loop
    execute format('alter table %s detach partition %I', part.parent, part.name || '_default');
  end loop;
  for part in
    select * from monthly_tables where to_regclass(name || '_default') is not null
    order by name <> 'orders', name
  loop
    for month in execute format(
      'select distinct date_trunc(''month'', uuid_extract_timestamp(%I), ''UTC'') from %I',
      part.id_column, part.name || '_default')
    loop
      perform make_month(month);
    end loop;
    select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
    where attrelid = part.parent and attnum > 0 and not attisdropped and attgenerated = '';
    execute format('insert into %s (%s) select %s from %I', part.parent, columns, columns, part.name || '_default');
    execute format('drop table %I', part.name || '_default');
  end loop;
end
$$;

-- What was archived, when, by whom, and where its files are.
create table archives (
  archive_id      uuid        primary key,
  month           date        not null check (extract(day from month) = 1),
  -- written: the files are there. verified: they are what the tables say, which no longer belong to the
  -- shop. archived: only the files are left. restored: the shop has it all again.
  state           text        not null check (state in ('written', 'verified', 'archived', 'restored')),
  folder          text        not null,
  manifest_sha256 text        not null,
  orders          bigint      not null,
  archived_by     text        not null,
  archived_at     timestamptz not null default now(),
  restored_by     text,
  restored_at     timestamptz,
  constraint restored_archives_know_when check (
    (state = 'restored') = (restored_at is not null) and (restored_by is null) = (restored_at is null))
);
create unique index one_archive_of_a_month on archives (month) where state <> 'restored';
