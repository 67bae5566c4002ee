import { PromotionList } from '@pointgate/contract/documents/promotions.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDemo } from '../../../test/demo.ts';
import { operate as operateShop } from '../../../test/operate.ts';
import { givenAccount } from '../../../test/orders.ts';
import { operateByProgram } from '../../../test/processes.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { seedPromotions } from '../../documents/seed/seed-shop.ts';
import { sql } from '../../platform/db.ts';
import { sitesIn } from '../../publisher/sites/sites.ts';
import { listPromotions, loadPromotions } from './promotion-list.ts';
import { previewGifts, rebateCampaigns } from './promotions.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterEach(() =>
  shop.db.transaction(async (tx) => {
    await tx.run(sql`delete from gift_rule_accounts`);
    await tx.run(sql`delete from gift_rules`);
    await tx.run(sql`delete from rebate_tiers`);
    await tx.run(sql`delete from rebate_campaigns`);
  }),
);
afterAll(() => shop.closeAll());

const name = Object.fromEntries(locales.map((locale) => [locale, `Harvest ${locale}`]));
const rule = {
  ruleId: 'double',
  siteId: 'solmere',
  kind: 'item',
  giftPercent: 100,
  startsAt: '2026-01-01T00:00:00Z',
};
const campaign = {
  campaignId: 'harvest',
  siteId: 'solmere',
  kind: 'item',
  gameId: 'solmere',
  name,
  currency: 'USD',
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '2126-01-01T00:00:00Z',
  presentDays: 30,
  tiers: [
    { tier: 1, from: '5', points: '50' },
    { tier: 2, from: '9.99', points: '120' },
  ],
};
const load = (list: object) =>
  shop.db.transaction(async (tx) => ({
    complaints: await loadPromotions(tx, PromotionList.parse(list), await sitesIn(tx)),
  }));
const loaded = { complaints: [] };

