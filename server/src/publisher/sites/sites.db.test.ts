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

test('[S3.03] every host name has the config of its site', async () => {
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
])('WeChat asks to scan a code only where the shop has a website there: %s', async (appId, has) => {
  await shop.db.transaction((tx) =>
    tx.run(sql`update sites set wechat_app_id = ${appId} where id = 'solmere'`),
  );
  await eventually(async () => {
    const { customConfig } = SiteConfig.parse((await config()).json()).gameInfo;
    return customConfig.wechatAppId === appId && customConfig.hasWechatScan === has;
  });
});

test.each(['nobody.example', 'solmere', 'all', 'id:solmere', '[::1]'])(
  '[S7.35] a host name that is no site, such as "%s", finds nothing, neither config nor calls',
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

test('a site is found by its id as well, and an unknown id is none', async () => {
  expect(await shop.sites.byId('solmere')).toMatchObject({ siteId: 'solmere', orderMinutes: 30 });
  expect(await shop.sites.byId('nobody')).toBeUndefined();
  expect(await shop.sites.byId('localhost')).toBeUndefined();
});

test('a site without a host name is there all the same', async () => {
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

test('a site has the look, the currencies and the policies that its operator gave it', async () => {
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
  ['a way to its game that is a script', sql`play_urls = '{"ios": "javascript:alert(1)"}'`],
  ['a method that is none', sql`method_countries = '{"gold": ["DE"]}'`],
  ['a country that is none', sql`method_countries = '{"card": ["Germany"]}'`],
  ['a contract for a method that is none', sql`contracts = '{"gold": "stripe-eu"}'`],
  ['a contract for points', sql`contracts = '{"epoint": "stripe-eu"}'`],
  ['a contract without a name', sql`contracts = '{"card": ""}'`],
  ['a device that is none', sql`play_urls = '{"pc": "https://other.example/pc"}'`],
];

test.each<[string, Sql]>([
  ...unreadable,
  ['its own currency a second time', sql`other_currencies = array['USD']`],
  ['prices of a country where it does not sell', sql`price_country = 'US'`],
  ['a policy that is a script', sql`privacy_url = 'javascript:alert(1)'`],
  ['a look that is a list', sql`theme = '[]'`],
  ['a list of ways to its game', sql`play_urls = '[]'`],
  ['a list of countries of its methods', sql`method_countries = '[]'`],
  ['a list of contracts', sql`contracts = '[]'`],
  ['a colour that is none', sql`theme = '{"accent": "orange"}'`],
  ['a misspelt token', sql`theme = '{"acent": "#ff8800"}'`],
  ['a currency that the shop cannot price in', sql`currency = 'XXX'`],
])('a site cannot have %s', async (_what, wrong) => {
  const change = shop.db.transaction((tx) =>
    tx.run(sql`update sites set ${wrong} where id = 'other'`),
  );
  await expect(change).rejects.toThrow('violates check constraint');
});

test.each(unreadable)('a site with %s is set aside when it is read', async (_what, wrong) => {
  // As a release wrote it that did not check these columns.
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
});

test('a site cannot have a time zone that is none', async () => {
  const change = shop.db.transaction((tx) =>
    tx.run(sql`update sites set time_zone = 'Asia/Atlantis' where id = 'other'`),
  );
  await expect(change).rejects.toThrow('time zone "Asia/Atlantis" not recognized');
});

test('[S7.35] the time of the server is told in seconds', async () => {
  const before = Math.floor(Date.now() / 1000);
  const reply = await send(shop, '/api/time', { method: 'GET' });
  const after = Math.floor(Date.now() / 1000);
  const { ts } = reply.data as { ts: number }; // as: the next lines check it
  expect(Number.isInteger(ts)).toBe(true);
  expect(ts).toBeGreaterThanOrEqual(before);
  expect(ts).toBeLessThanOrEqual(after);
});
