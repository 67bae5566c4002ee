-- What the browser does next may lead nowhere after a while: a link of WeChat's is good for five minutes.
-- Whoever wants to pay after that is given another one, for the same payment.
set local lock_timeout = '5s';

alter table payment_attempts add column action_ends_at timestamptz;
