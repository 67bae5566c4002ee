-- What a session is used with, so that players know their own when they see it. Families of browsers
-- and systems, and the hour: enough to recognise oneself by, too little to follow anybody with.
set local lock_timeout = '5s';

alter table sessions
  add column browser text,
  add column system  text,
  -- When it was last used, to the hour. None until its first call.
  add column seen_at timestamptz;
