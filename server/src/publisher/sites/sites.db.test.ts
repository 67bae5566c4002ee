import { loginMethods } from '@pointgate/contract/accounts.ts';
import { SiteConfig } from '@pointgate/contract/site-config.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRaw } from '../../../test/raw-call.ts';
import { eventually, openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { type Sql, sql } from '../../platform/db.ts';
import { openSites } from './sites.ts';

const wechatClients = {
  wx1: { secret: 'secret', web: { appId: 'wx2', secret: 'secret' } },
  wx3: { secret: 'secret' },
};

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ WECHAT_CLIENTS: JSON.stringify(wechatClients) });
});
afterAll(() => shop.closeAll());

const config = (host?: string) =>
  callRaw(`${shop.url}/config.json`, host === undefined ? {} : { headers: { host } });

test('[S3.03] the site config under every host name is the config of the site with that host name', async () => {
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update sites set logger_url = 'https://logs.example', wechat_app_id = 'wx1' where id = 'solmere'`),
  );
  await givenOtherSite(shop, { portalUrl: 'https://other.example' });
  const reply = await config();
  expect(reply.status).toBe(200);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(SiteConfig.parse(reply.json())).toEqual({
    domainType: 0,
    siteTitle: 'Solmere',
    version: expect.stringMatching(/^[\da-f]{12}$/),
    theme: { accent: null, accentStrong: null, hero: null, logo: null },
    isRehearsal: false,
    locales: 'en-US zh-CN zh-HK zh-TW th-TH ko-KR ja-JP vi-VN de-DE'.split(' '),
    currency: 'USD',
    currencies: ['USD'],
    countries: [],
    timeZone: 'UTC',
    methods: ['card', 'epoint'],
    methodsOut: [],
    loginMethods: [...loginMethods],
    policies: { privacyUrl: null, agreementUrl: null },
    gameInfo: {
      cgi: '',
      gameId: 'solmere',
      playUrls: { ios: null, android: null, desktop: null },
      customConfig: {
        loggerUrl: 'https://logs.example',
        loggerKey: null,
        brandId: 'omni',
        wechatAppId: 'wx1',
        hasWechatScan: true,
      },
    },
  });
  expect((await config('127.0.0.1:80')).json()).toMatchObject({
    siteTitle: 'Other',
    gameInfo: { customConfig: { loggerUrl: null, wechatAppId: null, hasWechatScan: false } },
  });
  expect((await config('LOCALHOST')).json()).toMatchObject({ siteTitle: 'Solmere' });
});

test.each([
  ['wx1', true],
  ['wx3', false],
  ['wx4', false],
  ['constructor', false],
])(
  'the site config says whether the site offers WeChat sign-in by QR code: for the WeChat app %s, hasWechatScan is %s',
  async (appId, has) => {
    await shop.db.transaction((tx) =>
      tx.run(sql`update sites set wechat_app_id = ${appId} where id = 'solmere'`),
    );
    await eventually(async () => {
      const { customConfig } = SiteConfig.parse((await config()).json()).gameInfo;
      return customConfig.wechatAppId === appId && customConfig.hasWechatScan === has;
    });
  },
);

test.each(['nobody.example', 'solmere', 'all', 'id:solmere', '[::1]'])(
  '[S7.35] an unknown host name such as "%s" is answered with NotFound for site config and calls',
  async (host) => {
    const notFound = { isSuccess: false, code: 'NotFound', status: 404, data: null };
    const found = await config(host);
    expect(found.json()).toMatchObject(notFound);
    expect(found.status).toBe(404);
    const call = await callRaw(`${shop.url}/api/time`, { headers: { host } });
    expect(call.json()).toMatchObject(notFound);
    expect(call.status).toBe(404);
  },
);

test('a site can be looked up by its id, and the lookup of an unknown id or a host name as id finds no site', async () => {
  expect(await shop.sites.byId('solmere')).toMatchObject({ siteId: 'solmere', orderMinutes: 30 });
  expect(await shop.sites.byId('nobody')).toBeUndefined();
  expect(await shop.sites.byId('localhost')).toBeUndefined();
});

test('a site that has no host name can be looked up by its id', async () => {
  await shop.db.transaction((tx) =>
    tx.run(sql`
      insert into sites (id, domain_type, title, brand_id, portal_url, currency, locales, methods)
      values ('dream', 1, 'Dream', 'omni', 'https://dream.example', 'EUR', array['de-DE'], array['card'])`),
  );
  expect(await openSites(shop.db).byId('dream')).toMatchObject({
    domainType: 1,
    gameId: null,
    currency: 'EUR',
    locales: ['de-DE'],
  });
});

test('the site config has the theme, currencies, countries, policy and play URLs that are stored for the site', async () => {
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update sites set theme = '{"accent": "#ff8800", "hero": "sunrise"}',
        other_currencies = array['JPY', 'EUR'], countries = array['DE', 'JP'], price_country = 'JP',
        time_zone = 'Asia/Tokyo', privacy_url = 'https://other.example/privacy',
        play_urls = '{"ios": "https://other.example/ios"}'
      where id = 'other'`),
  );
  const found = await eventually(async () => {
    const { timeZone, ...rest } = SiteConfig.parse((await config('127.0.0.1:80')).json());
    return timeZone === 'Asia/Tokyo' && rest;
  });
  expect(found).toMatchObject({
    theme: { accent: '#ff8800', accentStrong: null, hero: 'sunrise', logo: null },
    currency: 'USD',
    currencies: ['USD', 'JPY', 'EUR'],
    countries: ['DE', 'JP'],
    policies: { privacyUrl: 'https://other.example/privacy', agreementUrl: null },
    gameInfo: { playUrls: { ios: 'https://other.example/ios', android: null, desktop: null } },
  });
  expect(await shop.sites.byId('other')).toMatchObject({ priceCountry: 'JP' });
});

