import { bulletinDetail, pageContent } from '@pointgate/contract/bulletins.ts';
import { addressOf } from '@pointgate/contract/endpoint.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulletinOf, pageOf } from '../../../test/news.ts';
import { operate as operateShop } from '../../../test/operate.ts';
import { operateByProgram } from '../../../test/processes.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

/** Runs an operator command and parses its output as JSON. */
async function operate(args: readonly string[], input: unknown = '', run = operateShop) {
  const { out, ...ended } = await run(shop, [...args, '--by', 'ines'], { input });
  return { ...ended, said: out === '' ? null : JSON.parse(out) };
}

const bulletin = () => send(shop, addressOf(bulletinDetail, { id: 'tidefall' }));
const page = () => send(shop, addressOf(pageContent, { id: 'about-us' }));

test('an operator imports, publishes and withdraws a news bulletin by command, which lists the removed HTML', async () => {
  const body = '<p onclick="x()">text</p><script>x()</script>';
  const texts = { 'en-US': { title: 'T', summary: 'S', body } };
  expect(await operate(['import-bulletin'], bulletinOf({ texts }), operateByProgram)).toEqual({
    status: 0,
    said: { state: 'draft', removed: { 'en-US': ['<p onclick>', '<script>'] } },
    complaint: '',
  });
  expect(await bulletin()).toMatchObject({ code: 'BulletinMissing' });
  expect(await operate(['publish', 'tidefall'])).toMatchObject({
    said: { published: ['tidefall'] },
  });
  expect((await bulletin()).data).toMatchObject({ body: '<p>text</p>' });
  expect(await operate(['withdraw', 'tidefall'])).toMatchObject({
    said: { withdrawn: ['tidefall'] },
  });
  expect(await bulletin()).toMatchObject({ code: 'BulletinMissing' });
});

test('an operator imports and publishes several news bulletins by one command, all or none', async () => {
  const listed = (...ids: string[]) => ids.map((id) => bulletinOf({ id }));
  const read = async (id: string) =>
    (await send(shop, addressOf(bulletinDetail, { id }))).code ?? 'shown';
  const nowhere = [...listed('one'), bulletinOf({ id: 'two', sites: ['nowhere'] })];
  expect(await operate(['import-bulletins'], nowhere)).toMatchObject({
    status: 1,
    complaint: 'two: there is no such site\n',
  });
  expect(await operate(['publish', 'one'])).toMatchObject({ status: 1 });
  expect(await operate(['import-bulletins'], listed('one', 'two'))).toMatchObject({
    said: { imported: 2, removed: { one: {}, two: {} } },
  });
  expect(await operate(['publish', 'one', 'nothing'])).toMatchObject({
    status: 1,
    complaint: 'there is no bulletin nothing\n',
  });
  expect(await read('one')).toBe('BulletinMissing');
  await operate(['publish', 'one', 'two']);
  expect([await read('one'), await read('two')]).toEqual(['shown', 'shown']);
});

test('an operator imports and withdraws a text page (such as the terms) by command', async () => {
  expect(await operate(['import-page'], pageOf())).toMatchObject({
    said: { versions: { solmere: 1 }, removed: {} },
  });
  expect(await page()).toMatchObject({ data: { title: 'About us' } });
  expect(await operate(['withdraw-page', 'solmere', 'about-us'])).toMatchObject({
    said: { version: 2 },
  });
  expect(await page()).toMatchObject({ code: 'PageMissing' });
});

test("an operator's news command with unusable input fails with an explanation", async () => {
  const past = '2020-01-01T00:00:00Z';
  const refusals = await Promise.all([
    operate(['import-bulletin'], bulletinOf({ category: 'all', art: '/x' })),
    operate(['import-bulletin'], bulletinOf({ sites: ['nowhere'] })),
    operate(['import-bulletin'], '{"id":'),
    operate(['import-bulletins'], [bulletinOf(), bulletinOf({ category: 'all' })]),
    operate(['import-bulletins'], []),
    operate(['publish']),
    operate(['publish', 'nothing']),
    operate(['withdraw', 'nothing']),
    operate(['import-page'], pageOf({ id: 'other', shownFrom: past })),
    operate(['import-page'], pageOf({ id: 'other', sites: ['nowhere'] })),
    operate(['withdraw-page', 'solmere', 'nothing']),
  ]);
  expect(refusals.map(({ status, said, complaint }) => [status, said, complaint.trim()])).toEqual(
    [
      expect.stringMatching(/not usable:\n {2}category: .*\n {2}art: /),
      'there is no such site',
      'standard input is not JSON',
      expect.stringMatching(/not usable:\n {2}1\.category: /),
      expect.stringMatching(/not usable:\n {2}all of it: /),
      'no bulletin is named',
      'there is no bulletin nothing',
      'there is no bulletin nothing',
      'what was shown in the past stays as it was',
      'there is no such site',
      'This page does not exist',
    ].map((complaint) => [1, null, complaint]),
  );
});
