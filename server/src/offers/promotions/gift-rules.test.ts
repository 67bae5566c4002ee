import { describe, expect, test } from 'vitest';
import {
  claimScopeOf,
  type GiftItem,
  type GiftPlayer,
  type GiftRule,
  giftFor,
} from './gift-rules.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const dayMs = 24 * 60 * 60_000;

const item: GiftItem = { itemId: 'shards_300', quantity: 300n, bonusQuantity: 30n, packCount: 1 };
const player: GiftPlayer = {
  createdAt: later(-10 * dayMs),
  country: 'DE',
  language: 'de-DE',
  bought: [],
  listedIn: [],
};
const rule = (ruleId: string, changes: Partial<GiftRule> = {}): GiftRule => ({
  ruleId,
  itemId: null,
  giftQuantity: null,
  giftPercent: 100,
  firstPurchase: null,
  packsMax: null,
  startsAt: later(-dayMs),
  endsAt: null,
  newAccountDays: null,
  countries: null,
  languages: null,
  hasBought: null,
  isListed: false,
  ...changes,
});

/** The verdict of one rule. */
const verdictOf = (
  changes: Partial<GiftRule>,
  { buyer = {}, pack = {} }: { buyer?: Partial<GiftPlayer>; pack?: Partial<GiftItem> } = {},
) => {
  const decision = giftFor(
    { ...item, ...pack },
    { ...player, ...buyer },
    [rule('a', changes)],
    now,
  );
  return decision.verdicts[0]?.verdict;
};

describe('gift quantities', () => {
  test('an order without a matching gift rule comes with the regular bonus of its pack, if it has any', () => {
    expect(giftFor(item, player, [], now)).toEqual({
      quantity: 30n,
      reason: 'bonus',
      rule: null,
      verdicts: [],
    });
    expect(giftFor({ ...item, bonusQuantity: 0n }, player, [], now)).toMatchObject({
      quantity: 0n,
      reason: null,
    });
  });

  test.each([
    [100, 300n],
    [50, 150n],
    [1, 3n],
  ])(
    'a gift rule of %d percent gives that percentage of the bought quantity as a gift',
    (giftPercent, quantity) => {
      const bare = { ...item, bonusQuantity: 0n };
      expect(giftFor(bare, player, [rule('a', { giftPercent })], now).quantity).toBe(quantity);
    },
  );

  test('the gift of a percentage gift rule is rounded down to whole units', () => {
    const odd = { ...item, quantity: 7n, bonusQuantity: 0n };
    expect(giftFor(odd, player, [rule('a', { giftPercent: 50 })], now).quantity).toBe(3n);
  });

  test('the largest of several matching gift rules is given, not their sum', () => {
    const rules = [rule('a', { giftPercent: 20 }), rule('b', { giftPercent: 50 }), rule('c')];
    expect(giftFor(item, player, rules, now)).toMatchObject({
      quantity: 300n,
      rule: { ruleId: 'c' },
      verdicts: [
        { ruleId: 'a', verdict: 'outdone' },
        { ruleId: 'b', verdict: 'outdone' },
        { ruleId: 'c', verdict: 'won' },
      ],
    });
  });

  test('a gift rule that gives less than the regular bonus of a pack does not reduce the bonus', () => {
    expect(giftFor(item, player, [rule('a', { giftPercent: 5 })], now)).toMatchObject({
      quantity: 30n,
      reason: 'bonus',
      rule: null,
      verdicts: [{ ruleId: 'a', verdict: 'outdone' }],
    });
  });

  test('a tie between several equal gift rules is decided in the same way in whatever order the rules are listed', () => {
    const rules = [rule('b'), rule('a'), rule('c')];
    for (const some of [rules, rules.toReversed()]) {
      expect(giftFor(item, player, some, now).rule?.ruleId).toBe('a');
    }
  });
});

