import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Locale } from './locales.ts';
import { Slug } from './names.ts';

export const BulletinCategory = z.enum(['activity', 'strategy']);
export type BulletinCategory = z.output<typeof BulletinCategory>;

/** News as a line of a list. */
export const BulletinSummary = z.strictObject({
  bulletinId: Slug,
  category: BulletinCategory,
  title: z.string(),
  summary: z.string(),
  /** The language of the texts: the fallback if there is no translation. */
  locale: Locale,
  /** The picture's name in the site's art folder. */
  art: Slug,
  isPinned: z.boolean(),
  publishedAt: z.iso.datetime(),
});
export type BulletinSummary = z.output<typeof BulletinSummary>;

/**
 * The last bulletin of a page. The next page begins after it, even if bulletins were added since.
 */
export const BulletinCursor = z.strictObject({ publishedAt: z.iso.datetime(), bulletinId: Slug });
export type BulletinCursor = z.output<typeof BulletinCursor>;

export const bulletinList = endpoint({
  method: 'POST',
  path: '/api/bulletin/list',
  summary: 'The news of this site, newest first; the tab `all` is no filter',
  access: 'public',
  body: z.strictObject({
    tab: z.enum(['all', 'activity', 'strategy']),
    /** `nextAfter` of the page before. */
    after: z.nullable(BulletinCursor),
    limit: z.int().check(z.gte(1), z.lte(50)),
  }),
  reply: z.strictObject({
    bulletins: z.array(BulletinSummary),
    nextAfter: z.nullable(BulletinCursor),
  }),
  refusals: ['ForeignOrigin'],
});

export const bulletinDetail = endpoint({
  method: 'POST',
  path: '/api/bulletin/detail/{id}',
  summary: 'One announcement; what is unknown, unpublished or of another site is missing alike',
  address: z.strictObject({ id: Slug }),
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({
    ...BulletinSummary.shape,
    /** Rich text, cleaned by the server; browsers clean it once more. */
    body: z.string(),
  }),
  refusals: ['BulletinMissing', 'ForeignOrigin'],
});

export const bulletinTop = endpoint({
  method: 'GET',
  path: '/api/bulletin/top',
  summary: 'The pinned news of this site, in the order they are pinned',
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({ bulletins: z.array(BulletinSummary) }),
  refusals: [],
});

export const pageContent = endpoint({
  method: 'POST',
  path: '/api/game/info/content/{id}',
  summary: 'A page of this site, such as `about-us` or `privacy-policy`, as it is shown now',
  address: z.strictObject({ id: Slug }),
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({
    pageId: Slug,
    /** The version of the page that was shown, to which a player can agree. */
    version: z.int(),
    shownFrom: z.iso.datetime(),
    title: z.string(),
    /** Rich text, as in an announcement. */
    body: z.string(),
    locale: Locale,
  }),
  refusals: ['PageMissing', 'ForeignOrigin'],
});
