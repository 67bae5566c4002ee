/** The schema of the first version. Seconds are of the sandbox clock. */
const paying = `
create table if not exists sessions (
  id                  text    primary key,
  created             integer not null,
  expires_at          integer not null,
  status              text    not null check (status in ('open', 'complete', 'expired')),
  amount_total        integer not null check (amount_total > 0),
  currency            text    not null,
  client_reference_id text,
  metadata            text    not null,
  intent_metadata     text    not null,
  line_items          text    not null,
  success_url         text    not null,
  cancel_url          text,
  locale              text,
  allowed_types       text    not null,
  customer_email      text,
  payment_intent      text    references payment_intents
);
create index if not exists sessions_to_expire on sessions (status, expires_at);
create index if not exists sessions_by_time on sessions (created);

create table if not exists payment_intents (
  id         text    primary key,
  created    integer not null,
  amount     integer not null check (amount > 0),
  currency   text    not null,
  status     text    not null check (status in ('requires_payment_method', 'succeeded')),
  metadata   text    not null,
  last_error text
);

create table if not exists charges (
  id              text    primary key,
  created         integer not null,
  -- Prevents two charges for one intent.
  payment_intent  text    not null unique references payment_intents,
  amount          integer not null check (amount > 0),
  amount_refunded integer not null default 0,
  currency        text    not null,
  metadata        text    not null,
  payment_id      text,
  constraint never_refunds_more_than_captured check (amount_refunded between 0 and amount)
);
create index if not exists charges_by_payment_id on charges (payment_id);
create index if not exists charges_by_time on charges (created);

create table if not exists refunds (
  id             text    primary key,
  created        integer not null,
  charge         text    not null references charges,
  payment_intent text    not null references payment_intents,
  amount         integer not null check (amount > 0),
  currency       text    not null,
  reason         text,
  metadata       text    not null
);
create index if not exists refunds_by_charge on refunds (charge);
create index if not exists refunds_by_intent on refunds (payment_intent);
create index if not exists refunds_by_time on refunds (created);

create table if not exists events (
  id      text    primary key,
  created integer not null,
  type    text    not null,
  payload text    not null
);
create index if not exists events_by_type on events (type);
create index if not exists events_by_time on events (created);

-- The queued webhooks, written in the transaction of the event, so that no event is lost.
create table if not exists webhook_sends (
  id         integer primary key,
  event_id   text    not null references events,
  copy       integer not null,
  state      text    not null check (state in ('held', 'waiting', 'sending', 'done', 'given_up')),
  attempts   integer not null default 0,
  due_at_ms  integer not null,
  after_id   integer references webhook_sends
);
create index if not exists webhook_sends_due on webhook_sends (state, due_at_ms);

create table if not exists webhook_deliveries (
  id        integer primary key,
  event_id  text    not null references events,
  type      text    not null,
  copy      integer not null,
  attempt   integer not null,
  outcome   text    not null check (outcome in ('delivered', 'refused', 'unanswered', 'dropped')),
  status    integer,
  signature text    not null,
  at        text    not null
);
create index if not exists webhook_deliveries_by_event on webhook_deliveries (event_id);

create table if not exists idempotency_keys (
  key          text    primary key,
  created      integer not null,
  fingerprint  text    not null,
  request_id   text    not null,
  status       integer not null,
  body         text    not null
);
create index if not exists idempotency_keys_by_time on idempotency_keys (created);

create table if not exists requests (
  id              integer primary key,
  at              text not null,
  method          text not null,
  path            text not null,
  idempotency_key text
);
`;

