import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readShopFolder } from './documents.ts';
import { lineOf } from './places.ts';

const now = new Date('2026-11-15T12:00:00Z');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pointgate-shop-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const campaign = `  - campaignId: autumn
    siteId: main
    kind: item
    currency: USD
    startsAt: 2026-11-01T00:00:00Z
    endsAt: 2026-12-01T00:00:00Z
    name: {en-US: A, zh-CN: A, zh-HK: A, zh-TW: A, th-TH: A, ko-KR: A, ja-JP: A, vi-VN: A, de-DE: A}
    tiers:
      - {tier: 1, from: "10", points: "100"}
      - {tier: 2, from: "50", points: "600"}
`;

const sound: Readonly<Record<string, string>> = {
  'shop.yaml': 'source: acme\ngames: [starfall]\nsites: [main]\n',
  'regions.yaml': 'europe: {en-US: Europe}\n',
  'groups.yaml': 'packs: {en-US: Packs}\n',
  'price-rules.yaml':
    '- currency: EUR\n  baseCurrency: USD\n  rate: {numerator: 95, denominator: 100}\n  prices: ["0.99", "4.99"]\n  step: "10.00"\n',
  'games/starfall/game.yaml':
    'name: {en-US: Starfall}\nsubtitle:\n  en-US: Falling stars\n  de-DE: Sterne\napiUrl: https://starfall.example\ntheme: {accent: "#ffb85c"}\n',
  'games/starfall/servers.csv':
    'id,region,status,systems,name:en-US\ns1,europe,open,ios android,S1\n',
  'games/starfall/items.csv':
    'id,group,sku,quantity,gift,tier,badge,art,saleFrom,saleUntil,limit,name:en-US,unit:en-US\ngems_60,packs,gem,60,6,tide,,shard1,,,,60 Gems,Gems\ngems_300,packs,gem,300,0,dusk,,shard2,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,1 role week,300 Gems,Gems\n',
  'games/starfall/prices.csv':
    'itemId,currency,country,amount\ngems_60,USD,,0.99\ngems_300,USD,,4.99\ngems_60,EPOINT,,100\n',
  'points/packs.csv':
    'id,quantity,gift,giftDays,tier,badge,art,name:en-US\npoints_100,100,0,,tide,,coin1,100\n',
  'points/prices.csv': 'itemId,currency,amount\npoints_100,USD,0.99\n',
  'sites/main/site.yaml':
    'title: Acme\nbrandId: acme\nhosts: [shop.example, www.shop.example]\ngameId: starfall\ncurrency: USD\notherCurrencies: [EUR]\nmethods: [card, epoint]\ntimeZone: Europe/Berlin\n',
  'sites/main/promotions.yaml': `campaigns:\n${campaign}`,
  'sites/main/news/launch/bulletin.yaml': 'category: activity\nart: hero\n',
  'sites/main/news/launch/en-US.md':
    '---\ntitle: "Launch"\nsummary: "Now"\n---\n\n## Today\n\nIt begins.\n',
  'sites/main/pages/about-us/en-US.md': '---\ntitle: "About us"\n---\n\nWe are Acme.\n',
  'coupons.yaml':
    '- templateId: welcome\n  name: {en-US: A, zh-CN: A, zh-HK: A, zh-TW: A, th-TH: A, ko-KR: A, ja-JP: A, vi-VN: A, de-DE: A}\n  percent: "15"\n  startsAt: 2026-01-01T00:00:00Z\n  perAccountMax: 1\n',
};

/** The complaints about a sound folder with some files changed, each as one line. */
function complaintsWith(changed: Readonly<Record<string, string | null>>): string[] {
  for (const [path, text] of Object.entries({ ...sound, ...changed })) {
    if (text === null) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, 'latin1');
  }
  return readShopFolder(folder, now).complaints.map(lineOf);
}

function changed(path: string, from: string, to: string): Record<string, string> {
  const text = sound[path] ?? '';
  expect(text).toContain(from);
  return { [path]: text.replace(from, () => to) };
}

test('a sound folder of a shop has nothing to correct', () => {
  expect(complaintsWith({})).toEqual([]);
});

const items = 'games/starfall/items.csv';
const prices = 'games/starfall/prices.csv';
const site = 'sites/main/site.yaml';
const promotions = 'sites/main/promotions.yaml';
const launch = 'sites/main/news/launch/en-US.md';

