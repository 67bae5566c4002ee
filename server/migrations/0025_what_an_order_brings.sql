-- What an order brings, out of its snapshot: an auditor who goes through a million orders would take
-- apart as many snapshots, and those grow with every reason that is kept in them.
set local lock_timeout = '5s';

alter table orders
  add column sku text generated always as (snapshot ->> 'sku') stored,
  add column pack_quantity bigint generated always as ((snapshot ->> 'quantity')::bigint) stored,
  add column gift_quantity bigint generated always as ((snapshot ->> 'giftQuantity')::bigint) stored;
