-- for each partition of orders
create index concurrently if not exists {partition}_to_close
  on {partition} (coalesce(close_again_at, expire_at))
  where state in ('created', 'paying') and review_reason is null
-- next
-- for each partition of orders
alter index orders_to_close attach partition {partition}_to_close
-- next
create index concurrently inbox_to_take_up on provider_inbox (next_round_at)
  where processed_at is null and subject is not null
-- next
drop index orders_to_expire
-- next
drop index concurrently inbox_to_process
