-- What was paid for E Points is revenue when the points are used. Until then it is deferred: of each top-up
-- a row for every change, with all that the amount follows from, so that the table itself can see to it.
-- Like the points themselves it is kept with the account and never cut by months.
create table deferrals (
  account_id     uuid        not null references wallets,
  origin_id      uuid        not null, -- the top-up
  step           int         not null check (step > 0),
  currency       text        not null constraint deferrals_are_of_money check (currency ~ '^[A-Z]{3}$'),
  -- What the ledger has posted to house:sales for it.
  sold_minor     bigint      not null check (sold_minor >= 0),
  -- What of that stays, without what is on its way back.
  kept_minor     bigint      not null,
  kept_points    bigint      not null check (kept_points >= 0),
  -- Of the bought points, those that nobody has used.
  remaining      bigint      not null check (remaining >= 0),
  deferred_minor bigint      not null,
  -- What came from house:sales to house:deferred; negative went back.
  change_minor   bigint      not null,
  created_at     timestamptz not null default now(),
  primary key (account_id, origin_id, step),
  constraint kept_is_a_part_of_what_was_sold check (kept_minor between 0 and sold_minor),
  constraint deferred_is_what_is_not_used check (
    deferred_minor = sold_minor - case kept_points
      when 0 then kept_minor
      else div(kept_minor::numeric * (kept_points - least(remaining, kept_points)), kept_points)
    end),
  constraint first_deferral_starts_from_nothing check (step > 1 or change_minor = deferred_minor)
);
create index deferrals_by_time on deferrals using brin (created_at);
create trigger append_only before update or delete on deferrals
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on deferrals
  for each statement execute function forbid_change();
