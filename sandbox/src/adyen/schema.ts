import { webhookTables } from '../platform/webhook-plan.ts';

/** Seconds are of the sandbox clock. Amounts are in the provider's smallest unit. */
const paying = `
create table sessions (
  id              text    primary key,
  created         integer not null,
  reference       text    not null,
  amount          integer not null check (amount > 0),
  currency        text    not null,
  return_url      text    not null,
  expires_at      integer not null,
  locale          text    not null,
  item            text    not null,
  -- All parameters of the session, which are answered unchanged.
  asked           text    not null,
  session_result  text    not null,
  status          text    not null
    check (status in ('active', 'completed', 'refused', 'canceled', 'expired')),
  refusals        integer not null default 0,
  -- When the 3D Secure challenge began; one begun in time may finish after the expiry.
  challenged      integer,
  payment_id      text
);
create index sessions_by_expiry on sessions (status, expires_at);
create index sessions_by_payment_id on sessions (payment_id);

create table charges (
  id              text    primary key,
  created         integer not null,
  -- Prevents two charges for one session.
  session         text    not null unique references sessions,
  capture         text    not null,
  reference       text    not null,
  amount          integer not null check (amount > 0),
  amount_refunded integer not null default 0,
  currency        text    not null,
  payment_id      text,
  bucket          integer not null,
  crc             integer not null,
  constraint never_refunds_more_than_captured check (amount_refunded between 0 and amount)
);
create index charges_by_payment_id on charges (payment_id);
create index charges_by_bucket on charges (bucket, crc);

create table refunds (
  id          text    primary key,
  created     integer not null,
  charge      text    not null references charges,
  -- The merchant's reference. Null for a refund made in the Customer Area.
  reference   text,
  amount      integer not null check (amount > 0),
  currency    text    not null,
  reason      text,
  status      text    not null check (status in ('received', 'refunded', 'failed')),
  payment_id  text,
  bucket      integer not null,
  -- Null unless the refund succeeded: auditors count succeeded refunds only.
  crc         integer
);
create index refunds_by_charge on refunds (charge);
create index refunds_by_payment_id on refunds (payment_id);
create index refunds_by_bucket on refunds (bucket, crc);

create table disputes (
  id          text    primary key,
  created     integer not null,
  charge      text    not null references charges,
  amount      integer not null check (amount > 0),
  currency    text    not null,
  reason      text    not null,
  status      text    not null check (status in ('warning_needs_response', 'needs_response', 'won', 'lost')),
  payment_id  text,
  bucket      integer not null,
  crc         integer not null
);
create index disputes_by_charge on disputes (charge);
create index disputes_by_payment_id on disputes (payment_id);
create index disputes_by_bucket on disputes (bucket, crc);

-- The balance movements in the settlement details report.
create table movements (
  id                     integer primary key,
  created                integer not null,
  type                   text    not null,
  charge                 text    not null references charges,
  modification           text    not null,
  modification_reference text    not null,
  amount                 integer not null,
  currency               text    not null
);
create index movements_by_time on movements (created);

create table events (
  id      text    primary key,
  created integer not null,
  type    text    not null,
  -- Unsigned: the key is chosen on each attempt to send it.
  item    text    not null
);
${webhookTables()}
create table idempotency_keys (
  key     text    primary key,
  created integer not null,
  path    text    not null,
  status  integer not null,
  body    text    not null
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
drop index disputes_by_bucket;
alter table disputes drop column bucket;
alter table disputes drop column crc;
`;

/** Adds the costs of movements, and movements without a payment. */
const payingOut = `
alter table movements add column commission integer not null default 0;
alter table movements add column markup integer not null default 0;
alter table movements add column scheme_fees integer not null default 0;
alter table movements add column interchange integer not null default 0;

create table balance_movements (
  id       text    primary key,
  created  integer not null,
  type     text    not null check (type in ('MerchantPayout', 'MerchantPayin', 'BankInstructionReturned', 'Fee')),
  name     text    not null,
  -- Negative when money leaves the merchant's balance.
  amount   integer not null,
  currency text    not null
);
create index balance_movements_by_time on balance_movements (created);
`;

/** The database schema of the provider, one script for each version. */
export const schema = [paying, unmarking, payingOut];
