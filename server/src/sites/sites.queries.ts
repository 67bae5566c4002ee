import { LoginMethod } from '@pointgate/contract/accounts.ts';
import { Locale } from '@pointgate/contract/locales.ts';
import { Currency } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { type Db, sql } from '../platform/db.ts';

const SiteRow = z.object({
  id: z.string(),
  domain_type: z.union([z.literal(0), z.literal(1)]),
  title: z.string(),
  brand_id: z.string(),
  portal_url: z.url(),
  game_id: z.string().nullable(),
  currency: z.enum(Currency.def.entries),
  locales: z.array(z.enum(Locale.def.entries)),
  methods: z.array(z.enum(PaymentMethod.def.entries)),
  login_methods: z.array(z.enum(LoginMethod.def.entries)),
  logger_url: z.string().nullable(),
  wechat_app_id: z.string().nullable(),
  order_minutes: z.int(),
  promise_hours: z.int(),
  spend_order: z.enum(['present_first', 'basic_first']),
  hosts: z.array(z.string()),
});

export function selectSites(db: Db) {
  return db.many(
    SiteRow,
    sql`
      select sites.*, array_remove(array_agg(host), null) as hosts
      from sites left join site_hosts on site_id = id
      group by sites.id
      limit 10000`,
  );
}
