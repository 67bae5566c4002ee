/** Everything the provider remembers. Seconds are the sandbox's clock, as on the wire. */
export const schema = `
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
  -- Two charges for one intent cannot be written, however often the player presses the button.
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

-- What has still to be sent. Written with the event, so no commit goes unannounced.
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
