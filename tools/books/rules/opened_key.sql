('attempt_opened:'::text || (attempt_id)::text)
