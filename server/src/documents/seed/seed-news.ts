import { fallbackLocale } from '@pointgate/contract/locales.ts';
import {
  importBulletin,
  importPage,
  publishBulletin,
  readPage,
} from '../../catalogue/bulletins/bulletins.ts';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { SiteOfShop } from '../shop-documents.ts';

/** Idempotent: news is updated, and an existing page gets no second version. */
export async function seedNews(db: Db, site: SiteOfShop, at: Date): Promise<void> {
  const hand = { by: 'seed', at };
  for (const { value: bulletin } of site.news) {
    await db.transaction(async (tx) => {
      await importBulletin(tx, bulletin, hand);
      await publishBulletin(tx, bulletin.id, hand);
    });
  }
  for (const { value: page } of site.pages) {
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
