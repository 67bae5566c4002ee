((snapshot ->> 'quantity'::text))::bigint
