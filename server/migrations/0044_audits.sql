-- What the auditor found, whenever it looked. Written by operate, and never by the auditor.
create table audits (
  audit_id   uuid        primary key,
  audited_by text        not null,
  -- Without user and password.
  database   text        not null,
  begun_at   timestamptz not null,
  ended_at   timestamptz not null,
  verdict    text        not null check (verdict in ('in_order', 'not_in_order', 'unreadable')),
  -- Why it could not look.
  failure    text,
  -- Of each month: how it was and how many orders were judged.
  months     jsonb       not null,
  -- Of each invariant: how much was looked at, how many violations there are, and some of them.
  findings   jsonb       not null,
  constraint only_an_unreadable_audit_failed check ((verdict = 'unreadable') = (failure is not null))
);
create index on audits (begun_at);