describe('gift rule conditions', () => {
  test.each<[string, Partial<GiftRule>, string]>([
    ['for another item does not apply', { itemId: 'shards_60' }, 'other_item'],
    ['for the bought item applies', { itemId: 'shards_300' }, 'won'],
    ['applies from its start on', { startsAt: now }, 'won'],
    ['does not apply one millisecond before its start', { startsAt: later(1) }, 'not_started'],
    ['applies one millisecond before its end', { endsAt: later(1) }, 'won'],
    ['does not apply at its end', { endsAt: now }, 'over'],
    [
      'for accounts younger than ten days does not apply to an account of ten days',
      { newAccountDays: 10 },
      'account_too_old',
    ],
    [
      'for accounts younger than eleven days applies to an account of ten days',
      { newAccountDays: 11 },
      'won',
    ],
    ['for the country of the player applies', { countries: ['FR', 'DE'] }, 'won'],
    ['for another country does not apply', { countries: ['FR'] }, 'other_country'],
    ['for the language of the player applies', { languages: ['de-DE'] }, 'won'],
    ['for another language does not apply', { languages: ['ko-KR'] }, 'other_language'],
    [
      'for players with a purchase does not apply to one without',
      { hasBought: true },
      'has_not_bought',
    ],
    ['for players without a purchase applies to one without', { hasBought: false }, 'won'],
    ['for listed accounts does not apply to an unlisted account', { isListed: true }, 'not_listed'],
  ])(
    'the conditions of a gift rule decide whether the gift is given: a gift rule %s',
    (_whom, changes, verdict) => {
      expect(verdictOf(changes)).toBe(verdict);
    },
  );

  test.each<[string, Partial<GiftRule>, Partial<GiftPlayer>, string]>([
    [
      'for players with a purchase applies to one with a purchase',
      { hasBought: true },
      { bought: ['shards_60'] },
      'won',
    ],
    [
      'for players without a purchase does not apply to one with a purchase',
      { hasBought: false },
      { bought: ['shards_60'] },
      'has_bought',
    ],
    [
      'for listed accounts applies to a listed account',
      { isListed: true },
      { listedIn: ['a'] },
      'won',
    ],
    [
      'for listed accounts does not apply to an account listed in another rule',
      { isListed: true },
      { listedIn: ['b'] },
      'not_listed',
    ],
    [
      'for a country does not apply to a player of unknown country',
      { countries: ['DE'] },
      { country: null },
      'other_country',
    ],
    ['for the first purchase applies before any purchase', { firstPurchase: 'of_any' }, {}, 'won'],
    [
      'for the first purchase does not apply after another item was bought',
      { firstPurchase: 'of_any' },
      { bought: ['shards_60'] },
      'not_first',
    ],
    [
      'for the first purchase of an item applies after another item was bought',
      { firstPurchase: 'of_item' },
      { bought: ['shards_60'] },
      'won',
    ],
    [
      'for the first purchase of an item does not apply after that item was bought',
      { firstPurchase: 'of_item' },
      { bought: ['shards_300'] },
      'not_first',
    ],
  ])(
    "a gift rule can depend on the player's earlier purchases: a gift rule %s",
    (_who, changes, buyer, verdict) => {
      expect(verdictOf(changes, { buyer })).toBe(verdict);
    },
  );

  test('a gift rule with a pack limit applies up to that number of packs in one order', () => {
    expect(verdictOf({ packsMax: 2 }, { pack: { packCount: 2 } })).toBe('won');
    expect(verdictOf({ packsMax: 2 }, { pack: { packCount: 3 } })).toBe('too_many_packs');
  });
});

describe('gift reasons', () => {
  test.each<[string, Partial<GiftRule>]>([
    ['first_purchase', { firstPurchase: 'of_any', endsAt: later(1) }],
    ['first_purchase_of_item', { firstPurchase: 'of_item', countries: ['DE'] }],
    ['for_you', { countries: ['DE'], endsAt: later(1) }],
    ['for_you', { hasBought: false }],
    ['for_you', { languages: ['de-DE'] }],
    ['for_you', { newAccountDays: 11 }],
    ['limited_time', { endsAt: later(1) }],
    ['bonus', {}],
  ])(
    'the gift reason shown to the player is %s for a gift rule with the conditions %j',
    (reason, changes) => {
      expect(giftFor(item, player, [rule('a', changes)], now).reason).toBe(reason);
    },
  );

  test('a player whose account a gift rule lists is shown the gift reason for_you', () => {
    const named = { ...player, listedIn: ['a'] };
    expect(giftFor(item, named, [rule('a', { isListed: true })], now).reason).toBe('for_you');
  });

  test('a first-purchase gift is limited to once per item or once for all items, and other gifts are not limited that way', () => {
    const scopeOf = (changes: Partial<GiftRule>) =>
      claimScopeOf(giftFor(item, player, [rule('a', changes)], now).rule, item.itemId);
    expect([
      scopeOf({ firstPurchase: 'of_any' }),
      scopeOf({ firstPurchase: 'of_item' }),
      scopeOf({}),
      scopeOf({ itemId: 'shards_60' }),
    ]).toEqual(['*', 'shards_300', null, null]);
  });
});