test.each<[what: string, path: string, from: string, to: string, told: string]>([
  [
    'an unknown field',
    'shop.yaml',
    'source',
    'sources',
    'shop.yaml:1:10 sources is no field here: the nearest is source, sites',
  ],
  [
    'a game without a folder',
    'shop.yaml',
    '[starfall]',
    '[starfall, starfal]',
    'shop.yaml:2:19 games starfal has no folder games/starfal: write starfall',
  ],
  [
    'a site listed twice',
    'shop.yaml',
    '[main]',
    '[main, main]',
    'shop.yaml:3:15 sites main is there twice: keep one',
  ],
  [
    'a tab in front of a field',
    'games/starfall/game.yaml',
    '  de-DE',
    '\tde-DE',
    'games/starfall/game.yaml:4:1 a tab cannot indent YAML: write spaces',
  ],
  [
    'a field that is there twice',
    'games/starfall/game.yaml',
    'apiUrl:',
    'name: {en-US: A}\napiUrl:',
    'games/starfall/game.yaml:5:1 is there twice: keep one of the two',
  ],
  [
    'a bracket that is not closed',
    'games/starfall/game.yaml',
    '{en-US: Starfall}',
    '{en-US: Starfall',
    'games/starfall/game.yaml:2:1 is no YAML (Flow map in block collection must be sufficiently indented and end with a }): write each field as "name: value", and texts with signs in quotation marks',
  ],
  [
    'an anchor',
    'games/starfall/game.yaml',
    '{en-US: Starfall}',
    '&name {en-US: Starfall}',
    'games/starfall/game.yaml:1:13 is an anchor or alias, which documents do not have: write the value out',
  ],
  [
    'a second document in a file',
    'games/starfall/game.yaml',
    'apiUrl:',
    '---\napiUrl:',
    'games/starfall/game.yaml:5:1 is a second document in one file: write a file for each',
  ],
  [
    'a language without English',
    'games/starfall/game.yaml',
    '{en-US: Starfall}',
    '{de-DE: Sternfall}',
    'games/starfall/game.yaml:1:7 name has no en-US: players read it where their own language is missing',
  ],
  [
    'a colour without its sign',
    'games/starfall/game.yaml',
    '"#ffb85c"',
    '"ffb85c"',
    'games/starfall/game.yaml:6:17 theme.accent "ffb85c" is no colour: write # and six small digits, such as #ffb85c',
  ],
  [
    'a game without an address',
    'games/starfall/game.yaml',
    'apiUrl: https://starfall.example\n',
    '',
    'games/starfall/game.yaml:1:1 apiUrl is missing: write where the game is called, such as https://game.example',
  ],
  [
    'an address without its protocol',
    'games/starfall/game.yaml',
    'https://starfall',
    'starfall',
    'games/starfall/game.yaml:5:9 apiUrl "starfall.example" is no web address: write it in full, such as https://shop.example',
  ],
  [
    'a number for a text',
    'games/starfall/game.yaml',
    '{en-US: Starfall}',
    '{en-US: 2048}',
    'games/starfall/game.yaml:1:15 name.en-US 2048 is no text: write it in quotation marks, "2048"',
  ],
  [
    'an unknown region',
    'games/starfall/servers.csv',
    'europe',
    'eruope',
    'games/starfall/servers.csv:2:4 region "eruope" has no name in regions.yaml: write europe',
  ],
  [
    'an unknown status',
    'games/starfall/servers.csv',
    'open',
    'opened',
    'games/starfall/servers.csv:2:11 status "opened" is not one of open, maintenance: write open',
  ],
  [
    'a byte order mark',
    items,
    'id,group',
    '\u00ef\u00bb\u00bfid,group',
    'games/starfall/items.csv:1:1 begins with a byte order mark: save it as UTF-8 without one',
  ],
  [
    'semicolons',
    'points/prices.csv',
    'itemId,currency,amount\npoints_100,USD,0.99',
    'itemId;currency;amount\npoints_100;USD;0,99',
    'points/prices.csv:1:1 separates columns by semicolons: write commas',
  ],
  [
    'an unknown column',
    items,
    'name:en-US',
    'title:en-US',
    'games/starfall/items.csv:1:68 "title:en-US" is no column of this table: write name:en-US',
  ],
  [
    'a column that is there twice',
    items,
    'badge',
    'gift',
    'games/starfall/items.csv:1:33 gift is there twice: keep one of the two columns',
  ],
  [
    'a missing column',
    'points/packs.csv',
    'id,quantity,gift,giftDays,tier,badge,art,name:en-US\npoints_100,100,0,,tide,,coin1,100',
    'id,quantity,gift,giftDays,tier,badge,name:en-US\npoints_100,100,0,,tide,,100',
    'points/packs.csv:1:1 has no column art: write art into the first line',
  ],
  [
    'a decimal comma',
    prices,
    'gems_300,USD,,4.99',
    'gems_300,USD,,4,99',
    'games/starfall/prices.csv:3:15 has 5 cells for 4 columns: write 4.99 with a point',
  ],
  [
    'a decimal comma in quotation marks',
    prices,
    '4.99',
    '"4,99"',
    'games/starfall/prices.csv:3:15 amount "4,99" is no price in USD: write 4.99',
  ],
  [
    'an amount that is too fine',
    prices,
    '4.99',
    '4.999',
    'games/starfall/prices.csv:3:15 amount "4.999" is no price in USD: write 4.99',
  ],
  [
    'a quotation mark that is not closed',
    prices,
    '4.99',
    '"4.99',
    'games/starfall/prices.csv:3:15 has a quotation mark without its end: write quotation marks around a text, and two for one inside',
  ],
  [
    'an id that a spreadsheet has shortened',
    items,
    'gems_300',
    '1.0E+15',
    'games/starfall/items.csv:3:1 id "1.0E+15" is what a spreadsheet makes of a long number: write it in full, in a column formatted as text',
  ],
  [
    'a date of a spreadsheet',
    items,
    '2026-11-01T00:00:00Z',
    '01/11/2026',
    'games/starfall/items.csv:3:39 saleFrom "01/11/2026" is a date whose day and month may be swapped: write it as 2026-12-01T10:00:00+01:00',
  ],
  [
    'a sale that ends before it begins',
    items,
    '2026-12-01',
    '2026-10-01',
    'games/starfall/items.csv:3:60 saleUntil "2026-10-01T00:00:00Z" is not after saleFrom: write a later time, or leave it empty',
  ],
  [
    'a word for a number',
    items,
    'gem,60,',
    'gem,sixty,',
    'games/starfall/items.csv:2:19 quantity "sixty" is no number: write a number in digits alone, such as 60',
  ],
  [
    'an unknown limit',
    items,
    '1 role week',
    'weekly',
    'games/starfall/items.csv:3:81 limit "weekly" is no limit: write packs, "account" or "role", and "day", "week", "month" or "ever", such as 1 role week',
  ],
  [
    'an item that is there twice',
    items,
    'gems_300',
    'gems_60,packs,gem,1,0,tide,,shard1,,,,1 Gem,Gems\ngems_300',
    'games/starfall/items.csv:3:1 id "gems_60" is there twice, first at games/starfall/items.csv:2: write another',
  ],
  [
    'a price of an unknown item',
    prices,
    'gems_300',
    'gems_3000',
    'games/starfall/prices.csv:3:1 itemId there is no item "gems_3000": write gems_300',
  ],
  [
    'a price that is there twice',
    prices,
    'gems_300,USD',
    'gems_60,USD',
    'games/starfall/prices.csv:3:1 itemId gems_60 has a price in USD already: remove one of the two',
  ],
  [
    'a price in a currency that is not taken',
    prices,
    'gems_300,USD,,4.99',
    'gems_300,JPY,,499',
    'games/starfall/prices.csv:3:10 currency no site that sells gems_300 takes JPY: add it to a site, or remove the line',
  ],
  [
    'a price below the minimum of a provider',
    prices,
    '0.99',
    '0.01',
    'games/starfall/prices.csv:2:14 amount gems_60 USD: card at site main takes no less than its minimum: write another price',
  ],
  [
    'a price rule in fractions of a cent',
    'price-rules.yaml',
    '"4.99"',
    '"4.999"',
    'price-rules.yaml:4:20 prices.1 "4.999" is no price in EUR: write 4.99',
  ],
  [
    'an unknown game of a site',
    site,
    'gameId: starfall',
    'gameId: starfal',
    'sites/main/site.yaml:4:9 gameId there is no game "starfal": write starfall',
  ],
  [
    'a host that is there twice',
    site,
    'www.shop.example',
    'shop.example',
    'sites/main/site.yaml:3:23 hosts "shop.example" is there twice, first at sites/main/site.yaml:3: write another',
  ],
  [
    'an unknown time zone',
    site,
    'Europe/Berlin',
    'Mars/Base',
    'sites/main/site.yaml:8:11 timeZone "Mars/Base" is no time zone: write one such as Europe/Berlin',
  ],
  [
    'an unknown payment method',
    site,
    'card',
    'cart',
    'sites/main/site.yaml:7:11 methods.0 "cart" is not one of card, paypal, wechatpay, alipay, adyen, epoint: write card',
  ],
  [
    'neither hosts nor a subdomain',
    site,
    'hosts: [shop.example, www.shop.example]\n',
    '',
    'sites/main/site.yaml:1:1 hosts write hosts, such as [shop.example], or in a demo a subdomain',
  ],
  [
    'a campaign of another site',
    promotions,
    'siteId: main',
    'siteId: other',
    'sites/main/promotions.yaml:3:13 siteId "other" is not the site of this folder: write main',
  ],
  [
    'tiers that do not rise',
    promotions,
    'from: "50"',
    'from: "5"',
    'sites/main/promotions.yaml:2:5 autumn tier 2 is not above the one before it: write other terms',
  ],
  [
    'points as a number',
    promotions,
    'points: "600"',
    'points: 600',
    'sites/main/promotions.yaml:11:39 campaigns.0.tiers.1.points 600 is no text: write it in quotation marks, "600"',
  ],
  [
    'a coupon with a percentage and an amount',
    'coupons.yaml',
    '  percent: "15"',
    '  percent: "15"\n  amount: "3.00"\n  currency: USD',
    'coupons.yaml:1:3 welcome either a percent or an amount: write other terms',
  ],
  [
    'a relative time outside a demo',
    'coupons.yaml',
    '2026-01-01T00:00:00Z',
    '+7d',
    'coupons.yaml:4:13 0.startsAt "+7d" is no time: write one with its offset, such as 2026-12-01T10:00:00+01:00',
  ],
  [
    'a text without fields',
    launch,
    '---\ntitle',
    'title',
    'sites/main/news/launch/en-US.md:1:1 does not begin with fields: write ---, title: "…" and --- on the first lines',
  ],
  [
    'a field without quotation marks',
    launch,
    '"Now"',
    'Now',
    'sites/main/news/launch/en-US.md:3:1 summary: Now is no field: write title: "…", in quotation marks',
  ],
  [
    'a block that cannot be shown',
    launch,
    '## Today',
    '# Today',
    'sites/main/news/launch/en-US.md:6:1 cannot show the block # Today: write a heading with ##, a list, a table or a text',
  ],
  [
    'a letter that is not UTF-8',
    launch,
    'begins',
    'beg\u00ffns',
    'sites/main/news/launch/en-US.md:1:1 is not UTF-8: save it as UTF-8',
  ],
])(
  'the folder of a shop with %s is refused with its place and what to write',
  (_what, path, from, to, told) => {
    expect(complaintsWith(changed(path, from, to))).toEqual([told]);
  },
);

