import { flowTable } from '../platform/flows.ts';
import { webhookTables } from '../platform/webhook-plan.ts';
import { flowWords } from './payouts.ts';

/** Seconds are of the sandbox clock. Amounts are in fen. */
const paying = `
create table orders (
  out_trade_no text    primary key,
  created      integer not null,
  scene        text    not null check (scene in ('page', 'wap', 'qr')),
  -- All parameters of the order, to detect a reused number with other parameters.
  asked        text    not null,
  subject      text    not null,
  passback     text,
  notify_url   text,
  return_url   text,
  quit_url     text,
  total        integer not null check (total > 0),
  time_expire  integer not null,
  trade_no     text    not null unique,
  -- The last path segment of the cashier URL.
  token        text    not null unique,
  -- The content of the QR code, if any.
  code         text    unique,
  -- When the payer opened the cashier. Until then there is no trade that queries find.
  opened       integer,
  state        text    not null check (state in ('WAIT_BUYER_PAY', 'TRADE_SUCCESS', 'TRADE_CLOSED')),
  payment_id   text
);
create index orders_due on orders (state, time_expire);

create table charges (
  -- The trade number.
  id              text    primary key,
  created         integer not null,
  -- Prevents two charges for one order.
  out_trade_no    text    not null unique references orders,
  buyer_id        text    not null,
  amount          integer not null check (amount > 0),
  amount_refunded integer not null default 0,
  currency        text    not null,
  payment_id      text,
  bucket          integer not null,
  crc             integer not null,
  constraint never_refunds_more_than_captured check (amount_refunded between 0 and amount)
);
create index charges_by_time on charges (created);
create index charges_by_payment_id on charges (payment_id);
create index charges_by_bucket on charges (bucket, crc);

create table refunds (
  -- The merchant's request number, or a generated one for a refund made in the dashboard.
  id         text    not null,
  created    integer not null,
  charge     text    not null references charges,
  is_asked   integer not null check (is_asked in (0, 1)),
  amount     integer not null check (amount > 0),
  currency   text    not null,
  status     text    not null check (status in ('PROCESSING', 'SUCCESS', 'FAILED')),
  settled    integer,
  payment_id text,
  bucket     integer not null,
  -- Null unless the refund succeeded: auditors count succeeded refunds only.
  crc        integer,
  unique (charge, id)
);
create index refunds_by_time on refunds (settled);
create index refunds_by_payment_id on refunds (payment_id);
create index refunds_by_bucket on refunds (bucket, crc);

create table events (
  id      text    primary key,
  created integer not null,
  type    text    not null,
  url     text    not null,
  -- The fields as JSON, without those that are added on each attempt to send them.
  fields  text    not null
);
${webhookTables()}
create table bill_files (
  token   text    primary key,
  created integer not null,
  body    blob    not null
);
create table requests (
  id     integer primary key,
  at     text not null,
  method text not null
);
`;

/** Removes the checksums: auditors read the records themselves. */
const unmarking = `
drop index charges_by_bucket;
alter table charges drop column bucket;
alter table charges drop column crc;
drop index refunds_by_bucket;
alter table refunds drop column bucket;
alter table refunds drop column crc;
`;

/** The database schema of the provider, one script for each version. */
export const schema = [paying, unmarking, flowTable(flowWords)];
