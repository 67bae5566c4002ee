-- What all later tables stand on.
set local lock_timeout = '5s';

-- History is append-only: what was true stays readable, a mistake is put right by a new row.
create function forbid_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

-- The smallest UUIDv7 of a moment. Tables that grow with orders are cut by ranges of their order
-- id, because the id carries the time: no second column has to lead the key.
create function uuid_v7_floor(moment timestamptz) returns uuid language sql immutable strict
return (
  lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7000' || '8000' || '000000000000'
)::uuid;

-- Makes the monthly partitions from this month on; run when a table is made and hourly by the worker.
-- A table's default partition catches what no month covers, so that a forgotten run never refuses
-- an order. A month whose orders lie there already can have no table of its own any more: it keeps
-- them there, and must not keep later months from being made.
create function ensure_month_partitions(parent regclass, months_ahead int) returns void
language plpgsql as $$
declare
  month timestamptz := date_trunc('month', now(), 'UTC');
  last timestamptz := month + make_interval(months => months_ahead);
  child text;
begin
  while month <= last loop
    child := format('%s_%s', parent::text, to_char(month at time zone 'UTC', 'YYYY_MM'));
    if to_regclass(child) is null then
      begin
        execute format(
          'create table %I partition of %s for values from (%L) to (%L)',
          child, parent, uuid_v7_floor(month), uuid_v7_floor(month + interval '1 month')
        );
        -- Rows guard themselves in every partition, but emptying one is a statement of its own.
        if exists (select from pg_trigger where tgrelid = parent and tgname = 'append_only_whole') then
          execute format(
            'create trigger append_only_whole before truncate on %I
             for each statement execute function forbid_change()', child);
        end if;
      exception when check_violation then
        raise warning '% stays in the default partition', child;
      end;
    end if;
    month := month + interval '1 month';
  end loop;
end
$$;
