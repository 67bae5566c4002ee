-- What a site tells its players: news, pages, and where to ask.
set local lock_timeout = '5s';

create table bulletins (
  id            text           primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  category      text           not null check (category in ('activity', 'strategy')),
  art           text           not null check (art ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  -- Title, summary and body by locale. A translation is whole or not there, so that no player reads
  -- half a text in a language they may not know.
  texts         jsonb          not null constraint bulletin_has_fallback check (texts ? 'en-US'),
  pin_position  int            check (pin_position > 0), -- null is not pinned
  state         text           not null default 'draft' check (state in ('draft', 'published', 'withdrawn')),
  -- Milliseconds, because that is what a browser can hand back: the list goes on behind a moment.
  publish_from  timestamptz(3) not null,
  publish_until timestamptz(3),
  changed_by    text           not null,
  changed_at    timestamptz    not null,
  constraint bulletin_begins_before_it_ends check (publish_from < publish_until)
);
create index on bulletins (publish_from desc, id desc) where state = 'published';

create table bulletin_sites (
  bulletin_id text not null references bulletins,
  site_id     text not null references sites,
  primary key (bulletin_id, site_id)
);
create index on bulletin_sites (site_id);

-- Every text that a page ever had. What players were shown when can be told years later, because
-- nothing here changes: another text, and no text any more, are another row.
create table page_versions (
  site_id    text           not null references sites,
  page_id    text           not null check (page_id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  version    int            not null check (version > 0),
  -- Title and body by locale; null is a page that is shown no more.
  texts      jsonb          constraint page_has_fallback check (texts ? 'en-US'),
  shown_from timestamptz(3) not null,
  created_by text           not null,
  created_at timestamptz(3) not null,
  primary key (site_id, page_id, version),
  constraint the_past_stays_as_it_was check (shown_from >= created_at)
);
create trigger append_only before update or delete or truncate on page_versions
  for each statement execute function forbid_change();

-- The publisher's customer service. Links to it are signed and say who asks, so they go over https;
-- this machine is for development.
alter table sites add column crm_url text
  constraint crm_is_reached_safely check (crm_url ~ '^(https://|http://(localhost|127\.0\.0\.1)[:/])');
