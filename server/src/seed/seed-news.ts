import { fallbackLocale } from '@pointgate/contract/locales.ts';
import {
  importBulletin,
  importPage,
  publishBulletin,
  readPage,
} from '../catalogue/bulletins/bulletins.ts';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import type { SiteOfShop } from './shop-documents.ts';
import type { ShopFiles } from './shop-files.ts';
import { readNews, readPages } from './site-texts.ts';

/** Idempotent: news is updated, and an existing page gets no second version. */
export async function seedNews(db: Db, files: ShopFiles, site: SiteOfShop): Promise<void> {
  const hand = { by: 'seed', at: files.now };
  for (const bulletin of readNews(files, site)) {
    await db.transaction(async (tx) => {
      await importBulletin(tx, bulletin, hand);
      await publishBulletin(tx, bulletin.id, hand);
    });
  }
  for (const page of readPages(files, site)) {
    if (await isShown(db, site.id, page.id, hand.at)) continue;
    await db.transaction((tx) => importPage(tx, page, hand));
  }
}

async function isShown(db: Db, siteId: string, pageId: string, at: Date): Promise<boolean> {
  try {
    await readPage(db, { siteId, locale: fallbackLocale, at }, pageId);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'PageMissing') return false;
    throw error;
  }
}
