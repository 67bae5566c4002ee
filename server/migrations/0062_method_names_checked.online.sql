alter table accounts validate constraint account_type_is_known
-- next
alter table sign_ins_elsewhere validate constraint login_method_is_known
