import type {
  BulletinCategory,
  BulletinCursor,
  BulletinSummary,
  bulletinDetail,
  pageContent,
} from '@pointgate/contract/bulletins.ts';
import type { BulletinImport, PageImport } from '@pointgate/contract/documents/news.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { type Locale, locales } from '@pointgate/contract/locales.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { UnusableRow } from '../../platform/readable-rows.ts';
import {
  insertPage,
  lockSites,
  type Reader,
  replaceSites,
  type SummaryRow,
  selectBulletin,
  selectBulletins,
  selectPage,
  selectPages,
  selectPinned,
  selectPublished,
  updateState,
  upsertBulletin,
} from './bulletins.queries.ts';
import { cleanForReaders, cleanRichText } from './rich-text.ts';

const pinnedMax = 20;

/** A page of the list, newest first. Publishing in between repeats no bulletin. */
export async function listBulletins(
  db: Db,
  reader: Reader,
  asked: { tab: 'all' | BulletinCategory; after: BulletinCursor | null; limit: number },
): Promise<{ bulletins: BulletinSummary[]; nextAfter: BulletinCursor | null }> {
  const { tab, after, limit } = asked;
  const category = tab === 'all' ? null : tab;
  const { rows, next } = await selectBulletins(db, reader, { category, after, limit });
  const bulletins = rows.map(toSummary);
  if (next === null) return { bulletins, nextAfter: null };
  const nextAfter = { publishedAt: next.publish_from.toISOString(), bulletinId: next.id };
  return { bulletins, nextAfter };
}

export async function pinnedBulletins(db: Db, reader: Reader): Promise<BulletinSummary[]> {
  return (await selectPinned(db, reader, { limit: pinnedMax })).map(toSummary);
}

export async function readBulletin(
  db: Db,
  reader: Reader,
  bulletinId: string,
): Promise<ReplyOf<typeof bulletinDetail>> {
  const found = await selectBulletin(db, reader, bulletinId);
  if (found === undefined) throw new AppError('BulletinMissing');
  return { ...toSummary(found), body: cleanForReaders(found.body) };
}

/** The page version shown at the reader's time, which may be in the past. */
export async function readPage(
  db: Db,
  reader: Reader,
  pageId: string,
): Promise<ReplyOf<typeof pageContent>> {
  const found = await selectPage(db, reader, pageId);
  if (found === undefined) throw new AppError('PageMissing');
  const { version, title, locale } = found;
  const body = cleanForReaders(found.body);
  return { pageId, version, shownFrom: found.shown_from.toISOString(), title, body, locale };
}

export async function unusableBulletins(db: Db): Promise<UnusableRow[]> {
  return [...(await selectPublished(db)).unusable, ...(await selectPages(db)).unusable];
}

/** By locale: the HTML that was removed, reported to the operator. */
type Removed = Record<string, string[]>;

/** The operator and the time of a change. */
interface Hand {
  by: string;
  at: Date;
}

/** Creates a draft or updates a bulletin, which keeps its state. */
export async function importBulletin(
  tx: Tx,
  bulletin: BulletinImport,
  hand: Hand,
): Promise<{ state: string; removed: Removed } | 'unknown_site'> {
  const { sites, ...rest } = bulletin;
  if (!(await areSites(tx, sites))) return 'unknown_site';
  const { texts, removed } = cleanTexts(bulletin.texts);
  const { state } = await upsertBulletin(tx, { ...rest, texts, ...hand });
  await replaceSites(tx, { bulletinId: bulletin.id, siteIds: sites });
  return { state, removed };
}

/** False if there is no such bulletin. A withdrawn bulletin can be published again. */
export async function publishBulletin(tx: Tx, bulletinId: string, hand: Hand): Promise<boolean> {
  return (await updateState(tx, { bulletinId, state: 'published', ...hand })) > 0;
}

export async function withdrawBulletin(tx: Tx, bulletinId: string, hand: Hand): Promise<boolean> {
  return (await updateState(tx, { bulletinId, state: 'withdrawn', ...hand })) > 0;
}

/** Adds a version to the page of each site and returns the version numbers. */
export async function importPage(
  tx: Tx,
  page: PageImport,
  hand: Hand,
): Promise<
  { versions: Record<string, number>; removed: Removed } | 'unknown_site' | 'in_the_past'
> {
  const shownFrom = page.shownFrom ?? hand.at;
  if (shownFrom < hand.at) return 'in_the_past';
  if (!(await areSites(tx, page.sites))) return 'unknown_site';
  const { texts, removed } = cleanTexts(page.texts);
  const versions: Record<string, number> = {};
  for (const siteId of new Set(page.sites)) {
    const version = { siteId, pageId: page.id, texts, shownFrom, ...hand };
    versions[siteId] = await insertPage(tx, version);
  }
  return { versions, removed };
}

/** Withdraws the page from now on; earlier versions stay readable for earlier times. */
export async function withdrawPage(
  tx: Tx,
  { siteId, pageId }: { siteId: string; pageId: string },
  hand: Hand,
): Promise<number> {
  if (!(await areSites(tx, [siteId]))) throw new AppError('PageMissing');
  const version = await insertPage(tx, {
    siteId,
    pageId,
    texts: null,
    shownFrom: hand.at,
    ...hand,
  });
  // Version 1 means that there was no page to withdraw; the error rolls it back.
  if (version === 1) throw new AppError('PageMissing');
  return version;
}

function toSummary(row: SummaryRow): BulletinSummary {
  const { id, publish_from, is_pinned, category, title, summary, locale, art } = row;
  return {
    bulletinId: id,
    category,
    title,
    summary,
    locale,
    art,
    isPinned: is_pinned,
    publishedAt: publish_from.toISOString(),
  };
}

async function areSites(tx: Tx, siteIds: readonly string[]): Promise<boolean> {
  return (await lockSites(tx, siteIds)).length === new Set(siteIds).size;
}

function cleanTexts<Text extends { body: string }>(
  texts: Partial<Record<Locale, Text>>,
): { texts: Record<string, Text>; removed: Removed } {
  const cleaned: Record<string, Text> = {};
  const removed: Removed = {};
  for (const locale of locales) {
    const text = texts[locale];
    if (text === undefined) continue;
    const { html, removed: lost } = cleanRichText(text.body);
    cleaned[locale] = { ...text, body: html };
    if (lost.length > 0) removed[locale] = lost;
  }
  return { texts: cleaned, removed };
}
