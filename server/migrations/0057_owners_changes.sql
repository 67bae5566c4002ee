-- What an owner changes while signed in. Every row obeys the narrower rules that these replace, so there is nothing
-- to look through while a table is locked.
alter table account_notices
  drop constraint account_notices_event_check,
  add constraint account_notices_event_check check (event in
    ('passkey_added', 'passkey_removed', 'password_reset', 'password_changed', 'mail_changed', 'mail_removed',
     'phone_changed', 'phone_removed', 'recovery_codes_made', 'recovery_code_used')) not valid;
alter table codes
  drop constraint codes_purpose_check,
  add constraint codes_purpose_check check (purpose in
    ('phone_foreign', 'phone_internal', 'password_forget_email', 'password_forget_phone', 'link_email',
     'link_phone')) not valid;

-- An address that was left may never have been kept sealed. It is still known by its hash, so that leaving it can be
-- undone.
alter table account_addresses
  alter column key_id drop not null,
  alter column wrapped_key drop not null,
  alter column sealed_address drop not null,
  add column linked_at timestamptz, -- by the owner while signed in; null where it was there before that was possible
  add constraint address_is_sealed_as_a_whole check
    (num_nulls(key_id, wrapped_key, sealed_address) in (0, 3)) not valid;

-- Real-name data wait after codes that whoever has the mailbox or the phone can read. A code within that time makes it
-- longer, and leaves where it began: passkeys that were added since then do not open them.
alter table accounts add column waits_since timestamptz, add column waits_until timestamptz;
