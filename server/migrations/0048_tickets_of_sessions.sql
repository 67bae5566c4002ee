-- A ticket that a player fetched is good as long as the session that fetched it, and begins one that ends
-- when that one would have. None for a ticket that a game's back end asked for.
alter table arrival_tickets
  add column session_hash bytea constraint session_is_hashed check (length(session_hash) = 32);
