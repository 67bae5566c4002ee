-- Signing in inside the WeChat app.
set local lock_timeout = '5s';

-- Inside the app the official account asks who the player is, elsewhere the website application.
-- Each has a secret of its own, and a code of one is worth nothing to the other. Whoever left before
-- this column existed had scanned a code.
alter table sign_ins_elsewhere add column in_wechat boolean not null default false;
