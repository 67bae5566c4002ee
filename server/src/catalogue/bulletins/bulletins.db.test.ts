import { bulletinDetail, bulletinList, bulletinTop } from '@pointgate/contract/bulletins.ts';
import { BulletinImport } from '@pointgate/contract/documents/news.ts';
import { addressOf, type ReplyOf } from '@pointgate/contract/endpoint.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bulletinOf, givenBulletin } from '../../../test/news.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import {
  importBulletin,
  listBulletins,
  pinnedBulletins,
  publishBulletin,
  readBulletin,
  withdrawBulletin,
} from './bulletins.ts';

let shop: TestShop;
let other: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
  other = await givenOtherSite(shop, { portalUrl: 'https://other.example' });
});
afterAll(() => shop.closeAll());
beforeEach(async () => {
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`delete from bulletin_sites`);
    await tx.run(sql`delete from bulletins`);
  });
});

const everything = { tab: 'all', after: null, limit: 50 } as const;
const list = (body: object = everything, headers: Record<string, string> = {}) =>
  send(shop, bulletinList.path, { body, headers });
const detail = (id: string, headers: Record<string, string> = {}, at: TestShop = shop) =>
  send(at, addressOf(bulletinDetail, { id }), { headers });
const idsOf = (reply: { data: unknown }) =>
  z.parse(bulletinList.reply, reply.data).bulletins.map(({ bulletinId }) => bulletinId);
const missing = { httpStatus: 200, isSuccess: false, code: 'BulletinMissing', data: null };
const hand = { by: 'ines', at: new Date('2026-11-10T00:00:00Z') };
const reader = (at: string) => ({ siteId: 'solmere', locale: 'en-US', at: new Date(at) }) as const;

describe('the news list', () => {
  test('[S7.26] the news list has the tabs all, activity and strategy, each with the newest bulletin first', async () => {
    await givenBulletin(shop.db, { id: 'a1', publishFrom: '2026-11-01T00:00:00Z' });
    await givenBulletin(shop.db, {
      id: 's1',
      category: 'strategy',
      publishFrom: '2026-11-03T00:00:00Z',
    });
    await givenBulletin(shop.db, { id: 'a2', publishFrom: '2026-11-02T00:00:00Z', pinPosition: 7 });
    const reply = await list();
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
    expect(idsOf(reply)).toEqual(['s1', 'a2', 'a1']);
    expect(idsOf(await list({ ...everything, tab: 'activity' }))).toEqual(['a2', 'a1']);
    expect(idsOf(await list({ ...everything, tab: 'strategy' }))).toEqual(['s1']);
    expect(z.parse(bulletinList.reply, reply.data).bulletins[1]).toEqual({
      bulletinId: 'a2',
      category: 'activity',
      title: 'Tidefall',
      summary: 'The tide is back.',
      locale: 'en-US',
      art: 'hero-wide',
      isPinned: true,
      publishedAt: '2026-11-02T00:00:00.000Z',
    });
  });

  test('the news list is empty on a site without news', async () => {
    expect((await list()).data).toEqual({ bulletins: [], nextAfter: null });
  });

  test.each([
    ['no tab', { after: null, limit: 5 }],
    ['an unknown tab', { ...everything, tab: 'events' }],
    ['a page size of zero', { ...everything, limit: 0 }],
    ['a page size above 50', { ...everything, limit: 51 }],
    ['an incomplete cursor', { ...everything, after: { bulletinId: 'a1' } }],
    [
      'a cursor without a valid time',
      { ...everything, after: { bulletinId: 'a1', publishedAt: 'now' } },
    ],
    ['a site id', { ...everything, siteId: 'other' }],
  ])('[S7.26] a news list request with %s is rejected as malformed', async (_what, body) => {
    expect(await list(body)).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  });

  test('the news list accepts page cursors with times from year 0000 to year 9999', async () => {
    await givenBulletin(shop.db);
    for (const publishedAt of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z']) {
      const after = { publishedAt, bulletinId: 'x' };
      expect(await list({ ...everything, after })).toMatchObject({ isSuccess: true });
    }
  });

  test('[S7.26] the news list is refused for requests from another origin', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await list(everything, headers)).toMatchObject({ code: 'ForeignOrigin' });
  });
});

