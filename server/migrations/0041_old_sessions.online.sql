create index concurrently if not exists sessions_to_forget on sessions (expires_at)
