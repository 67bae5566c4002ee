import { randomUUID } from 'node:crypto';
import { PromotionList } from '@pointgate/contract/documents/promotions.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { switchMethod } from '../src/money/routing/routing.ts';
import { loadPromotions } from '../src/offers/promotions/promotion-list.ts';
import { openRawExecutor, type RawExecutor, sql } from '../src/platform/db.ts';
import { sitesIn } from '../src/publisher/sites/sites.ts';
import { givenTemplate } from './coupons.ts';
import { patientSeconds } from './database.ts';
import { givenBulletin, givenPage } from './news.ts';
import { givenCodes } from './redeem.ts';
import type { TestShop } from './shop.ts';

// Copies of valid rows with one malformed column each, as operators may have written them under an
// older release.

export interface Malformed {
  table: string;
  /** The key of the row that is copied. */
  of: Readonly<Record<string, string>>;
  column: string;
  /** The field that the error names; by default the column itself. */
  named?: string;
  value: unknown;
  /** Further columns that have to be set. */
  with?: Readonly<Record<string, unknown>>;
  /** The column that identifies the copy; by default its id. */
  nameColumn?: string;
  /** The key of the copy, if it does not follow from the columns of `of`. */
  key?: string;
}

const of = (id: string) => ({ id });

const row = (
  table: string,
  good: Malformed['of'],
  column: string,
  value: unknown,
  more: Partial<Malformed> = {},
): Malformed => ({ table, of: good, column, value, ...more });

const site = of('solmere');
const server = { game_id: 'solmere', id: 's12' };
const group = { game_id: 'solmere', id: 'omni-cards' };
const item = of('shards_300');
const pack = of('epoint_1000');
const page = { site_id: 'solmere', page_id: 'house-rules', version: '1' };
const batch = { name: 'spring' };
const turned = (method: string) => ({ site_id: 'solmere', method });
const named = (nameColumn: string) => ({ nameColumn });
const infinite = { limit_packs: 1, limit_per: 'account', limit_period: 'ever' };

