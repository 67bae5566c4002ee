import { pageContent } from '@pointgate/contract/bulletins.ts';
import { PageImport } from '@pointgate/contract/documents/news.ts';
import { addressOf } from '@pointgate/contract/endpoint.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { givenPage, pageOf } from '../../../test/news.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import { importPage, readPage, withdrawPage } from './bulletins.ts';

let shop: TestShop;
let other: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
  other = await givenOtherSite(shop, { portalUrl: 'https://other.example' });
});
afterAll(() => shop.closeAll());

const read = (id: string, headers: Record<string, string> = {}, at: TestShop = shop) =>
  send(at, addressOf(pageContent, { id }), { headers });
const missing = { httpStatus: 200, isSuccess: false, code: 'PageMissing', data: null };
const day = (number: number) => new Date(Date.UTC(2026, 9, number));
const reader = (at: Date) => ({ siteId: 'solmere', locale: 'en-US', at }) as const;
const titled = (title: string, body = '<p>text</p>') => ({ 'en-US': { title, body } });

test('[S7.34] a text page (such as the terms) is returned with its text, version and language', async () => {
  await givenPage(shop.db, { id: 'about-us' }, day(1));
  expect(await read('about-us')).toMatchObject({
    httpStatus: 200,
    data: {
      pageId: 'about-us',
      version: 1,
      shownFrom: day(1).toISOString(),
      title: 'About us',
      body: '<p>We make Solmere.</p>',
      locale: 'en-US',
    },
  });
  const german = await read('about-us', { 'accept-language': 'de' });
  expect(german.data).toMatchObject({ title: 'Über uns', locale: 'de-DE' });
  const thai = await read('about-us', { 'accept-language': 'th' });
  expect(thai.data).toMatchObject({ title: 'About us', locale: 'en-US' });
});

test('[S7.34] an unknown text page and a text page of another site are answered with PageMissing', async () => {
  await givenPage(shop.db, { id: 'elsewhere', sites: ['other'] });
  const { requestId: _first, ...unknown } = await read('nothing');
  const { requestId: _second, ...elsewhere } = await read('elsewhere');
  expect(unknown).toMatchObject(missing);
  expect(elsewhere).toEqual(unknown);
  expect(await read('elsewhere', {}, other)).toMatchObject({ isSuccess: true });
});

test('[S7.34] a text page request with a malformed page id or from another origin is refused', async () => {
  for (const id of ['UPPER', 'a%20b', 'a%2fb']) {
    const reply = await send(shop, `/api/game/info/content/${id}`);
    expect([id, reply.httpStatus]).toEqual([id, 400]);
  }
  const reply = await read('about-us', { 'sec-fetch-site': 'cross-site' });
  expect(reply).toMatchObject({ code: 'ForeignOrigin' });
});

test('the version of a text page shown at any past moment can be looked up to the millisecond', async () => {
  const id = 'privacy-policy';
  await givenPage(shop.db, { id, texts: titled('First') }, day(1));
  // One version is planned for the tenth, and a version written later starts before it.
  await givenPage(
    shop.db,
    { id, texts: titled('Planned'), shownFrom: day(10).toISOString() },
    day(2),
  );
  await givenPage(shop.db, { id, texts: titled('Between') }, day(5));
  const shownAt = async (at: Date) => {
    const { version, title } = await readPage(shop.db, reader(at), id);
    return [version, title];
  };
  expect(await shownAt(day(1))).toEqual([1, 'First']);
  expect(await shownAt(new Date(day(5).getTime() - 1))).toEqual([1, 'First']);
  expect(await shownAt(day(5))).toEqual([3, 'Between']);
  expect(await shownAt(new Date(day(10).getTime() - 1))).toEqual([3, 'Between']);
  expect(await shownAt(day(10))).toEqual([2, 'Planned']);
  await expect(shownAt(new Date(day(1).getTime() - 1))).rejects.toMatchObject({
    code: 'PageMissing',
  });
});

