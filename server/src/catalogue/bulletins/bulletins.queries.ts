import { BulletinCategory, type BulletinCursor } from '@pointgate/contract/bulletins.ts';
import { fallbackLocale, Locale } from '@pointgate/contract/locales.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { readRows } from '../../platform/readable-rows.ts';

const SummaryRow = z.object({
  id: z.string(),
  category: z.enum(BulletinCategory.def.entries),
  art: Slug,
  is_pinned: z.boolean(),
  publish_from: z.date(),
  locale: z.enum(Locale.def.entries),
  title: z.string(),
  summary: z.string(),
});
export type SummaryRow = z.output<typeof SummaryRow>;
const BulletinRow = SummaryRow.extend({ body: z.string() });
const PlaceRow = SummaryRow.pick({ id: true, publish_from: true });

const bulletinTable = { table: 'bulletins', key: ['id'] };

/** The site, time and language of a reader. */
export interface Reader {
  siteId: string;
  locale: Locale;
  at: Date;
}

const summaryOf = ({ locale }: Reader) => sql`
  bulletins.id, category, art, pin_position is not null as is_pinned, publish_from,
  ${localeOf(locale)} as locale,
  texts -> ${localeOf(locale)} ->> 'title' as title,
  texts -> ${localeOf(locale)} ->> 'summary' as summary`;

const localeOf = (locale: Locale) =>
  sql`(case when texts ? ${locale}::text then ${locale}::text else ${fallbackLocale}::text end)`;

/** Shown from its start inclusive to its end exclusive. */
const isShown = ({ siteId, at }: Reader) => sql`
  site_id = ${siteId} and state = 'published'
  and publish_from <= ${at} and (publish_until is null or publish_until > ${at})`;

/**
 * The readable bulletins of a page and the cursor of the next one, which may point to an unreadable
 * row.
 */
export async function selectBulletins(
  db: Db,
  reader: Reader,
  filter: { category: BulletinCategory | null; after: BulletinCursor | null; limit: number },
): Promise<{ rows: SummaryRow[]; next: Pick<SummaryRow, 'id' | 'publish_from'> | null }> {
  const after = filter.after === null ? null : new Date(filter.after.publishedAt);
  const { rows, unusable } = await readRows(
    db,
    { ...bulletinTable, row: SummaryRow },
    sql`
      select ${summaryOf(reader)}
      from bulletins join bulletin_sites on bulletin_id = bulletins.id
      where ${isShown(reader)}
        and (${filter.category}::text is null or category = ${filter.category})
        and (${after}::timestamptz is null
             or (publish_from, bulletins.id) < (${after}, ${filter.after?.bulletinId ?? ''}))
      order by publish_from desc, bulletins.id desc limit ${filter.limit + 1}`,
  );
  const { limit } = filter;
  const setAside = unusable.filter(({ position }) => position < limit);
  const shown = rows.slice(0, limit - setAside.length);
  if (rows.length + unusable.length <= limit) return { rows: shown, next: null };
  const lastSetAside = setAside.find(({ position }) => position === limit - 1);
  return { rows: shown, next: PlaceRow.parse(lastSetAside?.raw ?? shown.at(-1)) };
}

export async function selectPinned(
  db: Db,
  reader: Reader,
  { limit }: { limit: number },
): Promise<SummaryRow[]> {
  const { rows } = await readRows(
    db,
    { ...bulletinTable, row: SummaryRow },
    sql`
      select ${summaryOf(reader)}
      from bulletins join bulletin_sites on bulletin_id = bulletins.id
      where ${isShown(reader)} and pin_position is not null
      order by pin_position, publish_from desc, bulletins.id desc limit ${limit}`,
  );
  return rows;
}

export async function selectBulletin(db: Db, reader: Reader, bulletinId: string) {
  const { rows } = await readRows(
    db,
    { ...bulletinTable, row: BulletinRow },
    sql`
      select ${summaryOf(reader)}, texts -> ${localeOf(reader.locale)} ->> 'body' as body
      from bulletins join bulletin_sites on bulletin_id = bulletins.id
      where ${isShown(reader)} and bulletins.id = ${bulletinId}`,
  );
  return rows[0];
}

const Text = z.object({ title: z.string(), summary: z.string(), body: z.string() });
const WholeRow = z.object({
  id: z.string(),
  category: SummaryRow.shape.category,
  publish_from: z.date(),
  art: Slug,
  texts: z.partialRecord(z.enum(Locale.def.entries), Text),
});

/** The published bulletins in all languages, and the rows that cannot be read. */
export function selectPublished(db: Db) {
  return readRows(
    db,
    { ...bulletinTable, row: WholeRow },
    sql`
      select id, category, art, publish_from, texts from bulletins
      where state = 'published' and (publish_until is null or publish_until > now())
      order by id limit 100000`,
  );
}

