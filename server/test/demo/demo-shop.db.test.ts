import { readFileSync } from 'node:fs';
import { locales } from '@pointgate/contract/locales.ts';
import { System } from '@pointgate/contract/names.ts';
import { SiteConfig } from '@pointgate/contract/site-config.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { demoGameIds, siteAddresses } from '../../../tools/stack/demo-games.ts';
import { openCatalogue } from '../../src/catalogue/catalogue.ts';
import { listGames } from '../../src/catalogue/game-list.ts';
import { seedPlayers } from '../../src/documents/seed/seed-players.ts';
import { addressOf, seedShop } from '../../src/documents/seed/seed-shop.ts';
import { findAccount, findGameAccount } from '../../src/people/accounts/accounts.ts';
import { openIdentityKeys } from '../../src/people/accounts/identity-keys.ts';
import { openPeople } from '../../src/people/real-names/real-names.ts';
import { type Db, sql } from '../../src/platform/db.ts';
import { log } from '../../src/platform/log.ts';
import { knownSite, openSites, type Site, toSiteConfig } from '../../src/publisher/sites/sites.ts';
import { cloneDatabase } from '../database.ts';
import { demoGames, openDemo } from '../demo.ts';
import { testIndexKey } from '../identities.ts';

let db: Db;
let drop: () => Promise<void>;
const demoSites = openDemo().shop.sites;
const dayMs = 24 * 60 * 60_000;
const playUrl = 'http://localhost:1/play';
const seedAt = (now: Date) =>
  db.transaction((tx) =>
    seedShop(tx, openDemo(now).shop, {
      portalUrl: 'http://localhost:8080',
      gameUrl: 'http://localhost:1',
      playUrl,
    }),
  );
const seedPeople = () =>
  seedPlayers(
    {
      db,
      identityKeyOf: openIdentityKeys(testIndexKey),
      people: openPeople({ keys: undefined, indexKey: undefined }),
      identities: {},
    },
    openDemo().demo.players,
  );

beforeAll(async () => {
  log.level = 'silent';
  const database = await cloneDatabase();
  db = database.open(3);
  drop = async () => {
    await db.close();
    await database.drop();
  };
  await seedAt(new Date());
  await seedPeople();
});
afterAll(() => drop());

const siteOf = (siteId: string) => knownSite(openSites(db), siteId);

describe('demo games', () => {
  test('the demo has six games with four servers and twelve packs each, and eight E Point packs', async () => {
    const Counts = z.object({ game_id: z.string(), servers: z.int(), packs: z.int() });
    const counts = await db.many(
      Counts,
      sql`
        select games.id as game_id,
               (select count(*)::int from game_servers where game_id = games.id) as servers,
               (select count(*)::int from items where game_id = games.id) as packs
        from games limit 100`,
    );
    expect(counts.toSorted((one, other) => one.game_id.localeCompare(other.game_id))).toEqual(
      demoGameIds.toSorted().map((game_id) => ({ game_id, servers: 4, packs: 12 })),
    );
    const asked = { system: 'android', currency: 'USD', country: null } as const; // as: keeps the literal types
    expect(await openCatalogue(db).packOffers(asked)).toHaveLength(8);
  });

  test('each demo game has one server in maintenance, each but the first an Android-only server, and no game is closed', async () => {
    for (const { servers, id } of demoGames()) {
      expect(servers.filter(({ status }) => status === 1)).toHaveLength(1);
      // The first game has no Android-only server.
      const android = servers.filter(({ systems }) => systems.join() === 'android');
      if (id !== 'solmere') expect(android.length).toBeGreaterThan(0);
    }
    const games = await listGames(openCatalogue(db), await siteOf('omni'), 'en-US');
    expect(games.map(({ gameId }) => gameId)).toEqual(demoGameIds);
    for (const game of games) {
      expect(game).toMatchObject({ systems: ['ios', 'android'], isInMaintenance: false });
    }
  });

  test('all names of the demo shop exist in every language', async () => {
    const rows = await db.many(
      z.object({ what: z.string(), text: z.record(z.string(), z.string()) }),
      sql`
        select id as what, name as text from games union all
        select id, subtitle from games union all
        select game_id || id, region from game_servers union all
        select game_id || id, name from item_groups union all
        select id, name from items union all
        select id, unit from items union all
        select id, name from point_packs
        limit 1000`,
    );
    expect(rows.length).toBeGreaterThan(200);
    for (const { what, text } of rows) {
      expect(Object.keys(text).toSorted(), what).toEqual(locales.toSorted());
      expect(Object.values(text).filter((words) => words.trim() === '')).toEqual([]);
    }
  });

  test('the subtitles of demo games and the names of special demo packs have at least seven different texts in the nine languages', async () => {
    for (const { items, subtitle } of demoGames()) {
      const specials = items.filter(({ limit }) => limit !== null);
      expect(specials).toHaveLength(6);
      for (const texts of [subtitle, ...specials.map(({ name }) => name)]) {
        const words = locales.map((locale) => texts[locale]);
        // The two traditional Chinese texts may be equal, and short words may be equal in both
        // scripts.
        expect(new Set(words).size, texts['en-US']).toBeGreaterThanOrEqual(7);
      }
    }
  });
});

