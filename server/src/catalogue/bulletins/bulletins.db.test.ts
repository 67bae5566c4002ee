import { bulletinDetail, bulletinList, bulletinTop } from '@pointgate/contract/bulletins.ts';
import { addressOf, type ReplyOf } from '@pointgate/contract/endpoint.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bulletinOf, givenBulletin } from '../../../test/news.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import {
  BulletinImport,
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

describe('the list of news', () => {
  test('[S7.26] has the tabs all, activity and strategy, newest first', async () => {
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

  test('is empty where there is no news', async () => {
    expect((await list()).data).toEqual({ bulletins: [], nextAfter: null });
  });

  test.each([
    ['no tab', { after: null, limit: 5 }],
    ['a tab we do not know', { ...everything, tab: 'events' }],
    ['no page', { ...everything, limit: 0 }],
    ['a page too large', { ...everything, limit: 51 }],
    ['half a place', { ...everything, after: { bulletinId: 'a1' } }],
    ['a place at no time', { ...everything, after: { bulletinId: 'a1', publishedAt: 'now' } }],
    ['a site of the own choice', { ...everything, siteId: 'other' }],
  ])('[S7.26] is not told to a malformed question: %s', async (_what, body) => {
    expect(await list(body)).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  });

  test('takes any place that can be written, the first year and the last', async () => {
    await givenBulletin(shop.db);
    for (const publishedAt of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z']) {
      const after = { publishedAt, bulletinId: 'x' };
      expect(await list({ ...everything, after })).toMatchObject({ isSuccess: true });
    }
  });

  test('[S7.26] is not told to another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await list(everything, headers)).toMatchObject({ code: 'ForeignOrigin' });
  });
});

describe('leafing through the news', () => {
  /** All pages, with something happening before each further one. */
  async function leaf(limit: number, between: () => Promise<void> = async () => {}) {
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
  // Two share each moment; then the name decides.
  const all = ['n9', 'n10', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'n1'];

  test('shows each once, also of those that came at one moment', async () => {
    await givenTen();
    expect((await leaf(3)).map((page) => page.length)).toEqual([3, 3, 3, 1]);
    expect((await leaf(3)).flat()).toEqual(all);
    expect(await leaf(10)).toEqual([all]);
    expect((await leaf(1)).flat()).toEqual(all);
  });

  test('shows none twice and misses none while others are published and pinned', async () => {
    await givenTen();
    let count = 0;
    const seen = await leaf(2, async () => {
      count += 1;
      // At the front, where it shifts all others, and of a day that was read already.
      await givenBulletin(shop.db, { id: `fresh${count}`, publishFrom: null });
      await givenBulletin(shop.db, { id: `z${count}`, publishFrom: moment(5) });
      await givenBulletin(shop.db, { id: 'n1', publishFrom: moment(1), pinPosition: count });
    });
    expect(count).toBe(4);
    expect(seen.flat()).toEqual(all);
  });

  test('goes on behind a bulletin that is withdrawn meanwhile', async () => {
    await givenTen();
    const seen = await leaf(2, async () => {
      await shop.db.transaction((tx) => withdrawBulletin(tx, 'n10', hand));
    });
    expect(seen.flat()).toEqual(all);
  });

  test('a bulletin that players have seen keeps its place; one they have not can be moved', async () => {
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

describe('one announcement', () => {
  test('[S7.27] is told with its text', async () => {
    await givenBulletin(shop.db);
    expect(await detail('tidefall')).toMatchObject({
      httpStatus: 200,
      data: { bulletinId: 'tidefall', title: 'Tidefall', body: '<p>All week long.</p>' },
    });
  });

  test('is in the language of the player, whole, or whole in the fallback', async () => {
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

  test('[S7.27] is missing alike when unknown, a draft, planned, over, withdrawn or of another site', async () => {
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

  test('can be on several sites, and leaves the one it is taken from', async () => {
    await givenBulletin(shop.db, { sites: ['solmere', 'other'] });
    expect(await detail('tidefall')).toMatchObject({ isSuccess: true });
    expect(await detail('tidefall', {}, other)).toMatchObject({ isSuccess: true });
    await givenBulletin(shop.db, { sites: ['other'] });
    expect(await detail('tidefall')).toMatchObject(missing);
    expect(await detail('tidefall', {}, other)).toMatchObject({ isSuccess: true });
  });

  test.each(['UPPER', '..%2fx', 'a%20b', "'", '%00', 'a'.repeat(65)])(
    '[S7.27] is not looked for by what is no id: %s',
    async (id) => {
      const reply = await send(shop, `/api/bulletin/detail/${id}`);
      expect(reply).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
    },
  );

  test('[S7.27] is not told with a body that says more, nor to another site', async () => {
    const path = addressOf(bulletinDetail, { id: 'tidefall' });
    const reply = await send(shop, path, { body: { siteId: 'other' } });
    expect(reply).toMatchObject({ httpStatus: 400 });
    const foreign = await detail('tidefall', { 'sec-fetch-site': 'cross-site' });
    expect(foreign).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
  });

  test('is cleaned on the way in, and on the way out once more', async () => {
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
    // As if somebody had written into the table.
    await shop.db.transaction(async (tx) => {
      await publishBulletin(tx, 'tidefall', hand);
      await tx.run(sql`
        update bulletins set texts = jsonb_set(texts, '{en-US,body}', to_jsonb(${body}::text))`);
    });
    expect((await detail('tidefall')).data).toMatchObject({ body: '<p>text</p>' });
  });
});

describe('the schedule', () => {
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

  test('shows from its first moment on, and no more at its last', async () => {
    await givenBulletin(shop.db, { publishFrom: from, publishUntil: until, pinPosition: 1 });
    expect(await shownAt('2026-10-31T23:59:59.999Z')).toEqual([0, 0, 0]);
    expect(await shownAt(from)).toEqual([1, 1, 1]);
    expect(await shownAt('2026-11-01T23:59:59.999Z')).toEqual([1, 1, 1]);
    expect(await shownAt(until)).toEqual([0, 0, 0]);
  });

  test('does not show a draft, and shows what was withdrawn when it is published again', async () => {
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

  test('that ends before it begins is refused, by us and by the table', async () => {
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

test('[S7.28] hot news is what is pinned, in the order it is pinned', async () => {
  await givenBulletin(shop.db, { id: 'second', pinPosition: 2 });
  await givenBulletin(shop.db, { id: 'plain' });
  await givenBulletin(shop.db, { id: 'first', pinPosition: 1 });
  await givenBulletin(shop.db, { id: 'elsewhere', pinPosition: 1, sites: ['other'] });
  const top = async () => idsOfTop(await send(shop, bulletinTop.path, { method: 'GET' }));
  expect(await top()).toEqual(['first', 'second']);
  await givenBulletin(shop.db, { id: 'first', pinPosition: null });
  expect(await top()).toEqual(['second']);
});

test('[S7.28] hot news is that of the host name, whatever else the question says, and only read', async () => {
  await givenBulletin(shop.db, { id: 'here', pinPosition: 1 });
  await givenBulletin(shop.db, { id: 'there', pinPosition: 1, sites: ['other'] });
  const asked = `${bulletinTop.path}?siteId=other&tab=%00`;
  expect(idsOfTop(await send(shop, asked, { method: 'GET' }))).toEqual(['here']);
  expect(idsOfTop(await send(other, asked, { method: 'GET' }))).toEqual(['there']);
  expect(await send(shop, bulletinTop.path)).toMatchObject({ httpStatus: 404, code: 'NotFound' });
});

const idsOfTop = (reply: { data: unknown }) =>
  z.parse(bulletinTop.reply, reply.data).bulletins.map(({ bulletinId }) => bulletinId);

test('what an operator writes is refused where it is not usable, field by field', () => {
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

test('a bulletin for a site that is none is not written', async () => {
  const bulletin = BulletinImport.parse(bulletinOf({ sites: ['solmere', 'nowhere'] }));
  const done = await shop.db.transaction((tx) => importBulletin(tx, bulletin, hand));
  expect(done).toBe('unknown_site');
  expect((await list()).data).toMatchObject({ bulletins: [] });
});
