-- Where the game of a site is started or had, by the player's device: ios, android, desktop. Of the site
-- and not of the game, because stores and clients differ from region to region.
set local lock_timeout = '5s';

alter table sites add column play_urls jsonb not null default '{}'
  constraint play_urls_is_an_object check (jsonb_typeof(play_urls) = 'object');
