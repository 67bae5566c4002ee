import { BulletinImport, PageImport } from '@pointgate/contract/documents/news.ts';
import {
  importBulletin,
  importPage,
  publishBulletin,
} from '../src/catalogue/bulletins/bulletins.ts';
import type { Db } from '../src/platform/db.ts';
import { sql } from '../src/platform/db.ts';

const hand = (at: Date) => ({ by: 'test', at });

/** A bulletin as operators write it, with changes. */
export function bulletinOf(changes: object = {}) {
  return {
    id: 'tidefall',
    sites: ['solmere'],
    category: 'activity',
    art: 'hero-wide',
    publishFrom: '2026-11-01T00:00:00Z',
    texts: {
      'en-US': { title: 'Tidefall', summary: 'The tide is back.', body: '<p>All week long.</p>' },
      'de-DE': { title: 'Flutfest', summary: 'Die Flut ist zurück.', body: '<p>Die Woche.</p>' },
    },
    ...changes,
  };
}

/** A published bulletin, whose display may begin later. */
export async function givenBulletin(
  db: Db,
  changes: object = {},
  at: Date = new Date(),
): Promise<void> {
  const bulletin = BulletinImport.parse(bulletinOf(changes));
  await db.transaction(async (tx) => {
    if ((await importBulletin(tx, bulletin, hand(at))) === 'unknown_site')
      throw new Error('the site was not found');
    await publishBulletin(tx, bulletin.id, hand(at));
  });
}

export function pageOf(changes: object = {}) {
  return {
    id: 'about-us',
    sites: ['solmere'],
    texts: {
      'en-US': { title: 'About us', body: '<p>We make Solmere.</p>' },
      'de-DE': { title: 'Über uns', body: '<p>Wir machen Solmere.</p>' },
    },
    ...changes,
  };
}

export async function givenPage(db: Db, changes: object = {}, at: Date = new Date()) {
  const page = PageImport.parse(pageOf(changes));
  return await db.transaction((tx) => importPage(tx, page, hand(at)));
}

/** News on the first site. */
export async function givenNews({ db }: { db: Db }): Promise<void> {
  await givenBulletin(db, { pinPosition: 1 });
  await givenPage(db);
  await givenSupport(db, 'https://crm.example/ask?queue=web');
}

export async function givenSupport(db: Db, crmUrl: string | null): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`update sites set crm_url = ${crmUrl} where id = 'solmere'`),
  );
}
