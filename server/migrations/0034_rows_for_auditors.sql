-- What an auditor holds against the provider, the game and the history, made by PostgreSQL when a row is
-- written: whoever goes through a million rows would put together as many texts to take a number from each.
set local lock_timeout = '5s';

-- The checksum that the game has of what it gave, if it gave what was bought once. Bytes are written as
-- text with two backslashes for one.
alter table orders add column goods_crc bigint generated always as (
  case kind when 'item' then crc32(uuid_send(payment_id) || replace(
    game_id || '|' || server_id || '|' || role_id || '|' || game_account_id || '|' || (snapshot ->> 'sku')
    || '|' || (((snapshot ->> 'quantity')::bigint + (snapshot ->> 'giftQuantity')::bigint) * pack_count)::text
    || '|1', '\', '\\')::bytea) end
) stored;

-- The one that the provider has of a charge.
alter table ledger_transfers add column capture_crc bigint generated always as (
  case when starts_with(posting, 'captured:') then crc32(uuid_send(origin_id) || replace(
    substr(posting, 10) || '|' || amount_minor::text || '|' || lower(unit collate "C"), '\', '\\')::bytea) end
) stored;

-- What the history of the order calls it.
alter table payment_attempts
  add column opened_key text generated always as ('attempt_opened:' || attempt_id::text) stored,
  add column captured_key text generated always as (
    'captured:' || capture_id || ':' || attempt_id::text || ':' || currency || ':' || amount_minor::text
  ) stored;