export const malformedRows: readonly Malformed[] = [
  row('sites', site, 'domain_type', 2, { with: { game_id: 'solmere' } }),
  row('sites', site, 'game_id', null, { named: 'game_ids' }),
  row('sites', site, 'brand_id', 'Omni Cards'),
  row('sites', site, 'theme', { accent: 'green' }),
  row('sites', site, 'portal_url', 'shop'),
  row('sites', site, 'currency', 'GBP'),
  row('sites', site, 'other_currencies', ['GBP']),
  row('sites', site, 'countries', ['Germany']),
  row('sites', site, 'time_zone', 'Mars/Base'),
  row('sites', site, 'locales', ['fr-FR']),
  row('sites', site, 'methods', ['cards']),
  row('sites', site, 'method_countries', { card: ['Germany'] }),
  row('sites', site, 'contracts', { cards: 'stripe-eu' }),
  row('sites', site, 'login_methods', ['FAX']),
  row('sites', site, 'privacy_url', 'https://'),
  row('sites', site, 'agreement_url', 'https://'),
  row('sites', site, 'logger_url', 'nope'),
  row('sites', site, 'crm_url', 'https://'),
  row('sites', site, 'play_urls', { ios: 'store' }),
  row('sites', site, 'spend_order', 'any'),
  row('sites', site, 'policy_pack', 'chian'),
  row('games', site, 'api_url', 'nope'),
  row('games', site, 'name', { 'en-US': 5 }),
  row('games', site, 'subtitle', {}),
  row('games', site, 'theme', { accent: 'green' }),
  row('game_servers', server, 'name', { 'en-US': 5 }),
  row('game_servers', server, 'region', ['en-US']),
  row('game_servers', server, 'status', 2),
  row('game_servers', server, 'systems', ['windows']),
  row('item_groups', group, 'name', { 'en-US': '' }),
  row('items', item, 'name', { 'en-US': 5 }),
  row('items', item, 'unit', { 'de-DE': 'Splitter' }),
  row('items', item, 'art', 'Big Shard'),
  row('items', item, 'tier', 'gold'),
  row('items', item, 'badge', 'new'),
  row('items', item, 'systems', ['web']),
  row('items', item, 'sale_from', '-infinity'),
  row('items', item, 'limit_per', 'family', { with: infinite }),
  row('items', item, 'limit_period', 'year', { with: infinite }),
  row('point_packs', pack, 'name', {}),
  row('point_packs', pack, 'art', 'Big Coin'),
  row('point_packs', pack, 'tier', 'gold'),
  row('price_rules', { currency: 'JPY', country: '*' }, 'base_currency', 'GBP'),
  row('price_rules', { currency: 'JPY', country: '*' }, 'rounding', 'away'),
  row('price_rules', { currency: 'JPY', country: '*' }, 'price_points', [null]),
  row('gift_rules', of('double'), 'starts_at', '-infinity'),
  row('gift_rules', of('double'), 'first_purchase', 'of_none'),
  row('gift_rules', of('double'), 'countries', [null]),
  row('rebate_campaigns', of('harvest'), 'name', { 'en-US': 5 }),
  row('rebate_campaigns', of('harvest'), 'currency', 'GBP'),
  row('rebate_campaigns', of('harvest'), 'ends_at', 'infinity'),
  row('coupon_templates', of('welcome'), 'name', { 'en-US': 5 }),
  row('coupon_templates', of('welcome'), 'currency', 'GBP'),
  row('coupon_templates', of('welcome'), 'site_ids', [null]),
  row('coupon_templates', of('welcome'), 'game_ids', ['Not A Game'], { with: { kind: 'item' } }),
  row('bulletins', of('tidefall'), 'category', 'gossip'),
  row('bulletins', of('tidefall'), 'art', 'Big Wave'),
  row('bulletins', of('tidefall'), 'texts', { 'en-US': { title: 5 } }),
  row('page_versions', page, 'texts', { 'en-US': { title: 5, body: '' } }, named('page_id')),
  row('page_versions', page, 'texts', { 'en-US': { title: 'No body' } }, named('page_id')),
  row('redeem_batches', batch, 'reward', { kind: 'points', points: 'many' }, named('name')),
  row('redeem_batches', batch, 'reward', { kind: 'gold' }, named('name')),
  row('redeem_batches', batch, 'countries', [null], named('name')),
  row('redeem_batches', batch, 'ends_at', 'infinity', named('name')),
  row('method_switches', turned('card'), 'at', 'infinity', { key: 'solmere/card' }),
  row('method_switches', turned('paypal'), 'method', 'paypol', { key: 'solmere/paypol' }),
];

/** Creates valid rows in tables that are empty in a test shop. */
export async function givenGoodRows(shop: TestShop): Promise<void> {
  const name = Object.fromEntries(locales.map((locale) => [locale, 'Harvest']));
  const place = { siteId: 'solmere', kind: 'item', startsAt: '2026-01-01T00:00:00Z' };
  const list = PromotionList.parse({
    giftRules: [{ ...place, ruleId: 'double', giftPercent: 100 }],
    campaigns: [
      {
        ...place,
        campaignId: 'harvest',
        name,
        currency: 'USD',
        endsAt: '2126-01-01T00:00:00Z',
        tiers: [{ tier: 1, from: '1', points: '50' }],
      },
    ],
  });
  const complaints = await shop.db.transaction(async (tx) =>
    loadPromotions(tx, list, await sitesIn(tx)),
  );
  if (complaints.length > 0) throw new Error(complaints.join());
  await givenTemplate(shop, { templateId: 'welcome' });
  await givenBulletin(shop.db);
  await givenPage(shop.db, { id: 'house-rules' });
  await givenCodes(shop, { name: 'spring' });
  for (const method of ['card', 'paypal'] as const) {
    const why = { by: 'ines', reason: 'a good row', at: new Date() };
    await shop.db.transaction((tx) =>
      switchMethod(tx, { method, siteId: 'solmere', isOn: true, ...why }),
    );
  }
  await shop.db.transaction((tx) =>
    tx.run(sql`
      insert into price_rules (currency, base_currency, rate_numerator, rate_denominator)
      values ('JPY', 'USD', 3, 2)`),
  );
}