describe('news list pages', () => {
  /** Reads all pages, running `between` before each further page. */
  async function readPages(limit: number, between: () => Promise<void> = async () => {}) {
    const pages: string[][] = [];
    let after: ReplyOf<typeof bulletinList>['nextAfter'] = null;
    do {
      const reply = await list({ tab: 'all', after, limit });
      const page: ReplyOf<typeof bulletinList> = z.parse(bulletinList.reply, reply.data);
      pages.push(page.bulletins.map(({ bulletinId }) => bulletinId));
      after = page.nextAfter;
      if (after !== null) await between();
    } while (after !== null);
    return pages;
  }

  const moment = (day: number) => `2026-10-${String(day).padStart(2, '0')}T00:00:00Z`;
  const givenTen = async () => {
    for (let day = 1; day <= 10; day += 1) {
      await givenBulletin(shop.db, { id: `n${day}`, publishFrom: moment(Math.ceil(day / 2)) });
    }
  };
  // Two bulletins share each publication time; then the id decides.
  const all = ['n9', 'n10', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'n1'];

  test('each news bulletin is on exactly one page of the news list, also with equal publication times', async () => {
    await givenTen();
    expect((await readPages(3)).map((page) => page.length)).toEqual([3, 3, 3, 1]);
    expect((await readPages(3)).flat()).toEqual(all);
    expect(await readPages(10)).toEqual([all]);
    expect((await readPages(1)).flat()).toEqual(all);
  });

  test('the paged news list repeats and misses no bulletin while others are published and pinned', async () => {
    await givenTen();
    let count = 0;
    const seen = await readPages(2, async () => {
      count += 1;
      // One at the front, which shifts all others, and one within the pages read so far.
      await givenBulletin(shop.db, { id: `fresh${count}`, publishFrom: null });
      await givenBulletin(shop.db, { id: `z${count}`, publishFrom: moment(5) });
      await givenBulletin(shop.db, { id: 'n1', publishFrom: moment(1), pinPosition: count });
    });
    expect(count).toBe(4);
    expect(seen.flat()).toEqual(all);
  });

  test('a news list cursor stays valid when a listed bulletin is withdrawn', async () => {
    await givenTen();
    const seen = await readPages(2, async () => {
      await shop.db.transaction((tx) => withdrawBulletin(tx, 'n10', hand));
    });
    expect(seen.flat()).toEqual(all);
  });

  test('a published news bulletin keeps its publication time when imported again, and a planned one can be rescheduled', async () => {
    const moved = { id: 'moved', publishFrom: '2026-11-05T00:00:00Z' };
    await givenBulletin(shop.db, moved, hand.at);
    await givenBulletin(shop.db, { ...moved, publishFrom: '2026-11-09T00:00:00Z' }, hand.at);
    expect((await list()).data).toMatchObject({
      bulletins: [{ publishedAt: '2026-11-05T00:00:00.000Z' }],
    });
    const planned = { id: 'planned', publishFrom: '2026-11-12T00:00:00Z' };
    await givenBulletin(shop.db, planned, hand.at);
    await givenBulletin(shop.db, { ...planned, publishFrom: '2026-11-08T00:00:00Z' }, hand.at);
    const { bulletins } = await listBulletins(shop.db, reader('2026-11-09T00:00:00Z'), everything);
    expect(bulletins.map(({ bulletinId }) => bulletinId)).toEqual(['planned', 'moved']);
  });
});

