import { locales } from '@pointgate/contract/locales.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listBulletins,
  pinnedBulletins,
  readBulletin,
  readPage,
} from '../../src/catalogue/bulletins/bulletins.ts';
import { upsertSupport } from '../../src/documents/seed/seed.queries.ts';
import { seedNews } from '../../src/documents/seed/seed-news.ts';
import { openDemo, writeSite } from '../demo.ts';
import { eventually, openTestShop, type TestShop } from '../shop.ts';

let shop: TestShop;
const at = new Date('2026-11-15T12:00:00Z');
const demoSites = openDemo(at).shop.sites;
const siteIds = demoSites.map(({ id }) => id);
beforeAll(async () => {
  shop = await openTestShop();
  for (const id of siteIds.slice(1)) {
    const portalUrl = `https://${id}.example`;
    await shop.db.transaction((tx) => writeSite(tx, { id, portalUrl, hosts: [`${id}.example`] }));
  }
  for (const site of demoSites) await seedNews(shop.db, site, at);
});
afterAll(() => shop.closeAll());

const everything = { tab: 'all', after: null, limit: 50 } as const;
const pageIds = [
  'about-us',
  'contact',
  'privacy-policy',
  'user-agreement',
  'game-features',
  'game-info',
];
const inEach = siteIds.flatMap((siteId) => locales.map((locale) => ({ siteId, locale })));

test.each(inEach)(
  'the demo site $siteId has news and pages in $locale',
  async ({ siteId, locale }) => {
    const reader = { siteId, locale, at };
    const { bulletins } = await listBulletins(shop.db, reader, everything);
    // Of twelve bulletins, one is planned and one has ended.
    expect(bulletins).toHaveLength(10);
    expect(bulletins.map((bulletin) => bulletin.locale)).toEqual(Array(10).fill(locale));
    for (const { bulletinId } of bulletins) {
      expect(await readBulletin(shop.db, reader, bulletinId)).toMatchObject({
        body: expect.stringMatching(/^<(p|ul|ol|table|h2)/),
      });
    }
    for (const id of pageIds) {
      expect(await readPage(shop.db, reader, id)).toMatchObject({ locale, version: 1 });
    }
  },
);

test.each(siteIds)(
  'the demo site %s has a news bulletin scheduled for later and one that has expired',
  async (siteId) => {
    const shownAt = async (days: number) => {
      const moment = new Date(at.getTime() + days * 86_400_000);
      const reader = { siteId, locale: 'en-US', at: moment } as const;
      const { bulletins } = await listBulletins(shop.db, reader, everything);
      return bulletins.map(({ bulletinId }) => bulletinId);
    };
    const now = await shownAt(0);
    expect((await shownAt(7)).length).toBe(11);
    const before = (await Promise.all([-25, -28, -35, -45].map(shownAt))).flat();
    expect(before.filter((id) => !now.includes(id))).not.toEqual([]);
  },
);

test('seeding the demo news again does not change the news that players see', async () => {
  const later = new Date(at.getTime() + 3_600_000);
  const reader = { siteId: 'solmere', locale: 'en-US', at: later } as const;
  const before = await listBulletins(shop.db, reader, everything);
  const sites = openDemo(later).shop.sites.filter(({ id }) => id === 'solmere');
  for (const site of sites) await seedNews(shop.db, site, later);
  expect(sites).toHaveLength(1);
  expect(await listBulletins(shop.db, reader, everything)).toEqual(before);
  expect(await readPage(shop.db, reader, 'contact')).toMatchObject({ version: 1 });
  const pinned = await pinnedBulletins(shop.db, reader);
  expect(pinned.map(({ bulletinId }) => bulletinId)).toEqual([
    'tidefall-festival',
    'gloamharbour-maintenance',
    'sunken-stair',
  ]);
});

test('a customer service URL can be set for a demo site', async () => {
  const crmUrl = 'http://localhost:4000/ask';
  await shop.db.transaction((tx) => upsertSupport(tx, { siteId: 'solmere', crmUrl }));
  await eventually(async () => (await shop.sites.byId('solmere'))?.crmUrl === crmUrl);
});
