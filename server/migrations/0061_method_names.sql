-- The names of sign-in methods and account types stand in one function each, as those of payment methods do in
-- 0055. A release with another method replaces the function and no rule.
create function known_login_methods() returns text[] language sql immutable
  return array[
    'MOBILE_AUTH', 'MOBILE_PASSWORD_AUTH', 'EMAIL_PASSWORD_AUTH', 'LOGIN_NAME_PASSWD_AUTH',
    'FACEBOOK_AUTH', 'GOOGLE_PLAY_GAMES_AUTH', 'APPLE_SIGN_IN_AUTH', 'WECHAT_AUTH'];
create function known_account_types() returns text[] language sql immutable
  return array[
    'MOBILE', 'EMAIL', 'ACCOUNT', 'FACEBOOK', 'GOOGLE_PLAY_GAME', 'APPLE_SIGN_IN', 'WECHAT'];

alter table sites
  drop constraint login_methods_are_known,
  add constraint login_methods_are_known check (login_methods <@ known_login_methods());
-- Both are validated by the next file, which keeps nobody from writing.
alter table sign_ins_elsewhere
  drop constraint sign_ins_elsewhere_method_check,
  add constraint login_method_is_known check (method = any (known_login_methods())) not valid;
alter table accounts
  drop constraint accounts_account_type_check,
  add constraint account_type_is_known check (account_type = any (known_account_types())) not valid;
