-- A payment begins with a redirect, a code to scan or a call of WeChat's bridge; and who opened it is
-- part of the request, which is the same when it is repeated.
set local lock_timeout = '5s';

alter table payment_attempts add column action jsonb, add column payer jsonb;
update payment_attempts set action = jsonb_build_object('kind', 'redirect', 'url', redirect_url)
where redirect_url is not null;
alter table payment_attempts drop column redirect_url;