export interface Planted extends Malformed {
  key: string;
}

/** Inserts the malformed copies. A site is reachable at `<its id>.example`. */
export async function plantMalformedRows(shop: TestShop): Promise<Planted[]> {
  const executor = openExecutor(shop);
  await dropChecks(executor);
  const planted: Planted[] = [];
  for (const [index, malformed] of malformedRows.entries()) {
    planted.push(await plant(executor, malformed, index));
  }
  await executor.close();
  return planted;
}

export const openExecutor = ({ databaseUrl }: TestShop): RawExecutor =>
  openRawExecutor({
    url: databaseUrl,
    connectionsMax: 1,
    applicationName: 'test',
    waitSeconds: patientSeconds,
  });

/** Drops check constraints that older releases did not have. */
async function dropChecks(executor: RawExecutor): Promise<void> {
  await executor.executeSql(`
    do $$
    declare rule record;
    begin
      for rule in select conrelid::regclass as name, conname from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace and conrelid = any (array[
          'sites', 'games', 'game_servers', 'item_groups', 'items', 'point_packs', 'price_rules',
          'gift_rules', 'rebate_campaigns', 'coupon_templates', 'bulletins', 'page_versions',
          'redeem_batches', 'method_switches']::regclass[])
      loop execute format('alter table %s drop constraint %I', rule.name, rule.conname); end loop;
    end
    $$`);
}

async function plant(executor: RawExecutor, malformed: Malformed, index: number): Promise<Planted> {
  const { table, of: good, column, value } = malformed;
  const id = `bad-${index}`;
  const name = nameOf(malformed, { id, index });
  const changes = JSON.stringify({ ...name, ...malformed.with, [column]: value });
  const where = Object.entries(good).map(([key, is]) => `${key} = '${is}'`);
  await executor.executeSql(
    `insert into ${table} overriding system value select made.* from ${table} as good,
       jsonb_populate_record(good, $1::jsonb) as made
     where ${where.map((each) => `good.${each}`).join(' and ')}`,
    [changes],
  );
  if (table === 'sites') {
    await executor.executeSql('insert into site_hosts (host, site_id) values ($1, $2)', [
      ...[`${id}.example`, id],
    ]);
  }
  if (table === 'bulletins') {
    await executor.executeSql(
      `insert into bulletin_sites (bulletin_id, site_id) values ($1, 'solmere')`,
      [id],
    );
  }
  return { ...malformed, key: malformed.key ?? keyOf(good, name) };
}

function nameOf(
  { table, of: good, nameColumn }: Malformed,
  { id, index }: { id: string; index: number },
): Record<string, unknown> {
  if (table === 'method_switches') return { id: randomUUID() };
  // A batch also has a numeric id.
  if (table === 'redeem_batches') return { name: id, id: 1_000 + index };
  if (nameColumn !== undefined) return { [nameColumn]: id };
  // A rule is identified by its country.
  return 'id' in good ? { id } : { country: `B${String.fromCharCode(65 + (index % 26))}` };
}

/** The key of a row, with the copy's own name. */
function keyOf(good: Malformed['of'], name: Record<string, unknown>): string {
  return Object.entries(good)
    .map(([column, value]) => String(name[column] ?? value))
    .join('/');
}

/** The database error on inserting a copy with the malformed column, if any. */
export async function refusalOfCopy(
  executor: RawExecutor,
  malformed: Malformed,
): Promise<string | null> {
  try {
    await plant(executor, malformed, malformedRows.indexOf(malformed));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The database error on updating the valid row with the malformed value, if any. */
export async function refusalOf(
  executor: RawExecutor,
  { table, of: good, column, value }: Malformed,
): Promise<string | null> {
  const where = Object.entries(good).map(([key, is]) => `${key} = '${is}'`);
  try {
    await executor.executeSql(
      `update ${table} set ${column} = (jsonb_populate_record(null::${table}, $1::jsonb)).${column}
       where ${where.join(' and ')}`,
      [JSON.stringify({ [column]: value })],
    );
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
