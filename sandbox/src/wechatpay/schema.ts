import { flowTable } from '../platform/flows.ts';
import { webhookTables } from '../platform/webhook-plan.ts';
import { flowWords } from './flows.ts';

/** Seconds are the sandbox's clock. Amounts are fen. */
const paying = `
create table orders (
  out_trade_no text    primary key,
  created      integer not null,
  scene        text    not null check (scene in ('jsapi', 'h5', 'native')),
  -- All that was asked for, so that the same number for something else is noticed.
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
  -- What the QR code of a native payment says.
  code         text    unique,
  -- When the payer came to the cashier; who came in time may finish later.
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
  -- Two charges for one order cannot be written, however often the payer presses the button.
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
  -- Null when it was made in the merchant's dashboard.
  asked         text,
  amount        integer not null check (amount > 0),
  currency      text    not null,
  reason        text,
  notify_url    text,
  status        text    not null check (status in ('PROCESSING', 'SUCCESS', 'ABNORMAL', 'CLOSED')),
  settled       integer,
  payment_id    text,
  bucket        integer not null,
  -- Null unless the money has gone back: only then does an auditor count it.
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
  -- Not yet encrypted: with which key is decided when it is sent.
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

/** Auditors read the records themselves and no checksums of them. */
const unmarking = `
drop index charges_by_bucket;
alter table charges drop column bucket;
alter table charges drop column crc;
drop index refunds_by_bucket;
alter table refunds drop column bucket;
alter table refunds drop column crc;
`;

/** Everything the provider remembers, one script for each version. */
export const schema = [paying, unmarking, flowTable(flowWords)];
