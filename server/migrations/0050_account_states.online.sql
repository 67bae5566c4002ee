alter table accounts validate constraint account_state_is_known;
-- next
-- Accounts whose owners have asked to be forgotten, for the sweep that does so.
create index concurrently accounts_leaving on accounts (id) where state = 'leaving';