describe('single bulletins', () => {
  test('[S7.27] a news bulletin is returned with its title and its HTML body', async () => {
    await givenBulletin(shop.db);
    expect(await detail('tidefall')).toMatchObject({
      httpStatus: 200,
      data: { bulletinId: 'tidefall', title: 'Tidefall', body: '<p>All week long.</p>' },
    });
  });

  test('a news bulletin is returned entirely in the language of the player or entirely in English', async () => {
    await givenBulletin(shop.db);
    expect((await detail('tidefall', { 'accept-language': 'de-AT' })).data).toMatchObject({
      locale: 'de-DE',
      title: 'Flutfest',
      summary: 'Die Flut ist zurück.',
      body: '<p>Die Woche.</p>',
    });
    expect((await detail('tidefall', { 'accept-language': 'th' })).data).toMatchObject({
      locale: 'en-US',
      title: 'Tidefall',
      summary: 'The tide is back.',
      body: '<p>All week long.</p>',
    });
    const { data } = await list(everything, { 'accept-language': 'de' });
    expect(data).toMatchObject({ bulletins: [{ locale: 'de-DE', title: 'Flutfest' }] });
  });

  test("[S7.27] an unknown, draft, planned, ended, withdrawn or other site's news bulletin is answered with BulletinMissing", async () => {
    await givenBulletin(shop.db, { id: 'planned', publishFrom: '2999-01-01T00:00:00Z' });
    await givenBulletin(shop.db, { id: 'withdrawn' });
    await givenBulletin(shop.db, { id: 'elsewhere', sites: ['other'] });
    const draft = BulletinImport.parse(bulletinOf({ id: 'draft' }));
    const over = BulletinImport.parse(
      bulletinOf({ id: 'over', publishUntil: '2026-11-02T00:00:00Z' }),
    );
    await shop.db.transaction(async (tx) => {
      await withdrawBulletin(tx, 'withdrawn', hand);
      await importBulletin(tx, draft, hand);
      await importBulletin(tx, over, hand);
      await publishBulletin(tx, 'over', hand);
    });
    const { requestId: _unknown, ...unknown } = await detail('nothing');
    expect(unknown).toMatchObject(missing);
    for (const id of ['planned', 'withdrawn', 'elsewhere', 'draft', 'over']) {
      const { requestId: _id, ...answer } = await detail(id);
      expect([id, answer]).toEqual([id, unknown]);
    }
    expect((await list()).data).toEqual({ bulletins: [], nextAfter: null });
    expect(await detail('elsewhere', {}, other)).toMatchObject({ isSuccess: true });
  });

  test('a news bulletin can be on several sites and disappears from a site it is removed from', async () => {
    await givenBulletin(shop.db, { sites: ['solmere', 'other'] });
    expect(await detail('tidefall')).toMatchObject({ isSuccess: true });
    expect(await detail('tidefall', {}, other)).toMatchObject({ isSuccess: true });
    await givenBulletin(shop.db, { sites: ['other'] });
    expect(await detail('tidefall')).toMatchObject(missing);
    expect(await detail('tidefall', {}, other)).toMatchObject({ isSuccess: true });
  });

  test.each(['UPPER', '..%2fx', 'a%20b', "'", '%00', 'a'.repeat(65)])(
    '[S7.27] a request for a news bulletin with the malformed id %s is rejected',
    async (id) => {
      const reply = await send(shop, `/api/bulletin/detail/${id}`);
      expect(reply).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
    },
  );

  test('[S7.27] a news bulletin request with a request body or from another origin is refused', async () => {
    const path = addressOf(bulletinDetail, { id: 'tidefall' });
    const reply = await send(shop, path, { body: { siteId: 'other' } });
    expect(reply).toMatchObject({ httpStatus: 400 });
    const foreign = await detail('tidefall', { 'sec-fetch-site': 'cross-site' });
    expect(foreign).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
  });

  test('the HTML of a news bulletin is sanitized when it is imported and again when it is read', async () => {
    const body = '<p onclick="x()">text</p><script>x()</script>';
    const texts = { 'en-US': { title: 'T', summary: 'S', body } };
    const bulletin = BulletinImport.parse(bulletinOf({ texts }));
    const done = await shop.db.transaction((tx) => importBulletin(tx, bulletin, hand));
    expect(done).toEqual({
      state: 'draft',
      removed: { 'en-US': ['<p onclick>', '<script>'] },
    });
    const stored = await shop.db.one(
      z.object({ body: z.string() }),
      sql`select texts -> 'en-US' ->> 'body' as body from bulletins`,
    );
    expect(stored).toEqual({ body: '<p>text</p>' });
    // Simulates HTML that was written into the table directly.
    await shop.db.transaction(async (tx) => {
      await publishBulletin(tx, 'tidefall', hand);
      await tx.run(sql`
        update bulletins set texts = jsonb_set(texts, '{en-US,body}', to_jsonb(${body}::text))`);
    });
    expect((await detail('tidefall')).data).toMatchObject({ body: '<p>text</p>' });
  });
});

