-- Signing in with an account somewhere else: Google, Apple, Facebook, WeChat.
set local lock_timeout = '5s';

-- Players who are away at a provider. The row is what we know of them when they come back; it is
-- deleted when it is used, so that nothing works twice.
create table sign_ins_elsewhere (
  state_hash    bytea       primary key constraint state_is_hashed check (length(state_hash) = 32),
  -- The browser that left. Whoever comes back in another one has been sent by somebody else.
  browser_hash  bytea       not null constraint browser_is_hashed check (length(browser_hash) = 32),
  site_id       text        not null references sites,
  method        text        not null check (method in
                  ('FACEBOOK_AUTH', 'GOOGLE_PLAY_GAMES_AUTH', 'APPLE_SIGN_IN_AUTH', 'WECHAT_AUTH')),
  nonce         text        not null,
  pkce_verifier text        not null,
  return_path   text        not null constraint return_stays_on_the_site check (return_path ~ '^/([^/\\]|$)'),
  expires_at    timestamptz not null
);
create index on sign_ins_elsewhere (expires_at);
create index on sign_ins_elsewhere (site_id);

-- What Apple's form told us, until the browser that left fetches it. Apple posts from its own site,
-- where the browser keeps our cookies to itself, so that request cannot sign anybody in.
create table sign_in_handoffs (
  handoff_hash bytea       primary key constraint handoff_is_hashed check (length(handoff_hash) = 32),
  browser_hash bytea       not null constraint browser_is_hashed check (length(browser_hash) = 32),
  site_id      text        not null references sites,
  outcome      text        not null check (outcome in ('known', 'unknown', 'failed', 'cancelled')),
  account_id   uuid        references accounts,
  return_path  text        not null constraint return_stays_on_the_site check (return_path ~ '^/([^/\\]|$)'),
  expires_at   timestamptz not null,
  constraint only_the_known_have_an_account check ((outcome = 'known') = (account_id is not null))
);
create index on sign_in_handoffs (expires_at);
create index on sign_in_handoffs (site_id);
create index on sign_in_handoffs (account_id);

-- Who a session is inside WeChat. Payments there need it, and never take it from the browser. It
-- carries the hash of the session's token: the next session of the account has to ask again.
create table session_open_ids (
  account_id uuid        not null,
  site_id    text        not null,
  token_hash bytea       not null constraint token_is_hashed check (length(token_hash) = 32),
  app_id     text        not null,
  open_id    text        not null,
  bound_at   timestamptz not null default now(),
  primary key (account_id, site_id),
  foreign key (account_id, site_id) references sessions on delete cascade
);