describe('promotion lists', () => {
  test('a promotion list that an operator loads sets the gifts and rebate campaigns shown to players', async () => {
    expect(await load({ giftRules: [rule], campaigns: [campaign] })).toEqual(loaded);
    const accountId = await givenAccount(shop.db);
    const asker = { accountId, siteId: 'solmere', kind: 'item', country: null } as const;
    const item = { itemId: 'shards_300', quantity: 300n, bonusQuantity: 30n, packCount: 1 };
    const gifts = await previewGifts(shop.db, { ...asker, language: 'en-US' }, [item]);
    expect(gifts.get('shards_300')).toMatchObject({ quantity: 300n, reason: 'bonus' });
    const asked = { accountId, siteId: 'solmere', kind: 'item', gameId: 'solmere' } as const;
    expect(await rebateCampaigns(shop.db, asked, 'th-TH')).toMatchObject([
      {
        campaignId: 'harvest',
        name: 'Harvest th-TH',
        presentDays: 30,
        tiers: [
          { tier: 1, fromMinor: 500n, presentPoints: 50n },
          { tier: 2, fromMinor: 999n, presentPoints: 120n },
        ],
      },
    ]);
  });

  test('the promotion list that an operator command prints can be loaded again unchanged', async () => {
    const accountId = await givenAccount(shop.db);
    const every = {
      itemId: 'shards_300',
      firstPurchase: 'of_item',
      packsMax: 3,
      newAccountDays: 7,
      countries: ['DE', 'JP'],
      languages: ['de-DE'],
      hasBought: false,
      accounts: [accountId],
      endsAt: '2126-01-01T00:00:00Z',
      giftPercent: null,
      giftQuantity: '45',
    };
    const points = { ...rule, ruleId: 'points', kind: 'points' };
    const list = { giftRules: [{ ...rule, ...every }, points], campaigns: [campaign] };
    expect(await load(list)).toEqual(loaded);
    const read = await listPromotions(shop.db);
    expect(read.giftRules).toMatchObject([
      { ...every, ruleId: 'double', endsAt: '2126-01-01T00:00:00.000Z' },
      { ruleId: 'points', accounts: null, giftQuantity: null, giftPercent: 100 },
    ]);
    expect(read.campaigns[0]?.tiers[1]).toEqual({ tier: 2, from: '9.99', points: '120' });
    expect(await load(read)).toEqual(loaded);
    expect(await listPromotions(shop.db)).toEqual(read);
  });

  test('a promotion list that is loaded again updates gift rules and those terms of rebate campaigns that may change', async () => {
    await load({ giftRules: [{ ...rule, accounts: [await givenAccount(shop.db)] }] });
    await load({ campaigns: [campaign] });
    const longer = {
      ...campaign,
      endsAt: '2127-01-01T00:00:00Z',
      presentDays: null,
      tiers: [{ tier: 3, from: '20.00', points: '9' }],
    };
    const other = { giftRules: [{ ...rule, giftPercent: 50 }], campaigns: [longer] };
    expect(await load(other)).toEqual(loaded);
    const read = await listPromotions(shop.db);
    expect(read.giftRules).toMatchObject([{ giftPercent: 50, accounts: null }]);
    expect(read.campaigns).toMatchObject([
      { endsAt: '2127-01-01T00:00:00.000Z', presentDays: null, tiers: longer.tiers },
    ]);
  });

  test.each<[string, object, string]>([
    ['rule of an unknown site', { siteId: 'nowhere' }, 'there is no such site'],
    ['rule that ends at its start', { endsAt: rule.startsAt }, 'it ends before it starts'],
    ['rule for an unknown item', { itemId: 'nothing' }, 'the site does not sell this item'],
    [
      'rule for points that names an item',
      { kind: 'points', itemId: 'shards_300' },
      'the site does not',
    ],
    ['rule for an unknown account', { accounts: [crypto.randomUUID()] }, 'there is no account'],
  ])('a promotion list with a gift %s is refused as a whole', async (_what, changes, complaint) => {
    const list = { giftRules: [rule, { ...rule, ruleId: 'bad', ...changes }] };
    const { complaints } = await load(list);
    expect(complaints).toEqual([expect.stringContaining(`rule bad: ${complaint}`)]);
    expect(await listPromotions(shop.db)).toEqual({ giftRules: [], campaigns: [] });
  });

  test.each<[string, object, string]>([
    ['of an unknown site', { siteId: 'nowhere' }, 'there is no such site'],
    ['that ends at its start', { endsAt: campaign.startsAt }, 'it ends before it starts'],
    [
      'in a currency that the site does not take',
      { currency: 'JPY' },
      'the site does not take this currency',
    ],
    ['for points that names a game', { kind: 'points' }, 'points are of no game'],
    [
      'for a game that the site does not sell',
      { gameId: 'another' },
      'the site does not sell this game',
    ],
    [
      'with a tier at a fraction of a cent',
      { tiers: [{ tier: 1, from: '1.005', points: '5' }] },
      '1.005 is no amount',
    ],
    [
      'with a tier at zero',
      { tiers: [{ tier: 1, from: '0', points: '5' }] },
      'tier 1 is not above',
    ],
    [
      'with descending tiers',
      { tiers: [campaign.tiers[1], { tier: 3, from: '5', points: '5' }] },
      'tier 3 is not above the one before it',
    ],
    [
      'with a duplicate tier number',
      { tiers: [campaign.tiers[0], { tier: 1, from: '6', points: '5' }] },
      'tier 1 is not above the one before it',
    ],
  ])(
    'a promotion list with a rebate campaign %s is refused as a whole',
    async (_what, changes, complaint) => {
      const list = { campaigns: [campaign, { ...campaign, campaignId: 'bad', ...changes }] };
      const { complaints } = await load(list);
      expect(complaints).toEqual([expect.stringContaining(`campaign bad: ${complaint}`)]);
      expect(await listPromotions(shop.db)).toEqual({ giftRules: [], campaigns: [] });
    },
  );

  test('a promotion list with a duplicate gift rule or rebate campaign is refused as a whole', async () => {
    const list = { giftRules: [rule, rule], campaigns: [campaign, campaign] };
    expect(await load(list)).toEqual({
      complaints: ['rule double: is there twice', 'campaign harvest: is there twice'],
    });
  });

  test.each([
    ['kind', { kind: 'points', gameId: null }],
    ['game', { gameId: null }],
    ['start', { startsAt: '2026-02-01T00:00:00Z' }],
  ])(
    'a promotion list that changes the %s of an existing rebate campaign is refused',
    async (_what, by) => {
      await load({ campaigns: [campaign] });
      expect(await load({ campaigns: [{ ...campaign, ...by }] })).toEqual({
        complaints: [
          expect.stringContaining('campaign harvest: site, kind, game, currency and start'),
        ],
      });
    },
  );

  test.each<[string, object]>([
    ['a name that lacks a language', { campaigns: [{ ...campaign, name: { 'en-US': 'Only' } }] }],
    ['an empty name', { campaigns: [{ ...campaign, name: { ...name, 'de-DE': ' ' } }] }],
    ['both a gift quantity and a percentage', { giftRules: [{ ...rule, giftQuantity: '5' }] }],
    ['neither a gift quantity nor a percentage', { giftRules: [{ ...rule, giftPercent: null }] }],
    ['an invalid country code', { giftRules: [{ ...rule, countries: ['Germany'] }] }],
    ['an unsupported language', { giftRules: [{ ...rule, languages: ['xx-XX'] }] }],
    ['a campaign without tiers', { campaigns: [{ ...campaign, tiers: [] }] }],
    ['an unknown field', { giftRules: [{ ...rule, priority: 1 }] }],
  ])("an operator's promotion list with %s does not pass the schema", (_what, list) => {
    expect(PromotionList.safeParse(list).success).toBe(false);
  });
});

