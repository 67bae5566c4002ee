CASE
    WHEN starts_with(posting, 'captured:'::text) THEN crc32((uuid_send(origin_id) || (replace(((((substr(posting, 10) || '|'::text) || (amount_minor)::text) || '|'::text) || lower((unit COLLATE "C"))), '\'::text, '\\'::text))::bytea))
    ELSE NULL::bigint
END