test('a missing table, a misnamed file and a folder that shop.yaml does not list are refused with their names', () => {
  expect(
    complaintsWith({
      'points/prices.csv': null,
      'points/price.csv': sound['points/prices.csv'] ?? '',
      'games/moonrise/game.yaml': sound['games/starfall/game.yaml'] ?? '',
      'README.md': 'Files of this name are for people.',
    }),
  ).toEqual([
    'games/moonrise:1:1 is a folder that shop.yaml does not list: write moonrise into its games',
    'games/moonrise/game.yaml:1:1 is no document of a shop: remove it',
    'points/price.csv:1:1 is no document of a shop: it may be meant as points/prices.csv',
    'points/prices.csv:1:1 is missing: write it',
  ]);
});

test('a document that is written as YAML and as JSON, and a text in an unknown language, are refused', () => {
  expect(
    complaintsWith({
      'regions.json': '{"europe": {"en-US": "Europe"}}',
      'sites/main/pages/about-us/xx-XX.md': sound['sites/main/pages/about-us/en-US.md'] ?? '',
    }),
  ).toEqual([
    'regions.json:1:1 says the same as regions.yaml: keep one of the two files',
    'sites/main/pages/about-us/xx-XX.md:1:1 is in no language of the shop: there are en-US, zh-CN, zh-HK, zh-TW, th-TH, ko-KR, ja-JP, vi-VN, de-DE',
  ]);
});

test('every fault of the folder of a shop is told at once, in the order of files and lines', () => {
  const told = complaintsWith({
    ...changed(site, 'Europe/Berlin', 'Mars/Base'),
    ...changed(items, 'tide', 'tidy'),
    ...changed('regions.yaml', 'en-US', 'de-DE'),
  });
  expect(told.map((line) => line.split(' ')[0])).toEqual([
    'games/starfall/items.csv:2:24',
    'regions.yaml:1:9',
    'sites/main/site.yaml:8:11',
  ]);
});
