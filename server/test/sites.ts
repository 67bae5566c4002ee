import { sql } from '../src/platform/db.ts';
import { writeSite } from './demo.ts';
import { eventually, type TestShop } from './shop.ts';

/** A second site of the shop, at 127.0.0.1 instead of localhost. */
export async function givenOtherSite(
  shop: TestShop,
  { portalUrl, title = 'Other' }: { portalUrl: string; title?: string },
): Promise<TestShop> {
  await shop.db.transaction(async (tx) => {
    await writeSite(tx, { id: 'other', portalUrl, hosts: ['127.0.0.1'] });
    await tx.run(sql`update sites set title = ${title} where id = 'other'`);
  });
  // The shop caches sites for two seconds.
  await eventually(async () => (await shop.sites.byHost('127.0.0.1'))?.title === title);
  return { ...shop, url: shop.url.replace('localhost', '127.0.0.1') };
}

/** The second site as a platform that sells these games, in this order. */
export async function givenPlatform(
  shop: TestShop,
  { portalUrl, gameIds }: { portalUrl: string; gameIds: readonly string[] },
): Promise<TestShop> {
  const site = { id: 'other', portalUrl, hosts: ['127.0.0.1'], gameId: null };
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`delete from site_games where site_id = 'other'`);
    await writeSite(tx, { ...site, domainType: 1, gameIds });
    await tx.run(sql`update sites set domain_type = 1, game_id = null where id = 'other'`);
  });
  await eventually(async () => {
    const found = await shop.sites.byHost('127.0.0.1');
    return found?.domainType === 1 && found.gameIds.join() === gameIds.join();
  });
  return { ...shop, url: shop.url.replace('localhost', '127.0.0.1') };
}