const unreadable: [string, Sql][] = [
  ['a play URL that is a script', sql`play_urls = '{"ios": "javascript:alert(1)"}'`],
  ['an unknown method in method_countries', sql`method_countries = '{"gold": ["DE"]}'`],
  ['an invalid country in method_countries', sql`method_countries = '{"card": ["Germany"]}'`],
  ['a contract for an unknown method', sql`contracts = '{"gold": "stripe-eu"}'`],
  ['a contract for points', sql`contracts = '{"epoint": "stripe-eu"}'`],
  ['a contract without a name', sql`contracts = '{"card": ""}'`],
  ['a play URL for an unknown device', sql`play_urls = '{"pc": "https://other.example/pc"}'`],
];

test.each<[string, Sql]>([
  ...unreadable,
  ['its main currency listed twice', sql`other_currencies = array['USD']`],
  ['a price country where it does not sell', sql`price_country = 'US'`],
  ['a policy URL that is a script', sql`privacy_url = 'javascript:alert(1)'`],
  ['a theme that is a list', sql`theme = '[]'`],
  ['a list as its play URLs', sql`play_urls = '[]'`],
  ['a list as its method countries', sql`method_countries = '[]'`],
  ['a list as its contracts', sql`contracts = '[]'`],
  ['an invalid theme color', sql`theme = '{"accent": "orange"}'`],
  ['a misspelt theme token', sql`theme = '{"acent": "#ff8800"}'`],
  ['an unsupported currency', sql`currency = 'XXX'`],
])('the database refuses a site with %s', async (_what, wrong) => {
  const change = shop.db.transaction((tx) =>
    tx.run(sql`update sites set ${wrong} where id = 'other'`),
  );
  await expect(change).rejects.toThrow('violates check constraint');
});

test.each(unreadable)(
  'calls to a site stored with %s are answered with SiteUnavailable while other sites work',
  async (_what, wrong) => {
    // Simulates rows written by a release without these constraints.
    await shop.db.transaction((tx) =>
      tx.run(sql`
      alter table sites drop constraint if exists site_play_urls_are_addresses,
        drop constraint if exists site_method_countries_are_known,
        drop constraint if exists site_contracts_are_of_methods`),
    );
    const undo = sql`play_urls = '{}', method_countries = '{}', contracts = '{}'`;
    const set = (values: typeof wrong) =>
      shop.db.transaction((tx) => tx.run(sql`update sites set ${values} where id = 'dream'`));
    await set(wrong);
    const sites = openSites(shop.db);
    await expect(sites.byId('dream')).rejects.toMatchObject({ code: 'SiteUnavailable' });
    expect(await sites.byId('solmere')).toMatchObject({ siteId: 'solmere' });
    await set(undo);
    expect(await openSites(shop.db).byId('dream')).toMatchObject({ timeZone: 'UTC' });
  },
);

test('the database refuses a site with an unknown time zone', async () => {
  const change = shop.db.transaction((tx) =>
    tx.run(sql`update sites set time_zone = 'Asia/Atlantis' where id = 'other'`),
  );
  await expect(change).rejects.toThrow('time zone "Asia/Atlantis" not recognized');
});

test('[S7.35] GET /api/time returns the server time in whole seconds', async () => {
  const before = Math.floor(Date.now() / 1000);
  const reply = await send(shop, '/api/time', { method: 'GET' });
  const after = Math.floor(Date.now() / 1000);
  const { ts } = reply.data as { ts: number }; // as: the next lines check it
  expect(Number.isInteger(ts)).toBe(true);
  expect(ts).toBeGreaterThanOrEqual(before);
  expect(ts).toBeLessThanOrEqual(after);
});
