-- The transfers of the month but for movements of points, when nobody could write any of them any more.
alter table archives add column ledger_rows bigint, add column ledger_digest text;
