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

/** What one rule comes to. */
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

describe('how much comes with a pack', () => {
  test('is what always comes with it, where no rule says more', () => {
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
  ])('is %d percent of what is bought', (giftPercent, quantity) => {
    const bare = { ...item, bonusQuantity: 0n };
    expect(giftFor(bare, player, [rule('a', { giftPercent })], now).quantity).toBe(quantity);
  });

  test('is rounded down: a part of a piece is none', () => {
    const odd = { ...item, quantity: 7n, bonusQuantity: 0n };
    expect(giftFor(odd, player, [rule('a', { giftPercent: 50 })], now).quantity).toBe(3n);
  });

  test('is the largest gift and not the sum of all', () => {
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

  test('is never less because of a rule', () => {
    expect(giftFor(item, player, [rule('a', { giftPercent: 5 })], now)).toMatchObject({
      quantity: 30n,
      reason: 'bonus',
      rule: null,
      verdicts: [{ ruleId: 'a', verdict: 'outdone' }],
    });
  });

  test('does not depend on the order of the rules', () => {
    const rules = [rule('b'), rule('a'), rule('c')];
    for (const some of [rules, rules.toReversed()]) {
      expect(giftFor(item, player, some, now).rule?.ruleId).toBe('a');
    }
  });
});

describe('whether a rule is for this', () => {
  test.each<[string, Partial<GiftRule>, string]>([
    ['another item', { itemId: 'shards_60' }, 'other_item'],
    ['this item', { itemId: 'shards_300' }, 'won'],
    ['from this moment on', { startsAt: now }, 'won'],
    ['a moment later', { startsAt: later(1) }, 'not_started'],
    ['until a moment later', { endsAt: later(1) }, 'won'],
    ['until this moment', { endsAt: now }, 'over'],
    ['accounts of less than ten days', { newAccountDays: 10 }, 'account_too_old'],
    ['accounts of less than eleven days', { newAccountDays: 11 }, 'won'],
    ['this country', { countries: ['FR', 'DE'] }, 'won'],
    ['another country', { countries: ['FR'] }, 'other_country'],
    ['this language', { languages: ['de-DE'] }, 'won'],
    ['another language', { languages: ['ko-KR'] }, 'other_language'],
    ['who has bought', { hasBought: true }, 'has_not_bought'],
    ['who has not', { hasBought: false }, 'won'],
    ['who is named', { isListed: true }, 'not_listed'],
  ])('one for %s', (_whom, changes, verdict) => {
    expect(verdictOf(changes)).toBe(verdict);
  });

  test.each<[string, Partial<GiftRule>, Partial<GiftPlayer>, string]>([
    ['has bought', { hasBought: true }, { bought: ['shards_60'] }, 'won'],
    ['has bought, for who has not', { hasBought: false }, { bought: ['shards_60'] }, 'has_bought'],
    ['is named', { isListed: true }, { listedIn: ['a'] }, 'won'],
    ['is named elsewhere', { isListed: true }, { listedIn: ['b'] }, 'not_listed'],
    ['is of no known country', { countries: ['DE'] }, { country: null }, 'other_country'],
    ['never bought', { firstPurchase: 'of_any' }, {}, 'won'],
    ['bought another', { firstPurchase: 'of_any' }, { bought: ['shards_60'] }, 'not_first'],
    ['bought another item', { firstPurchase: 'of_item' }, { bought: ['shards_60'] }, 'won'],
    ['bought this item', { firstPurchase: 'of_item' }, { bought: ['shards_300'] }, 'not_first'],
  ])('for a player who %s', (_who, changes, buyer, verdict) => {
    expect(verdictOf(changes, { buyer })).toBe(verdict);
  });

  test('so many packs at once and no more', () => {
    expect(verdictOf({ packsMax: 2 }, { pack: { packCount: 2 } })).toBe('won');
    expect(verdictOf({ packsMax: 2 }, { pack: { packCount: 3 } })).toBe('too_many_packs');
  });
});

describe('why there is a gift', () => {
  test.each<[string, Partial<GiftRule>]>([
    ['first_purchase', { firstPurchase: 'of_any', endsAt: later(1) }],
    ['first_purchase_of_item', { firstPurchase: 'of_item', countries: ['DE'] }],
    ['for_you', { countries: ['DE'], endsAt: later(1) }],
    ['for_you', { hasBought: false }],
    ['for_you', { languages: ['de-DE'] }],
    ['for_you', { newAccountDays: 11 }],
    ['limited_time', { endsAt: later(1) }],
    ['bonus', {}],
  ])('is told as %s', (reason, changes) => {
    expect(giftFor(item, player, [rule('a', changes)], now).reason).toBe(reason);
  });

  test('is told as for_you to who is named', () => {
    const named = { ...player, listedIn: ['a'] };
    expect(giftFor(item, named, [rule('a', { isListed: true })], now).reason).toBe('for_you');
  });

  test('a first purchase is held for the item or for all of them, and no other gift is', () => {
    const scopeOf = (changes: Partial<GiftRule>) =>
      claimScopeOf(giftFor(item, player, [rule('a', changes)], now), item);
    expect([
      scopeOf({ firstPurchase: 'of_any' }),
      scopeOf({ firstPurchase: 'of_item' }),
      scopeOf({}),
      scopeOf({ itemId: 'shards_60' }),
    ]).toEqual(['*', 'shards_300', null, null]);
  });
});
