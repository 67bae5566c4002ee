import { CouponTemplate } from '@pointgate/contract/documents/coupons.ts';
import { GameDocument } from '@pointgate/contract/documents/game.ts';
import { ItemLine } from '@pointgate/contract/documents/goods.ts';
import { SiteDocument } from '@pointgate/contract/documents/site.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { canonical, canonicalText, digestOf, isObject, type Json } from './canonical.ts';

const json: fc.Arbitrary<Json> = fc.jsonValue() as fc.Arbitrary<Json>; // as: the same values by another name

/** The same value with the fields of every object the other way round. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).toReversed();
  return Object.fromEntries(fields.map(([name, inner]) => [name, turned(inner)]));
}

test('the digest of a document does not depend on the order of its fields', () => {
  fc.assert(fc.property(json, (value) => digestOf(turned(value)) === digestOf(value)));
});

test('two documents have the same digest only if they say the same', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(digestOf(one) === digestOf(other)).toBe(canonicalText(one) === canonicalText(other));
      expect(JSON.parse(canonicalText(one))).toEqual(JSON.parse(JSON.stringify(one)));
    }),
  );
});

const name = { 'en-US': 'A' };
const inAll = Object.fromEntries(
  ['en-US', 'zh-CN', 'zh-HK', 'zh-TW', 'th-TH', 'ko-KR', 'ja-JP', 'vi-VN', 'de-DE'].map((it) => [
    it,
    'A',
  ]),
);
const game = { name, subtitle: name, apiUrl: 'https://game.example' };
const item = {
  id: 'gems',
  group: 'packs',
  sku: 'gem',
  quantity: 60,
  tier: 'tide',
  art: 'shard1',
  name,
  unit: name,
};
const site = {
  title: 'Acme',
  brandId: 'acme',
  hosts: ['shop.example'],
  gameId: 'starfall',
  currency: 'USD',
  methods: ['card'],
};
const coupon = {
  templateId: 'welcome',
  name: inAll,
  percent: '15',
  startsAt: '2026-01-01T00:00:00.000Z',
  perAccountMax: 1,
};

test.each<[string, z.ZodType, Record<string, Json>, Record<string, Json>]>([
  ['game', GameDocument, game, { theme: {}, givesOnce: true, jwksUrl: null }],
  [
    'game with a colour',
    GameDocument,
    { ...game, theme: { accent: '#ffb85c' } },
    { jwksUrl: null },
  ],
  ['item', ItemLine, item, { gift: 0, badge: null, limit: null, systems: ['ios', 'android'] }],
  ['site', SiteDocument, site, { timeZone: 'UTC', orderMinutes: 30, playUrls: { ios: null } }],
  ['coupon', CouponTemplate, coupon, { endsAt: null, days: null, sites: null }],
])(
  'the canonical body of a %s has no defaults, and is read as the same document again',
  (_kind, schema, said, defaults) => {
    const body = canonical(schema, schema.parse({ ...said, ...defaults }));
    expect(body).toEqual(said);
    expect(schema.parse(body)).toEqual(schema.parse(said));
  },
);

test('a time of a document has the same digest in every offset', () => {
  const at = (startsAt: string) =>
    digestOf(canonical(CouponTemplate, CouponTemplate.parse({ ...coupon, startsAt })));
  expect(at('2026-06-01T12:00:00+02:00')).toBe(at('2026-06-01T10:00:00Z'));
  expect(at('2026-06-01T12:00:00+02:00')).not.toBe(at('2026-06-01T12:00:00Z'));
});
