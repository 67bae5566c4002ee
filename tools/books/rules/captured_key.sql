((((((('captured:'::text || capture_id) || ':'::text) || (attempt_id)::text) || ':'::text) || currency) || ':'::text) || (amount_minor)::text)
