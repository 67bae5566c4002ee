import { locales } from '@pointgate/contract/locales.ts';
import { sql } from '../src/platform/db.ts';
import { upsertSite } from '../src/seed/seed.queries.ts';
import { eventually, type TestShop } from './shop.ts';

/** A second site of the shop, reached at 127.0.0.1 where the first one is reached at localhost. */
export async function givenOtherSite(
  shop: TestShop,
  { portalUrl, title = 'Other' }: { portalUrl: string; title?: string },
): Promise<TestShop> {
  await shop.db.transaction(async (tx) => {
    await upsertSite(tx, { id: 'other', portalUrl, locales, hosts: ['127.0.0.1'] });
    await tx.run(sql`update sites set title = ${title} where id = 'other'`);
  });
  // The shop keeps sites for two seconds.
  await eventually(async () => (await shop.sites.byHost('127.0.0.1'))?.title === title);
  return { ...shop, url: shop.url.replace('localhost', '127.0.0.1') };
}
