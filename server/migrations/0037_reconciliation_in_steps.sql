-- A day is compared in steps, and a worker that dies goes on where it was.

alter table settlement_days
  add column asked_at timestamptz not null default now(),
  -- The last line that was held against our books.
  add column compared_line text,
  -- Up to when our own transfers were held against the lines.
  add column compared_until timestamptz,
  -- How many differences were found so far; beyond a few they are one case.
  add column differences int not null default 0;
