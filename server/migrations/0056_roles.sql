-- Groups that the users of the shop's programs are members of. They belong to the whole cluster, so another
-- shop in it may have made them. Answers those that are missing and that this user may not make.
create function make_groups() returns text[] language plpgsql as $$
declare
  name text;
  missing text[] := '{}';
begin
  foreach name in array array['pointgate_api', 'pointgate_worker', 'pointgate_auditor', 'pointgate_reader'] loop
    if exists (
      select from pg_roles
      where rolname = name and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)
    ) then
      raise exception 'the role % may do more than a group of the shop: take that from it', name;
    end if;
    continue when exists (select from pg_roles where rolname = name);
    begin
      execute format('create role %I nologin', name);
    exception
      when duplicate_object or unique_violation then null; -- a shop beside this one was quicker
      when insufficient_privilege then missing := missing || name;
    end;
  end loop;
  return missing;
end
$$;

-- Lets others do with a table what they may do with the one that it becomes a part of.
create function copy_rights(parent regclass, child regclass) returns void language plpgsql as $$
declare
  theirs record;
begin
  for theirs in
    select grantee::regrole as grantee, string_agg(privilege_type, ', ') as rights
    from pg_class, aclexplode(relacl)
    where oid = parent and grantee not in (0, relowner)
    group by grantee
  loop
    execute format('grant %s on %s to %s', theirs.rights, child, theirs.grantee);
  end loop;
end
$$;

create or replace function create_month_tables(month timestamptz) returns void language plpgsql as $$
declare
  part record;
begin
  for part in
    select parent, name || month_suffix(month) as child from monthly_tables
    where to_regclass(name || month_suffix(month)) is null
  loop
    execute format('create table %I (like %s including all)', part.child, part.parent);
    perform copy_rights(part.parent, part.child::regclass);
    -- Rows guard themselves in every partition, but emptying one is a statement of its own.
    if exists (select from pg_trigger where tgrelid = part.parent and tgname = 'append_only_whole') then
      execute format(
        'create trigger append_only_whole before truncate on %I
         for each statement execute function forbid_change()', part.child);
    end if;
  end loop;
end
$$;

create or replace function analytics.ensure_days(parent regclass, first_day date, last_day date) returns void
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
        perform copy_rights(parent, format('analytics.%I', child)::regclass);
      exception when check_violation then
        raise warning '% stays in the default partition', child;
      end;
    end if;
    day := day + 1;
  end loop;
end
$$;

-- The worker makes months and days, and drops days, of tables that it does not own. A definer's function
-- looks for tables where nobody else can put one.
alter function ensure_months(int) security definer set search_path = public, pg_temp;
alter function ensure_month_partitions(regclass, int) security definer set search_path = public, pg_temp;
alter function analytics.ensure_days(regclass, date, date) security definer set search_path = public, pg_temp;
alter function analytics.drop_days_before(regclass, date) security definer set search_path = public, pg_temp;
revoke execute on function ensure_months(int), ensure_month_partitions(regclass, int),
  analytics.ensure_days(regclass, date, date), analytics.drop_days_before(regclass, date) from public;
revoke create on schema public from public;
