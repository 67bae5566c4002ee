-- Looks at real-name data that came to nothing are written down as what they were.
set local lock_timeout = '5s';

alter table person_audits
  drop constraint person_audits_action_check,
  add constraint person_audits_action_check check (action in
    ('read', 'read_failed', 'found', 'not_found', 'imported', 'shredded')),
  -- Nobody's, where an operator looked for a number that nobody has.
  alter column account_id drop not null,
  add constraint only_what_nobody_has_is_nobodys check ((action = 'not_found') = (account_id is null));