test('a past version of a text page cannot be changed by an import or in the database table', async () => {
  await givenPage(shop.db, { id: 'terms' }, day(3));
  expect(await givenPage(shop.db, { id: 'terms', shownFrom: day(2).toISOString() }, day(3))).toBe(
    'in_the_past',
  );
  for (const change of [
    sql`update page_versions set texts = null`,
    sql`delete from page_versions`,
    sql`truncate page_versions`,
  ]) {
    await expect(shop.db.transaction((tx) => tx.run(change))).rejects.toThrow('append-only');
  }
  const backdated = shop.db.transaction((tx) =>
    tx.run(sql`
      insert into page_versions (site_id, page_id, version, texts, shown_from, created_by, created_at)
      select site_id, page_id, 9, texts, shown_from - interval '1 ms', created_by, created_at
      from page_versions where page_id = 'terms'`),
  );
  await expect(backdated).rejects.toThrow('the_past_stays_as_it_was');
});

test('a withdrawn text page is missing from its withdrawal on and readable for earlier moments', async () => {
  const hand = (at: Date) => ({ by: 'ines', at });
  const page = { siteId: 'solmere', pageId: 'old-rules' };
  await givenPage(shop.db, { id: 'old-rules' }, day(1));
  const version = await shop.db.transaction((tx) => withdrawPage(tx, page, hand(day(4))));
  expect(version).toBe(2);
  await expect(readPage(shop.db, reader(day(4)), 'old-rules')).rejects.toMatchObject({
    code: 'PageMissing',
  });
  expect(await readPage(shop.db, reader(day(3)), 'old-rules')).toMatchObject({ version: 1 });
  for (const never of [
    { ...page, pageId: 'never' },
    { ...page, siteId: 'nowhere' },
  ]) {
    const withdrawn = shop.db.transaction((tx) => withdrawPage(tx, never, hand(day(4))));
    await expect(withdrawn).rejects.toMatchObject({ code: 'PageMissing' });
  }
  const rows = await shop.db.many(
    z.object({ version: z.int() }),
    sql`select version from page_versions where page_id = 'never'`,
  );
  expect(rows).toEqual([]);
});

test('concurrent imports of a text page get one version number each', async () => {
  const written = await Promise.all(
    Array.from({ length: 6 }, () =>
      givenPage(shop.db, { id: 'busy', sites: ['other', 'solmere'] }, day(6)),
    ),
  );
  const versions = written.map((done) => (typeof done === 'string' ? done : done.versions));
  expect(versions.map((of) => (typeof of === 'string' ? of : of.solmere)).toSorted()).toEqual([
    1, 2, 3, 4, 5, 6,
  ]);
});

test('unsafe HTML of a text page is removed on import and on read, and an import for an unknown site is refused', async () => {
  const hand = { by: 'ines', at: day(7) };
  const hostile = titled('Hostile', '<h2 id="x">T</h2><iframe src="/x"></iframe>');
  const page = PageImport.parse(pageOf({ id: 'hostile', texts: hostile }));
  expect(await shop.db.transaction((tx) => importPage(tx, page, hand))).toEqual({
    versions: { solmere: 1 },
    removed: { 'en-US': ['<h2 id>', '<iframe>'] },
  });
  expect((await read('hostile')).data).toMatchObject({ body: '<h2>T</h2>' });
  // HTML written into the table directly is sanitized on read.
  const raw = { 'en-US': { title: 'Raw', body: '<p style="x">a</p><script>b</script>' } };
  await shop.db.transaction((tx) =>
    tx.run(sql`
      insert into page_versions (site_id, page_id, version, texts, shown_from, created_by, created_at)
      values ('solmere', 'raw', 1, ${raw}, ${day(7)}, 'x', ${day(7)})`),
  );
  expect((await read('raw')).data).toMatchObject({ body: '<p>a</p>' });
  const nowhere = PageImport.parse(pageOf({ id: 'nowhere', sites: ['nowhere'] }));
  expect(await shop.db.transaction((tx) => importPage(tx, nowhere, hand))).toBe('unknown_site');
});