/** Adds refund statuses, disputes, balance transactions, and the checksums for auditors. */
const givingBack = `
create table balance_transactions (
  id                 text    primary key,
  created            integer not null,
  amount             integer not null,
  fee                integer not null,
  currency           text    not null,
  type               text    not null,
  reporting_category text    not null,
  source             text    not null,
  charge             text    not null references charges,
  description        text
);
create index balance_transactions_by_time on balance_transactions (created);
create index balance_transactions_by_source on balance_transactions (source);
create trigger balance_transactions_never_change before update on balance_transactions
  begin select raise(abort, 'balance transactions are append-only'); end;
create trigger balance_transactions_never_go before delete on balance_transactions
  begin select raise(abort, 'balance transactions are append-only'); end;

alter table charges add column balance_transaction text;
alter table charges add column disputed integer not null default 0 check (disputed in (0, 1));
alter table charges add column bucket integer not null default -1;
alter table charges add column crc integer not null default 0;
create index charges_by_bucket on charges (bucket, crc);

alter table refunds add column status text not null default 'succeeded'
  check (status in ('pending', 'succeeded', 'failed'));
alter table refunds add column failure_reason text;
alter table refunds add column balance_transaction text;
alter table refunds add column failure_balance_transaction text;
alter table refunds add column payment_id text;
alter table refunds add column bucket integer not null default -1;
-- Null unless the refund succeeded: auditors count succeeded refunds only.
alter table refunds add column crc integer;
create index refunds_by_payment_id on refunds (payment_id);
create index refunds_by_bucket on refunds (bucket, crc);

create table disputes (
  id             text    primary key,
  created        integer not null,
  charge         text    not null references charges,
  payment_intent text    not null references payment_intents,
  amount         integer not null check (amount > 0),
  currency       text    not null,
  reason         text    not null,
  status         text    not null check (status in
    ('warning_needs_response', 'warning_closed', 'needs_response', 'won', 'lost')),
  payment_id     text,
  bucket         integer not null,
  crc            integer not null
);
create index disputes_by_charge on disputes (charge);
create index disputes_by_intent on disputes (payment_intent);
create index disputes_by_time on disputes (created);
create index disputes_by_payment_id on disputes (payment_id);
create index disputes_by_bucket on disputes (bucket, crc);

create table report_runs (
  id           text    primary key,
  created      integer not null,
  report_type  text    not null,
  parameters   text    not null,
  status       text    not null check (status in ('pending', 'succeeded', 'failed')),
  retrievals   integer not null default 0,
  succeeded_at integer
);
create table files (
  id      text    primary key,
  created integer not null,
  run     text    not null unique references report_runs,
  -- Null while the file is being written.
  size    integer
);
create table file_parts (
  id   integer primary key,
  file text    not null references files,
  text text    not null
);
create index file_parts_by_file on file_parts (file);

update charges set bucket = bucket_of(payment_id), crc = crc_of(
  coalesce(payment_id, '') || '|' || payment_intent || '|' || amount || '|' || currency);
update refunds set payment_id = (select c.payment_id from charges c where c.id = refunds.charge);
update refunds set bucket = bucket_of(payment_id), crc = crc_of(
  coalesce(payment_id, '') || '|' || payment_intent || '|' || id || '|' || amount || '|' || currency);
insert into balance_transactions
  select 'txn_' || replace(id, '_', ''), created, amount, (amount * 29 + 500) / 1000 + 30, currency,
    'charge', 'charge', id, id, null from charges;
insert into balance_transactions
  select 'txn_' || replace(id, '_', ''), created, -amount, 0, currency,
    'refund', 'refund', id, charge, 'REFUND FOR CHARGE' from refunds;
update charges set balance_transaction = 'txn_' || replace(id, '_', '');
update refunds set balance_transaction = 'txn_' || replace(id, '_', '');
`;

/** Recomputes the checksums with the refundId of the metadata as the id of a refund. */
const marking = `
update charges set crc = crc_of(
  coalesce(payment_id, '') || '|' || payment_intent || '|' || amount || '|' || currency);
update refunds set crc = crc_of(coalesce(payment_id, '') || '|' || payment_intent || '|' ||
  coalesce(metadata ->> 'refundId', id) || '|' || amount || '|' || currency)
  where crc is not null;
update disputes set crc = crc_of(coalesce(payment_id, '') || '|' || payment_intent || '|' ||
  id || '|' || status || '|' || amount || '|' || currency);
`;

/** Removes the checksums: auditors read the records themselves. */
const unmarking = `
drop index charges_by_bucket;
alter table charges drop column bucket;
alter table charges drop column crc;
drop index refunds_by_bucket;
alter table refunds drop column bucket;
alter table refunds drop column crc;
drop index disputes_by_bucket;
alter table disputes drop column bucket;
alter table disputes drop column crc;
`;

/** Adds balance transactions without a charge: payouts and general fees. */
const payingOut = `
create table balance_changes (
  id                 text    primary key,
  created            integer not null,
  amount             integer not null,
  fee                integer not null,
  currency           text    not null,
  type               text    not null,
  reporting_category text    not null,
  source             text    not null,
  charge             text    references charges,
  description        text
);
insert into balance_changes select * from balance_transactions order by rowid;
drop table balance_transactions;
alter table balance_changes rename to balance_transactions;
create index balance_transactions_by_time on balance_transactions (created);
create index balance_transactions_by_source on balance_transactions (source);
create trigger balance_transactions_never_change before update on balance_transactions
  begin select raise(abort, 'balance transactions are append-only'); end;
create trigger balance_transactions_never_go before delete on balance_transactions
  begin select raise(abort, 'balance transactions are append-only'); end;
`;

/** The database schema of the provider, one script for each version. */
export const schema = [paying, givingBack, marking, unmarking, payingOut];
