(snapshot ->> 'sku'::text)
