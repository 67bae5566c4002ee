-- What operators have done. Each entry contains the hash of the one before it, so that no entry can be changed or
-- removed without changing all that follow.
create table operator_entries (
  seq bigint primary key,
  id uuid not null unique,
  at timestamptz not null,
  by text not null check (by <> ''),
  second_person text check (second_person <> by),
  -- Where the operator was signed in.
  via text not null check (via in ('shell', 'console')),
  action text not null,
  -- Without personal data; long values by their digest.
  input jsonb not null,
  reason text,
  outcome text not null check (outcome in ('begun', 'done', 'refused', 'failed')),
  -- The entry of the beginning, for the outcome of long work.
  begun uuid,
  previous_hash bytea not null,
  hash bytea not null
);

create function hash_of_operator_entry(entry operator_entries) returns bytea language sql immutable
  return sha256(convert_to(jsonb_build_array(
    entry.seq, entry.id, extract(epoch from entry.at), entry.by, entry.second_person, entry.via, entry.action,
    entry.input, entry.reason, entry.outcome, entry.begun, encode(entry.previous_hash, 'hex'))::text, 'UTF8'));

create function chain_operator_entry() returns trigger language plpgsql as $$
declare
  last operator_entries;
begin
  -- Entries are few, and each is the last statement of its transaction.
  perform pg_advisory_xact_lock(hashtextextended('operator_entries', 0));
  select * into last from operator_entries order by seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.previous_hash := coalesce(last.hash, '\x');
  new.hash := hash_of_operator_entry(new);
  return new;
end
$$;

create trigger chain before insert on operator_entries
  for each row execute function chain_operator_entry();
create trigger append_only before update or delete on operator_entries
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on operator_entries
  for each statement execute function forbid_change();
