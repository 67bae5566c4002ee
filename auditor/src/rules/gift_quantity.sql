((snapshot ->> 'giftQuantity'::text))::bigint
