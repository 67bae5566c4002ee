CASE kind
    WHEN 'item'::text THEN crc32((uuid_send(payment_id) || (replace((((((((((((game_id || '|'::text) || server_id) || '|'::text) || role_id) || '|'::text) || game_account_id) || '|'::text) || (snapshot ->> 'sku'::text)) || '|'::text) || (((((snapshot ->> 'quantity'::text))::bigint + ((snapshot ->> 'giftQuantity'::text))::bigint) * pack_count))::text) || '|1'::text), '\'::text, '\\'::text))::bytea))
    ELSE NULL::bigint
END
