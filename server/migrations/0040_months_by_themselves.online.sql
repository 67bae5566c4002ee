alter table order_events drop constraint if exists order_events_account_id_payment_id_fkey
-- next
alter table payment_attempts drop constraint if exists payment_attempts_account_id_payment_id_fkey
-- next
alter table deliveries drop constraint if exists deliveries_account_id_payment_id_fkey
-- next
alter table refunds drop constraint if exists refunds_account_id_payment_id_fkey
-- next
alter table revocations drop constraint if exists revocations_account_id_payment_id_fkey
-- next
alter table purchase_holds drop constraint if exists purchase_holds_account_id_payment_id_fkey
-- next
select give_up_default_partitions()
-- next
-- for each partition of orders
select add_month_keys(to_date(right('{partition}', 7), 'YYYY_MM')::timestamp at time zone 'UTC')
-- next
-- for each partition of orders
select validate_month_keys(to_date(right('{partition}', 7), 'YYYY_MM')::timestamp at time zone 'UTC')
-- next
select ensure_months(3)
