import { LoginMethod } from '@pointgate/contract/accounts.ts';
import { Theme } from '@pointgate/contract/documents/parts.ts';
import {
  Contracts,
  LoggerUrl,
  MethodCountries,
  PlayUrls,
  TimeZone,
} from '@pointgate/contract/documents/site.ts';
import { Locale } from '@pointgate/contract/locales.ts';
import { Currency } from '@pointgate/contract/money.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { readRows } from '../../platform/readable-rows.ts';

const WebAddress = z.url({ protocol: /^https?$/ });

const SiteRow = z.object({
  id: z.string(),
  domain_type: z.union([z.literal(0), z.literal(1)]),
  title: z.string(),
  brand_id: Slug,
  theme: Theme,
  portal_url: WebAddress,
  game_id: z.string().nullable(),
  currency: z.enum(Currency.def.entries),
  other_currencies: z.array(z.enum(Currency.def.entries)),
  countries: z.array(z.string().regex(/^[A-Z]{2}$/)),
  price_country: z.string().nullable(),
  time_zone: TimeZone,
  locales: z.array(z.enum(Locale.def.entries)),
  methods: z.array(z.enum(PaymentMethod.def.entries)),
  method_countries: MethodCountries,
  contracts: Contracts,
  login_methods: z.array(z.enum(LoginMethod.def.entries)),
  privacy_url: WebAddress.nullable(),
  agreement_url: WebAddress.nullable(),
  logger_url: LoggerUrl,
  wechat_app_id: z.string().nullable(),
  crm_url: z.url().nullable(),
  play_urls: PlayUrls,
  order_minutes: z.int(),
  promise_hours: z.int(),
  spend_order: z.enum(['present_first', 'basic_first']),
  policy_pack: z.string(),
  hosts: z.array(z.string()),
  game_ids: z.array(z.string()),
});

/** The readable part of an unreadable site row: its id and host names. */
export const SiteName = z.object({ id: z.string(), hosts: z.array(z.string()) });

export function selectSites(db: Db | Tx) {
  return readRows(
    db,
    { table: 'sites', key: ['id'], row: SiteRow },
    sql`
      select sites.*,
             array(select host from site_hosts where site_id = sites.id) as hosts,
             case domain_type when 0 then array[sites.game_id] else array(
               select site_games.game_id from site_games where site_id = sites.id
               order by position, site_games.game_id
             ) end as game_ids
      from sites
      limit 10000`,
  );
}

/** Updates the contract with a history row. False if there is no such site. */
export async function updateContract(
  tx: Tx,
  changed: {
    id: string;
    siteId: string;
    method: string;
    contract: string | null;
    by: string;
    reason: string;
    at: Date;
  },
): Promise<boolean> {
  const { id, siteId, method, contract, by, reason, at } = changed;
  const rest = sql`contracts - ${method}::text`;
  const contracts =
    contract === null
      ? rest
      : sql`${rest} || jsonb_build_object(${method}::text, ${contract}::text)`;
  const updated = await tx.run(sql`update sites set contracts = ${contracts} where id = ${siteId}`);
  if (updated === 0) return false;
  await tx.run(sql`
    insert into contract_changes (id, site_id, method, contract, by, reason, at)
    values (${id}, ${siteId}, ${method}, ${contract}, ${by}, ${reason}, ${at})`);
  return true;
}
