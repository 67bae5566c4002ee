import { fallbackLocale } from '@pointgate/contract/locales.ts';
import {
  BulletinImport,
  importBulletin,
  importPage,
  PageImport,
  publishBulletin,
  readPage,
} from '../catalogue/bulletins/bulletins.ts';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { newsOf, pagesOf } from './site-news.ts';

/** Idempotent: news is updated, and an existing page gets no second version. */
export async function seedNews(db: Db, siteId: string, at: Date): Promise<void> {
  const hand = { by: 'seed', at };
  for (const news of newsOf(siteId, at)) {
    const bulletin = BulletinImport.parse(news);
    await db.transaction(async (tx) => {
      await importBulletin(tx, bulletin, hand);
      await publishBulletin(tx, bulletin.id, hand);
    });
  }
  for (const text of pagesOf(siteId)) {
    const page = PageImport.parse(text);
    if (await isShown(db, siteId, page.id, at)) continue;
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