const operate = (command: string, input = '') =>
  operateShop(shop, [command, '--by', 'ines'], { input, environment: { LOG_LEVEL: 'silent' } });

test('an operator loads promotions from standard input and lists them', async () => {
  const list = { giftRules: [rule], campaigns: [campaign] };
  const bad = { ...list, campaigns: [{ ...campaign, currency: 'JPY' }] };
  expect(await operate('load-promotions', JSON.stringify(bad))).toEqual({
    status: 1,
    out: '',
    complaint: 'campaign harvest: the site does not take this currency\n',
  });
  expect(await operate('load-promotions', JSON.stringify(list))).toMatchObject({ status: 0 });
  const { out } = await operateByProgram(shop, ['list-promotions'], {
    environment: { LOG_LEVEL: 'silent' },
  });
  expect(PromotionList.parse(JSON.parse(out))).toEqual(await listPromotions(shop.db));
});

function solmereAt(now: Date) {
  const site = openDemo(now).shop.sites.find(({ id }) => id === 'solmere');
  if (site === undefined) throw new Error('the site is not there');
  return site;
}

test('the demo seed creates a rebate campaign for packs and one for points, and seeding again extends them', async () => {
  const now = new Date('2026-11-15T12:00:00Z');
  await shop.db.transaction((tx) => seedPromotions(tx, solmereAt(now)));
  const later = new Date('2026-12-15T12:00:00Z');
  await shop.db.transaction((tx) => seedPromotions(tx, solmereAt(later)));
  const { campaigns } = await listPromotions(shop.db);
  expect(campaigns).toMatchObject([
    { campaignId: 'solmere-packs', kind: 'item', gameId: 'solmere' },
    { campaignId: 'solmere-points', kind: 'points', gameId: null },
  ]);
  for (const { startsAt, endsAt } of campaigns) {
    expect([startsAt, endsAt]).toEqual(['2026-11-08T12:00:00.000Z', '2027-02-13T12:00:00.000Z']);
  }
  expect(await load({ campaigns })).toEqual(loaded);
});