describe('demo sites', () => {
  test.each([
    ['localhost', 'Solmere', 0, 'solmere'],
    ['127.0.0.1', 'Solmere', 0, 'solmere'],
    ['lantern-court.localhost', 'Lantern Court', 0, 'lantern-court'],
    ['neon-meridian.localhost', 'Neon Meridian', 0, 'neon-meridian'],
    ['omni.localhost', 'Omni', 1, null],
  ])(
    'the demo host name %s serves the demo site %s',
    async (host, siteTitle, domainType, gameId) => {
      const site = await openSites(db).byHost(host);
      const config = SiteConfig.parse(
        toSiteConfig(site as Site, {
          version: 'test',
          isRehearsal: false,
          hasWechatScan: false,
          methods: site?.methods ?? [],
          methodsOut: [],
        }),
      ); // as: the parse fails without a site
      expect(config).toMatchObject({ siteTitle, domainType, gameInfo: { gameId } });
      // A platform has several games, so it has no link to start one.
      const start = gameId === null ? null : playUrl;
      expect(config.gameInfo.playUrls).toEqual({ ios: start, android: start, desktop: start });
      const elsewhere = ['EUR', 'JPY', 'KRW', 'TWD', 'HKD', 'THB', 'VND'];
      expect(config.currencies).toEqual(
        gameId === 'lantern-court' ? ['CNY', 'USD', ...elsewhere] : ['USD', ...elsewhere, 'CNY'],
      );
      // The payment methods that are common for the players of the site come first.
      expect(config.methods).toEqual(
        gameId === 'lantern-court'
          ? ['wechatpay', 'alipay', 'card', 'paypal', 'adyen', 'epoint']
          : ['card', 'paypal', 'wechatpay', 'alipay', 'adyen', 'epoint'],
      );
      expect(config.theme.accent).toMatch(/^#/);
      expect(config.theme.hero).toMatch(/^([a-z-]+-)?hero$/);
    },
  );

  test('the demo sites have the portal URLs that the development tools expect, for any host name of the portal', () => {
    const addresses = (portal: string) =>
      demoSites.map(({ value }) => addressOf(value, portal)).toSorted();
    expect(addresses('http://localhost:8080')).toEqual(
      siteAddresses('http://localhost:8080').toSorted(),
    );
    const omni = { subdomain: 'omni' };
    expect(addressOf(omni, 'https://shop.example')).toBe('https://omni.shop.example');
    expect(addressOf(omni, 'http://127.0.0.1:9')).toBe('http://omni.localhost:9');
    expect(addressOf(omni, 'http://[::1]:9')).toBe('http://omni.localhost:9');
  });

  test('the demo sites sell every pack in each of their currencies on every system', async () => {
    const catalogue = openCatalogue(db);
    for (const { id } of demoSites) {
      const site = await siteOf(id);
      for (const currency of site.currencies) {
        for (const system of System.options) {
          const asked = { system, currency, country: null };
          for (const gameId of site.gameIds) {
            const groups = await catalogue.itemOffers({ ...asked, gameId });
            expect(groups.map(({ offers }) => offers.length)).toEqual([6, 2, 4]);
          }
          expect(await catalogue.packOffers(asked)).toHaveLength(8);
        }
      }
    }
  });

  test('the demo packs cost about the same in every currency, and are ranked by price the same in each', async () => {
    const catalogue = openCatalogue(db);
    const pricesIn = async (currency: Site['currency']) => {
      const asked = { system: 'android', currency, country: null } as const; // as: keeps the literal types
      const groups = await catalogue.itemOffers({ ...asked, gameId: 'ironvale' });
      const offers = [
        ...groups.flatMap((group) => group.offers),
        ...(await catalogue.packOffers(asked)),
      ];
      return offers.map(({ price }) => Number(price.amountMinor));
    };
    const cents = await pricesIn('USD');
    expect(cents.slice(0, 6)).toEqual([99, 499, 1499, 2999, 4999, 9999]);
    expect(Math.min(...cents)).toBe(99);
    for (const { currency, rate } of openDemo().shop.priceRules.map(({ value }) => value)) {
      const prices = await pricesIn(currency);
      for (const [index, price] of prices.entries()) {
        const ratio = (price * rate.denominator) / ((cents[index] ?? 0) * rate.numerator);
        expect(ratio, `${currency} ${price}`).toBeGreaterThan(0.9);
        expect(ratio, `${currency} ${price}`).toBeLessThan(1.12);
      }
      const ascending = (numbers: number[]) => numbers.toSorted((one, other) => one - other);
      const byCents = new Map(cents.map((amount, index) => [amount, prices[index]]));
      expect(ascending(cents).map((amount) => byCents.get(amount))).toEqual(ascending(prices));
    }
  });

  test('the special packs of the demo have purchase limits, and some have a sale period', async () => {
    const Terms = z.object({ id: z.string(), terms: z.string(), days: z.int().nullable() });
    const rows = await db.many(
      Terms,
      sql`
        select id, concat_ws(' ', limit_packs, limit_per, limit_period) as terms,
               extract(days from sale_until - sale_from)::int as days
        from items where game_id = 'neon-meridian' and limit_packs is not null limit 100`,
    );
    expect(rows.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
      { id: 'neon-meridian_daily', terms: '1 account day', days: null },
      { id: 'neon-meridian_festival', terms: '2 account ever', days: 60 },
      { id: 'neon-meridian_monthly', terms: '1 role month', days: null },
      { id: 'neon-meridian_starter', terms: '1 account ever', days: null },
      { id: 'neon-meridian_weekend', terms: '3 account week', days: 28 },
      { id: 'neon-meridian_weekly', terms: '1 role week', days: null },
    ]);
  });

  test('the demo theme colors have a contrast above 4.5 on every background of the portal', () => {
    const tokens = readFileSync(
      new URL('../../../portal/src/shared/ui/tokens.css', import.meta.url),
      'utf8',
    );
    const grounds = [...tokens.matchAll(/--ink-(?:950|900|850|800): (#[\da-f]{6});/g)].map(
      ([, it]) => it,
    );
    expect(grounds).toHaveLength(4);
    const themed = demoSites.map(({ id, value }) => ({ id, theme: value.theme }));
    for (const { id, theme } of [...demoGames(), ...themed]) {
      for (const color of [theme.accent, theme.accentStrong]) {
        for (const ground of grounds) {
          expect(contrast(color ?? '', ground ?? ''), `${id} ${color}`).toBeGreaterThan(4.5);
        }
      }
    }
  });
});

test('the demo players have an account in every game', async () => {
  for (const loginName of ['aveline', 'kaito']) {
    const accountId = (await findAccount(db, { loginName })) ?? '';
    const accounts = await Promise.all(
      demoGameIds.map((gameId) =>
        findGameAccount(db, { accountId, siteId: 'omni', gameIds: [gameId] }),
      ),
    );
    expect(accounts).toEqual(
      ['ga', 'lc', 'na', 'iv', 'pp', 'bw'].map((prefix) => `${prefix}_${loginName}`),
    );
  }
});

test('seeding the demo again ten days later changes no row', async () => {
  const everything = async () =>
    await db.one(
      z.record(z.string(), z.unknown()),
      sql`
        select (select jsonb_agg(to_jsonb(games) order by id) from games) as games,
          (select jsonb_agg(to_jsonb(game_servers) order by game_id, id) from game_servers) as servers,
          (select jsonb_agg(to_jsonb(item_groups) order by game_id, id) from item_groups) as groups,
          (select jsonb_agg(to_jsonb(items) order by id) from items) as items,
          (select jsonb_agg(to_jsonb(item_prices) order by item_id, currency) from item_prices) as prices,
          (select jsonb_agg(to_jsonb(point_packs) order by id) from point_packs) as packs,
          (select jsonb_agg(to_jsonb(point_pack_prices) order by pack_id) from point_pack_prices) as costs,
          (select jsonb_agg(to_jsonb(price_rules) order by currency) from price_rules) as rules,
          (select jsonb_agg(to_jsonb(sites) order by id) from sites) as sites,
          (select jsonb_agg(to_jsonb(site_hosts) order by host) from site_hosts) as hosts,
          (select jsonb_agg(to_jsonb(site_games) order by site_id, position) from site_games) as sold,
          (select jsonb_agg(to_jsonb(accounts) order by id) from accounts) as accounts,
          (select jsonb_agg(to_jsonb(identities) order by account_id, account_type) from identities) as ways,
          (select jsonb_agg(to_jsonb(game_accounts) order by account_id, game_id) from game_accounts) as bound`,
    );
  const before = await everything();
  expect(Object.values(before)).not.toContain(null);
  await seedAt(new Date(Date.now() + 10 * dayMs));
  await seedPeople();
  expect(await everything()).toEqual(before);
});

/** The contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
