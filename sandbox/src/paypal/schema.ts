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

/** The database schema of the provider. Amounts are in the smallest unit of ISO 4217. */
const first = `
create table orders (
  id           text    primary key,
  created      integer not null,
  updated      integer not null,
  expires_at   integer not null,
  status       text    not null check (status in
    ('PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED', 'EXPIRED')),
  amount       integer not null check (amount > 0),
  currency     text    not null,
  reference_id text    not null,
  custom_id    text,
  invoice_id   text,
  description  text,
  return_url   text    not null,
  cancel_url   text    not null,
  locale       text,
  -- The instrument that the payer chose, once approved.
  instrument   text    check (instrument in ('good', 'declined', 'pending')),
  -- Overrides the charged amount, to test that the shop checks it.
  taken_amount   integer,
  taken_currency text
);
create index orders_to_expire on orders (status, expires_at);

-- Captures, called charges because auditors read charges from every provider.
create table charges (
  id              text    primary key,
  created         integer not null,
  updated         integer not null,
  -- Prevents two captures of one order.
  order_id        text    not null unique references orders,
  amount          integer not null check (amount > 0),
  amount_refunded integer not null default 0,
  currency        text    not null,
  status          text    not null check (status in
    ('COMPLETED', 'PENDING', 'DECLINED', 'PARTIALLY_REFUNDED', 'REFUNDED')),
  custom_id       text,
  invoice_id      text,
  payment_id      text,
  bucket          integer not null,
  -- Null until the capture completes: auditors count completed captures only.
  crc             integer,
  constraint never_refunds_more_than_captured check (amount_refunded between 0 and amount)
);
create index charges_by_invoice on charges (invoice_id);
create index charges_by_payment_id on charges (payment_id);
create index charges_by_bucket on charges (bucket, crc);

create table refunds (
  id         text    primary key,
  created    integer not null,
  updated    integer not null,
  capture    text    not null references charges,
  amount     integer not null check (amount > 0),
  currency   text    not null,
  status     text    not null check (status in ('COMPLETED', 'PENDING', 'FAILED')),
  custom_id  text,
  invoice_id text,
  note       text,
  payment_id text,
  bucket     integer not null,
  crc        integer
);
create index refunds_by_capture on refunds (capture);
create index refunds_by_payment_id on refunds (payment_id);
create index refunds_by_bucket on refunds (bucket, crc);

create table disputes (
  id         text    primary key,
  created    integer not null,
  updated    integer not null,
  capture    text    not null references charges,
  amount     integer not null check (amount > 0),
  currency   text    not null,
  reason     text    not null,
  status     text    not null check (status in ('OPEN', 'WAITING_FOR_SELLER_RESPONSE', 'RESOLVED')),
  life_cycle text    not null check (life_cycle in ('INQUIRY', 'CHARGEBACK')),
  outcome    text,
  payment_id text,
  bucket     integer not null,
  crc        integer not null
);
create index disputes_by_capture on disputes (capture);
create index disputes_by_payment_id on disputes (payment_id);
create index disputes_by_bucket on disputes (bucket, crc);

-- The balance transactions, from which the reports are generated.
create table movements (
  id           text    not null,
  created      integer not null,
  event_code   text    not null,
  amount       integer not null,
  fee          integer not null,
  currency     text    not null,
  reference    text,
  custom_field text,
  invoice_id   text
);
create index movements_by_time on movements (created);
create trigger movements_never_change before update on movements
  begin select raise(abort, 'movements are append-only'); end;
create trigger movements_never_go before delete on movements
  begin select raise(abort, 'movements are append-only'); end;

create table events (
  id      text    primary key,
  created integer not null,
  type    text    not null,
  payload text    not null
);
create index events_by_type on events (type);

-- The queued webhooks, written in the transaction of the event, so that no event is lost.
create table webhook_sends (
  id              integer primary key,
  event_id        text    not null references events,
  copy            integer not null,
  transmission_id text    not null,
  state           text    not null check (state in ('held', 'waiting', 'sending', 'done', 'given_up')),
  attempts        integer not null default 0,
  due_at_ms       integer not null,
  after_id        integer references webhook_sends
);
create index webhook_sends_due on webhook_sends (state, due_at_ms);

create table webhook_deliveries (
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

create table request_ids (
  key         text    primary key,
  created     integer not null,
  fingerprint text    not null,
  body        text    not null
);

create table tokens (
  token      text    primary key,
  expires_at integer not null
);

create table requests (
  id         integer primary key,
  at         text not null,
  method     text not null,
  path       text not null,
  request_id text
);
`;

export const schema = [first, unmarking];
