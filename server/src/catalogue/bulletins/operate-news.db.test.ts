import { bulletinDetail, pageContent } from '@pointgate/contract/bulletins.ts';
import { addressOf } from '@pointgate/contract/endpoint.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulletinOf, pageOf } from '../../../test/news.ts';
import { operateForJson } from '../../../test/operate.ts';
import { operateByProgram } from '../../../test/processes.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

const bulletin = () => send(shop, addressOf(bulletinDetail, { id: 'tidefall' }));
const page = () => send(shop, addressOf(pageContent, { id: 'about-us' }));

test('operator commands import, publish and withdraw a news bulletin, and the import lists the unsafe HTML that it removed', async () => {
  const body = '<p onclick="x()">text</p><script>x()</script>';
  const texts = { 'en-US': { title: 'T', summary: 'S', body } };
  expect(
    await operateForJson(shop, ['import-bulletin'], bulletinOf({ texts }), operateByProgram),
  ).toEqual({
    status: 0,
    said: { state: 'draft', removed: { 'en-US': ['<p onclick>', '<script>'] } },
    complaint: '',
  });
  expect(await bulletin()).toMatchObject({ code: 'BulletinMissing' });
  expect(await operateForJson(shop, ['publish', 'tidefall'])).toMatchObject({
    said: { published: ['tidefall'] },
  });
  expect((await bulletin()).data).toMatchObject({ body: '<p>text</p>' });
  expect(await operateForJson(shop, ['withdraw', 'tidefall'])).toMatchObject({
    said: { withdrawn: ['tidefall'] },
  });
  expect(await bulletin()).toMatchObject({ code: 'BulletinMissing' });
});

test('an operator command that imports or publishes several news bulletins changes all of them or none', async () => {
  const listed = (...ids: string[]) => ids.map((id) => bulletinOf({ id }));
  const read = async (id: string) =>
    (await send(shop, addressOf(bulletinDetail, { id }))).code ?? 'shown';
  const nowhere = [...listed('one'), bulletinOf({ id: 'two', sites: ['nowhere'] })];
  expect(await operateForJson(shop, ['import-bulletins'], nowhere)).toMatchObject({
    status: 1,
    complaint: 'two: there is no such site\n',
  });
  expect(await operateForJson(shop, ['publish', 'one'])).toMatchObject({ status: 1 });
  expect(await operateForJson(shop, ['import-bulletins'], listed('one', 'two'))).toMatchObject({
    said: { imported: 2, removed: { one: {}, two: {} } },
  });
  expect(await operateForJson(shop, ['publish', 'one', 'nothing'])).toMatchObject({
    status: 1,
    complaint: 'there is no bulletin nothing\n',
  });
  expect(await read('one')).toBe('BulletinMissing');
  await operateForJson(shop, ['publish', 'one', 'two']);
  expect([await read('one'), await read('two')]).toEqual(['shown', 'shown']);
});

test('an operator imports and withdraws a text page (such as the terms) by command', async () => {
  expect(await operateForJson(shop, ['import-page'], pageOf())).toMatchObject({
    said: { versions: { solmere: 1 }, removed: {} },
  });
  expect(await page()).toMatchObject({ data: { title: 'About us' } });
  expect(await operateForJson(shop, ['withdraw-page', 'solmere', 'about-us'])).toMatchObject({
    said: { version: 2 },
  });
  expect(await page()).toMatchObject({ code: 'PageMissing' });
});

test("an operator's news command with unusable input fails with an explanation", async () => {
  const past = '2020-01-01T00:00:00Z';
  const refusals = await Promise.all([
    operateForJson(shop, ['import-bulletin'], bulletinOf({ category: 'all', art: '/x' })),
    operateForJson(shop, ['import-bulletin'], bulletinOf({ sites: ['nowhere'] })),
    operateForJson(shop, ['import-bulletin'], '{"id":'),
    operateForJson(shop, ['import-bulletins'], [bulletinOf(), bulletinOf({ category: 'all' })]),
    operateForJson(shop, ['import-bulletins'], []),
    operateForJson(shop, ['publish']),
    operateForJson(shop, ['publish', 'nothing']),
    operateForJson(shop, ['withdraw', 'nothing']),
    operateForJson(shop, ['import-page'], pageOf({ id: 'other', shownFrom: past })),
    operateForJson(shop, ['import-page'], pageOf({ id: 'other', sites: ['nowhere'] })),
    operateForJson(shop, ['withdraw-page', 'solmere', 'nothing']),
  ]);
  expect(refusals.map(({ status, said, complaint }) => [status, said, complaint.trim()])).toEqual(
    [
      expect.stringMatching(/not usable:\n {2}category: .*\n {2}art: /),
      'there is no such site',
      'standard input is not JSON',
      expect.stringMatching(/not usable:\n {2}1\.category: /),
      expect.stringMatching(/not usable:\n {2}all of it: /),
      '<bulletinId> is missing',
      'there is no bulletin nothing',
      'there is no bulletin nothing',
      'what was shown in the past stays as it was',
      'there is no such site',
      'This page does not exist',
    ].map((complaint) => [1, null, complaint]),
  );
});