describe('bulletin schedules', () => {
  const [from, until] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
  const shownAt = async (at: string) => {
    const { bulletins } = await listBulletins(shop.db, reader(at), everything);
    const pinned = await pinnedBulletins(shop.db, reader(at));
    const single = await readBulletin(shop.db, reader(at), 'tidefall').then(
      () => 1,
      () => 0,
    );
    return [bulletins.length, pinned.length, single];
  };

  test('a news bulletin is shown from its start time inclusive to its end time exclusive', async () => {
    await givenBulletin(shop.db, { publishFrom: from, publishUntil: until, pinPosition: 1 });
    expect(await shownAt('2026-10-31T23:59:59.999Z')).toEqual([0, 0, 0]);
    expect(await shownAt(from)).toEqual([1, 1, 1]);
    expect(await shownAt('2026-11-01T23:59:59.999Z')).toEqual([1, 1, 1]);
    expect(await shownAt(until)).toEqual([0, 0, 0]);
  });

  test('a draft or withdrawn news bulletin is not shown until an operator publishes it', async () => {
    const bulletin = BulletinImport.parse(bulletinOf({ publishFrom: from, pinPosition: 1 }));
    await shop.db.transaction((tx) => importBulletin(tx, bulletin, hand));
    expect(await shownAt(until)).toEqual([0, 0, 0]);
    const steps = [publishBulletin, withdrawBulletin, publishBulletin];
    for (const [index, step] of steps.entries()) {
      expect(await shop.db.transaction((tx) => step(tx, 'tidefall', hand))).toBe(true);
      expect(await shownAt(until)).toEqual(index === 1 ? [0, 0, 0] : [1, 1, 1]);
    }
    expect(await shop.db.transaction((tx) => publishBulletin(tx, 'nothing', hand))).toBe(false);
    expect(await shop.db.transaction((tx) => withdrawBulletin(tx, 'nothing', hand))).toBe(false);
  });

  test('a news bulletin whose end time is before its start is refused by the import and by the database', async () => {
    const reversed = bulletinOf({ publishFrom: until, publishUntil: from });
    expect(BulletinImport.safeParse(reversed).error?.issues).toMatchObject([
      { path: ['publishUntil'] },
    ]);
    await givenBulletin(shop.db);
    const change = shop.db.transaction((tx) =>
      tx.run(sql`update bulletins set publish_until = publish_from`),
    );
    await expect(change).rejects.toThrow('bulletin_begins_before_it_ends');
  });
});

test('[S7.28] the hot news list has the pinned bulletins of the site, sorted by pin position', async () => {
  await givenBulletin(shop.db, { id: 'second', pinPosition: 2 });
  await givenBulletin(shop.db, { id: 'plain' });
  await givenBulletin(shop.db, { id: 'first', pinPosition: 1 });
  await givenBulletin(shop.db, { id: 'elsewhere', pinPosition: 1, sites: ['other'] });
  const top = async () => idsOfTop(await send(shop, bulletinTop.path, { method: 'GET' }));
  expect(await top()).toEqual(['first', 'second']);
  await givenBulletin(shop.db, { id: 'first', pinPosition: null });
  expect(await top()).toEqual(['second']);
});

test('[S7.28] the hot news list takes its site from the host name, not from the query, and answers only GET requests', async () => {
  await givenBulletin(shop.db, { id: 'here', pinPosition: 1 });
  await givenBulletin(shop.db, { id: 'there', pinPosition: 1, sites: ['other'] });
  const asked = `${bulletinTop.path}?siteId=other&tab=%00`;
  expect(idsOfTop(await send(shop, asked, { method: 'GET' }))).toEqual(['here']);
  expect(idsOfTop(await send(other, asked, { method: 'GET' }))).toEqual(['there']);
  expect(await send(shop, bulletinTop.path)).toMatchObject({ httpStatus: 404, code: 'NotFound' });
});

const idsOfTop = (reply: { data: unknown }) =>
  z.parse(bulletinTop.reply, reply.data).bulletins.map(({ bulletinId }) => bulletinId);

test("an operator's import of news bulletins reports each invalid field by its path", () => {
  const text = { title: 'T', summary: '', body: '' };
  const pathsOf = (changes: object) =>
    BulletinImport.safeParse(bulletinOf(changes)).error?.issues.map(({ path }) => path.join('.'));
  expect(pathsOf({})).toBeUndefined();
  expect(pathsOf({ id: '../x', sites: [], category: 'all', art: '/art/x.png' })).toEqual([
    'id',
    'sites',
    'category',
    'art',
  ]);
  expect(pathsOf({ texts: { 'de-DE': text } })).toEqual(['texts']);
  expect(pathsOf({ texts: { 'en-US': text, 'fr-FR': text } })).toEqual(['texts']);
  expect(pathsOf({ texts: { 'en-US': { ...text, body: 'a\0b' } } })).toEqual(['texts']);
  expect(pathsOf({ texts: { 'en-US': { ...text, title: ' ' } } })).toEqual(['texts.en-US.title']);
  expect(pathsOf({ pinPosition: 0 })).toEqual(['pinPosition']);
});

test("an operator's import refuses a news bulletin for an unknown site", async () => {
  const bulletin = BulletinImport.parse(bulletinOf({ sites: ['solmere', 'nowhere'] }));
  const done = await shop.db.transaction((tx) => importBulletin(tx, bulletin, hand));
  expect(done).toBe('unknown_site');
  expect((await list()).data).toMatchObject({ bulletins: [] });
});
