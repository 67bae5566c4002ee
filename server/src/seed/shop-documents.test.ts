import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { demoFolder } from '../../test/demo.ts';
import { readCodes } from './seed-codes.ts';
import { readPlayers } from './seed-players.ts';
import { readGame, readPointPacks, readPriceRules, readShop, readSites } from './shop-documents.ts';
import { openShopFiles, type ShopFiles, WrongDocument } from './shop-files.ts';
import { readNews, readPages } from './site-texts.ts';

const now = new Date('2026-11-15T12:00:00Z');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pointgate-shop-'));
  cpSync(demoFolder, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Everything that a shop folder says, as the seed reads it. */
function readWhole(files: ShopFiles): void {
  for (const id of readShop(files).games) readGame(files, id);
  readPointPacks(files);
  readPriceRules(files);
  for (const site of readSites(files)) {
    readNews(files, site);
    readPages(files, site);
  }
  readPlayers(files);
  readCodes(files);
}

function complaint(): string {
  try {
    readWhole(openShopFiles(folder, now));
  } catch (error) {
    if (error instanceof WrongDocument) return error.message;
    throw error;
  }
  return '';
}

function change(path: string, from: string | RegExp, to: string): void {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(from, () => to);
  expect(changed).not.toBe(text);
  writeFileSync(file, changed);
}

test('the shop folder of the demo is read without an error', () => {
  expect(complaint()).toBe('');
});

const items = 'games/solmere/items.csv';
const bulletin = 'sites/solmere/news/tidefall-festival';

test.each<[path: string, from: string | RegExp, to: string, told: string]>([
  ['shop.json', '"solmere"', '"Sol mere"', 'shop.json games.0: '],
  ['shop.json', '"galewrack"', '"other"', 'games/galewrack: is not in shop.json'],
  ['games/solmere/game.json', '"subtitle"', '"title"', 'games/solmere/game.json subtitle: '],
  ['games/solmere/game.json', '"en-US": "Solmere"', '"de-DE": "S"', 'game.json name: has no en-US'],
  ['games/solmere/game.json', '}', ']', 'games/solmere/game.json: is not JSON'],
  ['games/solmere/servers.csv', 'open', 'shut', 'games/solmere/servers.csv line 2 status: '],
  [
    'games/solmere/servers.csv',
    'asia',
    'mars',
    'games/solmere/servers.csv region: mars has no name',
  ],
  [items, ',60,6,', ',sixty,6,', `${items} line 2 quantity: is no whole number`],
  [items, ',60,6,', ',60,', `${items} line 2: has 28 of 29 cells`],
  [items, '60 Lumen', '"60" Lumen', `${items}: is not CSV`],
  [items, '1 role week', '1 role year', `${items} line 8 limit.period: `],
  [items, '1 role week', 'weekly', `${items} line 8 limit`],
  [items, '+28d', 'soon', `${items} line 12 saleUntil: `],
  [items, 'id,', 'name,', `${items} line 2 id: `],
  ['games/solmere/prices.csv', '0.99', '0.999', 'prices.csv line 2 amount: is no amount in USD'],
  ['games/solmere/prices.csv', 'shards_60', 'shards_61', 'prices.csv id: there is no shards_61'],
  ['price-rules.json', '"160"', '"1.60"', 'price-rules.json 1.prices.0: is no amount in JPY'],
  ['sites/omni/site.json', '"brandId"', '"brand"', 'sites/omni/site.json brandId: '],
  ['sites/omni/site.json', '"ironvale"', '"iron"', 'sites/omni/site.json: there is no game iron'],
  ['sites/omni/site.json', '"gameIds"', '"gameId"', 'sites/omni/site.json gameId: '],
  ['players.json', '"email"', '"mail"', 'players.json 0.email: '],
  ['codes.json', '"points": "250"', '"points": "-1"', 'codes.json 0.reward.points: '],
  [`${bulletin}/bulletin.json`, '"activity"', '"party"', `${bulletin}/bulletin.json category: `],
  [`${bulletin}/de-DE.md`, '## ', '# ', `${bulletin}/de-DE.md: cannot show the block # `],
  [`${bulletin}/de-DE.md`, 'title:', 'heading:', `${bulletin}/de-DE.md title: `],
  [`${bulletin}/de-DE.md`, '---', '', `${bulletin}/de-DE.md: does not begin with fields`],
])(
  'the document %s of a shop folder with %s changed to %s is refused, and the error names the document',
  (path, from, to, told) => {
    change(path, from, to);
    expect(complaint()).toContain(told);
  },
);

test('a shop folder with a missing document or with a text in an unknown language is refused with the name of the file', () => {
  rmSync(join(folder, 'points/prices.csv'));
  expect(complaint()).toBe('points/prices.csv: cannot be read');
  cpSync(join(demoFolder, 'points/prices.csv'), join(folder, 'points/prices.csv'));
  const path = join(folder, 'pages/privacy-policy/xx-XX.md');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  expect(complaint()).toContain('pages/privacy-policy/xx-XX.md: ');
});

test('a relative time in a document of a shop folder counts from the time of seeding, and an absolute time is used as it is', () => {
  change(items, '+28d', '2027-01-01T00:00:00+01:00');
  const game = readGame(openShopFiles(folder, now), 'solmere');
  const periods = game.items.flatMap(({ saleFrom, saleUntil }) =>
    saleFrom === null || saleUntil === null
      ? []
      : [[saleFrom.toISOString(), saleUntil.toISOString()]],
  );
  expect(periods).toEqual([
    ['2026-11-15T12:00:00.000Z', '2026-12-31T23:00:00.000Z'],
    ['2026-11-15T12:00:00.000Z', '2027-01-14T12:00:00.000Z'],
  ]);
});

test('a paragraph of Markdown news that begins with a date is rendered as a paragraph, not as a list, with game names HTML-escaped', () => {
  change(`${bulletin}/de-DE.md`, /\n---\n[\s\S]*/, '\n---\n\n{+9} in {name}\n');
  change('games/solmere/game.json', '"de-DE": "Solmere"', '"de-DE": "Sol & Meer"');
  const files = openShopFiles(folder, now);
  const [site] = readSites(files).filter(({ id }) => id === 'solmere');
  if (site === undefined) throw new Error('the site is not there');
  const [news] = readNews(files, site).filter(({ id }) => id === 'tidefall-festival');
  expect(news?.texts['de-DE']?.body).toMatch(/<p>24\. November in Sol &amp; Meer<\/p>$/);
});
