import { flowTable } from '../platform/flows.ts';
import { webhookTables } from '../platform/webhook-plan.ts';
import { flowWords } from './payouts.ts';

/** Seconds are of the sandbox clock. Amounts are in fen. */
const paying = `
create table orders (
  out_trade_no text    primary key,
  created      integer not null,
  scene        text    not null check (scene in ('jsapi', 'h5', 'native')),
  -- All parameters of the order, to detect a reused number with other parameters.
  asked        text    not null,
  appid        text    not null,
  description  text    not null,
  attach       text,
  notify_url   text    not null,
  openid       text,
  total        integer not null check (total > 0),
  currency     text    not null,
  time_expire  integer not null,
  prepay_id    text    not null unique,
  -- The content of the QR code of a Native payment.
  code         text    unique,
  -- When the payer opened the cashier; a payment begun in time may finish after the expiry.
  opened       integer,
  state        text    not null check (state in ('NOTPAY', 'SUCCESS', 'CLOSED')),
  payment_id   text
);
create table h5_links (
  package      text    primary key,
  created      integer not null,
  out_trade_no text    not null references orders
);

create table charges (
  id              text    primary key,
  created         integer not null,
  -- Prevents two charges for one order.
  out_trade_no    text    not null unique references orders,
  openid          text    not null,
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
  id            text    primary key,
  created       integer not null,
  charge        text    not null references charges,
  out_refund_no text    not null unique,
  -- Null for a refund made in the merchant's dashboard.
  asked         text,
  amount        integer not null check (amount > 0),
  currency      text    not null,
  reason        text,
  notify_url    text,
  status        text    not null check (status in ('PROCESSING', 'SUCCESS', 'ABNORMAL', 'CLOSED')),
  settled       integer,
  payment_id    text,
  bucket        integer not null,
  -- Null unless the refund succeeded: auditors count succeeded refunds only.
  crc           integer
);
create index refunds_by_charge on refunds (charge);
create index refunds_by_time on refunds (settled);
create index refunds_by_payment_id on refunds (payment_id);
create index refunds_by_bucket on refunds (bucket, crc);

create table events (
  id            text    primary key,
  created       integer not null,
  type          text    not null,
  original_type text    not null,
  summary       text    not null,
  url           text    not null,
  -- Unencrypted: the key is chosen on each attempt to send it.
  resource      text    not null
);
${webhookTables('serial text,')}
create table bill_files (
  token text    primary key,
  body  blob    not null,
  tar   integer not null check (tar in (0, 1))
);
create table requests (
  id     integer primary key,
  at     text not null,
  method text not null,
  path   text not null
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
