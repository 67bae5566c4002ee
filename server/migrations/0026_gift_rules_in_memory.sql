-- Lists show what every pack would bring, and take the rules from memory as they take the catalogue.
set local lock_timeout = '5s';

insert into content_versions (topic) values ('gifts');

create trigger content_changed after insert or update or delete or truncate on gift_rules
  for each statement execute function note_content_change('gifts');