export interface NewBulletin {
  id: string;
  category: BulletinCategory;
  art: string;
  texts: object;
  pinPosition: number | null;
  publishFrom: Date | null;
  publishUntil: Date | null;
  by: string;
  at: Date;
}

const StateRow = z.object({ state: z.enum(['draft', 'published', 'withdrawn']) });

/**
 * A published bulletin keeps its publication time: moving it in the list would repeat or skip it
 * for readers between two pages.
 */
export function upsertBulletin(tx: Tx, bulletin: NewBulletin) {
  return tx.one(
    StateRow,
    sql`
      insert into bulletins (id, category, art, texts, pin_position, publish_from, publish_until,
                             changed_by, changed_at)
      values (${bulletin.id}, ${bulletin.category}, ${bulletin.art}, ${bulletin.texts},
              ${bulletin.pinPosition}, coalesce(${bulletin.publishFrom}, ${bulletin.at}::timestamptz),
              ${bulletin.publishUntil}, ${bulletin.by}, ${bulletin.at})
      on conflict (id) do update set
        category = excluded.category, art = excluded.art, texts = excluded.texts,
        pin_position = excluded.pin_position,
        publish_from = case
          when bulletins.state <> 'draft' and bulletins.publish_from <= excluded.changed_at
          then bulletins.publish_from else excluded.publish_from end,
        publish_until = excluded.publish_until,
        changed_by = excluded.changed_by, changed_at = excluded.changed_at
      returning state`,
  );
}

export async function replaceSites(
  tx: Tx,
  { bulletinId, siteIds }: { bulletinId: string; siteIds: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    delete from bulletin_sites
    where bulletin_id = ${bulletinId} and site_id <> all(${[...siteIds]}::text[])`);
  await tx.run(sql`
    insert into bulletin_sites (bulletin_id, site_id)
    select ${bulletinId}, unnest(${[...siteIds]}::text[]) on conflict do nothing`);
}

export async function updateState(
  tx: Tx,
  change: { bulletinId: string; state: 'published' | 'withdrawn'; by: string; at: Date },
): Promise<number> {
  return await tx.run(sql`
    update bulletins set state = ${change.state}, changed_by = ${change.by}, changed_at = ${change.at}
    where id = ${change.bulletinId}`);
}

/** Locks the sites until the transaction ends, to serialize new page versions. */
export async function lockSites(tx: Tx, siteIds: readonly string[]): Promise<string[]> {
  const found = await tx.many(
    z.object({ id: z.string() }),
    sql`
      select id from sites where id = any(${[...siteIds]}::text[])
      order by id for no key update`,
  );
  return found.map(({ id }) => id);
}

const PageRow = z.object({
  version: z.int(),
  shown_from: z.date(),
  locale: z.enum(Locale.def.entries),
  title: z.string(),
  body: z.string(),
});

/** The page version shown at that moment: the latest due one, unless it is a withdrawal. */
export async function selectPage(db: Db, { siteId, locale, at }: Reader, pageId: string) {
  const { rows } = await readRows(
    db,
    { table: 'page_versions', key: ['site_id', 'page_id', 'version'], row: PageRow },
    sql`
      select site_id, page_id, version, shown_from, ${localeOf(locale)} as locale,
             texts -> ${localeOf(locale)} ->> 'title' as title,
             texts -> ${localeOf(locale)} ->> 'body' as body
      from (
        select * from page_versions
        where site_id = ${siteId} and page_id = ${pageId} and shown_from <= ${at}
        order by shown_from desc, version desc limit 1
      ) as latest
      where texts is not null`,
  );
  return rows[0];
}

const WholePageRow = z.object({
  texts: z
    .partialRecord(z.enum(Locale.def.entries), z.object({ title: z.string(), body: z.string() }))
    .nullable(),
});

/** The current and the planned versions of each page, in all languages. */
export function selectPages(db: Db) {
  return readRows(
    db,
    { table: 'page_versions', key: ['site_id', 'page_id', 'version'], row: WholePageRow },
    sql`
      select site_id, page_id, version, texts from (
        select *, lead(shown_from) over (
          partition by site_id, page_id order by shown_from, version) as shown_until
        from page_versions
      ) as versions
      where shown_until is null or shown_until > now()
      order by site_id, page_id, version limit 10000`,
  );
}

export interface NewPage {
  siteId: string;
  pageId: string;
  texts: object | null;
  shownFrom: Date;
  by: string;
  at: Date;
}

export async function insertPage(tx: Tx, page: NewPage): Promise<number> {
  const { version } = await tx.one(
    z.object({ version: z.int() }),
    sql`
      insert into page_versions (site_id, page_id, version, texts, shown_from, created_by, created_at)
      select ${page.siteId}, ${page.pageId}, coalesce(max(version), 0) + 1, ${page.texts}::jsonb,
             ${page.shownFrom}::timestamptz, ${page.by}, ${page.at}::timestamptz
      from page_versions where site_id = ${page.siteId} and page_id = ${page.pageId}
      returning version`,
  );
  return version;
}
