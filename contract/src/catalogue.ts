import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Money } from './money.ts';
import { Slug, System } from './names.ts';

/** Extra quantity that comes with a pack, and why. */
const Gift = z.strictObject({ quantity: Amount, reason: z.enum(['bonus', 'first_purchase']) });

export const Item = z.strictObject({
  itemId: Slug,
  name: z.string(),
  /** How many of `unit` the player buys; gifts come on top. */
  quantity: Amount,
  unit: z.string(),
  gift: z.nullable(Gift),
  price: Money,
  /** What it costs in E Points; none where it is sold for money only. */
  pricePoints: z.nullable(Amount),
  badge: z.nullable(z.enum(['popular', 'best_value'])),
  /** The price band, lowest to highest; it colours the card. */
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  /** The picture's name in the site's art folder. */
  art: Slug,
});
export type Item = z.output<typeof Item>;

export const itemGroups = endpoint({
  method: 'POST',
  path: '/api/recharge/v2/items',
  summary: 'What can be bought for a game, in groups, priced for this site',
  access: 'player',
  body: z.strictObject({ gameId: Slug, system: System }),
  reply: z.strictObject({
    groups: z.array(z.strictObject({ groupId: Slug, name: z.string(), items: z.array(Item) })),
  }),
  refusals: [],
});

/** A pack of E Points: `quantity` is bought, the gift comes on top. */
export const PointPack = z.strictObject({
  itemId: Slug,
  name: z.string(),
  quantity: Amount,
  giftQuantity: Amount,
  /** How long the gift lives after it was given; for ever where it says nothing. */
  giftDays: z.nullable(z.int()),
  price: Money,
  badge: z.nullable(z.enum(['popular', 'best_value'])),
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  art: Slug,
});
export type PointPack = z.output<typeof PointPack>;

export const pointPacks = endpoint({
  method: 'POST',
  path: '/api/e-recharge/items',
  summary: 'The E Point packs of this site',
  access: 'player',
  body: z.strictObject({ system: System }),
  reply: z.strictObject({ packs: z.array(PointPack) }),
  refusals: [],
});
